/** The handlers for Node, where all that answers requests is there from the start. */
import { answerMsw } from '../adapters/parts/fetch/answer-msw.ts'
import { lateAnswerMsw } from '../adapters/parts/fetch/late-answer-msw.ts'

export * from '../adapters/msw.ts'

lateAnswerMsw.give({ answerMsw })
