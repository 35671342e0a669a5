import type { Sandbox } from '../../src/mock/sandbox.ts'

/** Situations that random runs have to meet at least once; what none of them met, they don't test. */
export class Sometimes<Name extends string> {
  readonly #unmet: Set<Name>

  constructor(...names: readonly Name[]) {
    this.#unmet = new Set(names)
  }

  meet(name: Name, isMet = true): void {
    if (isMet) this.#unmet.delete(name)
  }

  /** @throws Error with what no run met. */
  expectAllMet(): void {
    if (this.#unmet.size > 0) throw new Error(`No run met: ${[...this.#unmet].join(', ')}`)
  }
}

/** The situations that the requests to a sandbox show. */
export function metIn(sandbox: Sandbox) {
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
  } as const
}
