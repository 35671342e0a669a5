import { LateModule } from '../../../input/late-module.ts'

/** What answers the requests that MSW has intercepted: pages load it with the first one; Node has it from the start. */
export const lateAnswerMsw: LateModule<typeof import('./answer-msw.ts')> = new LateModule(
  () => import('./answer-msw.ts'),
)
