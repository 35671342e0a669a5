import { answerMsw } from './answer-msw.ts'
import { lateAnswerMsw } from './late-answer-msw.ts'

/** Has what answers for MSW there from the start, so that no faked time goes on while it is loaded. */
export function haveAnswerMsw(): void {
  lateAnswerMsw.give({ answerMsw })
}
