import type { Judged } from './matchers/judged.ts'
import { toHaveDuplicated, toHaveRetried } from './matchers/sent-again.ts'
import { toHaveBeenAsked } from './matchers/to-have-been-asked.ts'
import { toHaveBehaved } from './matchers/to-have-behaved.ts'
import { toHaveWaited } from './matchers/to-have-waited.ts'

export type { Judged, MatcherResult } from './matchers/judged.ts'
export type { RetriedOptions } from './matchers/sent-again.ts'
export type { AskedOptions } from './matchers/to-have-been-asked.ts'
export type { BehavedOptions } from './matchers/to-have-behaved.ts'

/** Matchers on the manners of clients, for `expect.extend()` of Vitest, Jest and Playwright. */
export const matchers = {
  toHaveBehaved,
  toHaveWaited,
  toHaveRetried,
  toHaveDuplicated,
  toHaveBeenAsked,
} as const

type Rest<Matcher> = Matcher extends (received: Judged, ...given: infer Given) => unknown
  ? Given
  : never

/** The matchers as `expect(sandbox)` has them: done at once for a sandbox, later for what `connectSandbox()` gives. */
export interface SandboxMatchers {
  /** Nothing that the audit finds; by default no error. */
  toHaveBehaved(...given: Rest<typeof toHaveBehaved>): Done
  /** Told to wait, a client came back, and never before that time (spec 8). */
  toHaveWaited(...given: Rest<typeof toHaveWaited>): Done
  /** What had failed was sent again. */
  toHaveRetried(...given: Rest<typeof toHaveRetried>): Done
  /** A request whose answer was lost was sent again, and took effect both times (spec 4.2). */
  toHaveDuplicated(...given: Rest<typeof toHaveDuplicated>): Done
  /** Such requests were sent. */
  toHaveBeenAsked(...given: Rest<typeof toHaveBeenAsked>): Done
}

type Done = void | Promise<void>

declare global {
  namespace jest {
    // Of `@types/jest`, and of Vitest 4.
    interface Matchers<R> extends SandboxMatchers {}
  }
}

// The other two need not be installed; type parameters that have defaults are left out, as Vitest 4 has others than 5.

// biome-ignore lint/suspicious/noTsIgnore: it is an error only where Vitest isn't installed
/** @ts-ignore */
declare module 'vitest' {
  interface Matchers extends SandboxMatchers {}
}

// biome-ignore lint/suspicious/noTsIgnore: it is an error only where Jest isn't installed
/** @ts-ignore */
declare module 'expect' {
  interface Matchers<R> extends SandboxMatchers {}
}
