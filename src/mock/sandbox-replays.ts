import { counterfactual, whatIf } from '../checks/replay/counterfactual.ts'
import { makeCapture } from '../checks/replay/make-capture.ts'

/** What is made of all that was done to a sandbox: nearly the same code each time, so a page loads it as one. */
export const replays = { counterfactual, makeCapture, whatIf } as const
