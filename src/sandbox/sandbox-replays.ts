import { makeCapture } from '../checks/replay/make-capture.ts'
import { whatIf } from '../checks/replay/what-if.ts'
import { whatIfOptions } from './controls/reports.ts'

/** Functions that replay a sandbox; they share nearly all their code, so a page loads them together. */
export const replays = { makeCapture, whatIf, whatIfOptions } as const
