import { makeCapture } from '../checks/replay/make-capture.ts'
import { whatIf } from '../checks/replay/what-if.ts'
import { whatIfOptions } from './controls/reports.ts'

/** What is made of all that was done to a sandbox: nearly the same code each time, so a page loads it as one. */
export const replays = { makeCapture, whatIf, whatIfOptions } as const
