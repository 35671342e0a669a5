import { inject } from 'vitest'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'

/**
 * Situations that random runs have to meet at least once; what none of them met, they don't test. The few draws of a day
 * needn't meet all of them.
 */
export class Sometimes {
  readonly #unmet: Set<string>

  constructor(...names: readonly string[]) {
    this.#unmet = new Set(names)
  }

  /** Notes what a run has met; other situations don't matter. */
  meet(met: Readonly<Record<string, boolean | undefined>>): void {
    for (const [name, isMet] of Object.entries(met)) if (isMet) this.#unmet.delete(name)
  }

  /** @throws Error with what no run met. */
  expectAllMet(): void {
    if (this.#unmet.size > 0 && inject('testRuns') >= 1)
      throw new Error(`No run met: ${[...this.#unmet].join(', ')}`)
  }
}

/** Returns the situations that the requests to a sandbox show. */
export function metIn(sandbox: Sandbox): Readonly<Record<string, boolean>> {
  const entries = sandbox.requests.list()
  const isLimited = entries.some(({ decision }) => decision.code === 'rate_limit_exceeded')
  return {
    'a rate limit': isLimited,
    'a sliding window': isLimited && sandbox.gaps.quotaWindow === 'sliding',
    'a ban': entries.some(({ decision }) => decision.code === 'key_banned'),
    'a cut body': entries.some(
      ({ outcome }) => outcome.kind === 'broken-response' && outcome.end !== 'whole',
    ),
    'a lost response': entries.some(
      ({ outcome, decision }) => outcome.kind === 'disconnect' && decision.petId !== undefined,
    ),
    'a disconnect': entries.some(({ outcome }) => outcome.kind === 'disconnect'),
    'a timeout': entries.some(({ outcome }) => outcome.kind === 'timeout'),
    'a new pet': entries.some(({ decision }) => decision.petId !== undefined),
    'an error': entries.some(({ outcome }) => 'status' in outcome && outcome.status >= 400),
    'a success': entries.some(({ outcome }) => 'status' in outcome && outcome.status < 300),
  }
}
