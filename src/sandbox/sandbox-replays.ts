import { whatIfOptions } from './controls/what-if.ts'
import { makeCapture } from './replay/make-capture.ts'
import { whatIf } from './replay/what-if.ts'

/** Functions that replay a sandbox; they share nearly all their code, so a page loads them together. */
export const replays = { makeCapture, whatIf, whatIfOptions } as const
