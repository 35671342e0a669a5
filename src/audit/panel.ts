import type { Exchange } from '../state/journal/exchange.ts'
import { Origin } from './origin.ts'
import type { Found, Ground, Rule, Watch } from './rule.ts'
import { type RuleName, ruleNames, rules } from './rules.ts'
import { Seen } from './seen.ts'

/** How many origins are told apart; the one that came first is forgotten first. */
const keptOrigins = 500

/** What a panel has found. */
export interface PanelFinding {
  readonly rule: RuleName
  readonly found: Found
}

const table: Readonly<Record<RuleName, Rule>> = rules

function needsTrouble(rule: RuleName): boolean {
  return table[rule].needsTrouble === true
}

/** Rules that watch the same exchanges, and what they know of where those come from. */
export class Panel {
  readonly #watches: readonly { readonly rule: RuleName; readonly watch: Watch }[]
  /** Those that have nothing to say as long as nothing went wrong. */
  readonly #ofTrouble: readonly { readonly rule: RuleName; readonly watch: Watch }[]
  readonly #origins = new Map<string | number, Origin>()

  /** @param takes Which rules sit on it. */
  constructor(takes: (rule: RuleName) => boolean) {
    const all = ruleNames.filter(takes).map((rule) => ({ rule, watch: rules[rule].watch() }))
    this.#watches = all.filter(({ rule }) => !needsTrouble(rule))
    this.#ofTrouble = all.filter(({ rule }) => needsTrouble(rule))
  }

  /**
   * Shows an exchange to the rules.
   *
   * @param from What tells its origin from others.
   * @param tell Called with each finding.
   */
  see(
    id: number,
    exchange: Exchange,
    from: string | number,
    ground: Ground,
    tell: (finding: PanelFinding) => void,
  ): void {
    const origin = this.#originOf(from, exchange)
    const seen = new Seen(id, origin, exchange)
    const show = ({ rule, watch }: { readonly rule: RuleName; readonly watch: Watch }): void => {
      const found = watch.see(seen, exchange, ground)
      if (found !== undefined) tell({ rule, found })
    }
    if (origin.hasTrouble) for (const one of this.#ofTrouble) show(one)
    for (const one of this.#watches) show(one)
    origin.keep(seen)
  }

  /** Whether an origin has ever had two requests under way. */
  isParallel(from: string | number): boolean {
    return this.#origins.get(from)?.isParallel === true
  }

  /** Forgets what nothing can be concluded from any more, since the world has changed. */
  forget(): void {
    for (const { watch } of [...this.#watches, ...this.#ofTrouble]) watch.forget?.()
    for (const origin of this.#origins.values()) origin.forget()
  }

  #originOf(from: string | number, { caller, visit }: Exchange): Origin {
    const known = this.#origins.get(from)
    if (known !== undefined) return known
    const origin = new Origin(caller, visit.door)
    this.#origins.set(from, origin)
    if (this.#origins.size > keptOrigins) {
      const [first] = this.#origins.keys()
      if (first !== undefined) this.#origins.delete(first)
    }
    return origin
  }
}
