/** The handlers for Node, where all that answers requests is there from the start. */
import { haveAnswerMsw } from '../adapters/parts/fetch/have-answer-msw.ts'

export * from '../adapters/msw.ts'

haveAnswerMsw()
