import type { Exchange } from '../../state/journal/exchange.ts'
import type { Found, Ground, Rule, Watch } from '../rule.ts'
import { type RuleName, ruleNames, rules } from '../rules.ts'
import { Seen } from '../seen.ts'
import { Origin } from './origin.ts'
import { anyOf, traitsOf } from './traits.ts'

/** How many origins are told apart; the one that came first is forgotten first. */
const keptOrigins = 500

/** What a panel has found. */
export interface PanelFinding {
  readonly rule: RuleName
  readonly found: Found
}

const table: Readonly<Record<RuleName, Rule>> = rules

/** A rule that watches. */
interface Seat {
  readonly rule: RuleName
  readonly watch: Watch
  /** The traits of what it sees, any of them; `undefined` for all exchanges. */
  readonly sees: number | undefined
}

/** Rules that watch the same exchanges, and what they know of where those come from. */
export class Panel {
  /** Those that look back at trouble come first. */
  readonly #seats: readonly Seat[]
  /** The seats that see what is like this, by the sum of its traits. */
  readonly #seatsOf = new Map<number, readonly Seat[]>()
  readonly #origins = new Map<string | number, Origin>()
  /** Whose exchange it saw last, since the next one is often of the same. */
  #latestFrom: string | number | undefined
  #latest: Origin | undefined

  /** @param takes Which rules sit on it. */
  constructor(takes: (rule: RuleName) => boolean) {
    const names = ruleNames.filter(takes)
    const first = names.filter(looksBack)
    this.#seats = [...first, ...names.filter((rule) => !looksBack(rule))].map(seatOf)
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
    const traits = traitsOf(seen, origin)
    for (const { rule, watch } of this.#seatsOf.get(traits) ?? this.#choose(traits)) {
      const found = watch.see(seen, exchange, ground)
      if (found !== undefined) tell({ rule, found })
    }
    origin.keep(seen)
  }

  /** Whether an origin has ever had two requests under way. */
  isParallel(from: string | number): boolean {
    return this.#origins.get(from)?.isParallel === true
  }

  /** Forgets what nothing can be concluded from any more, since the world has changed. */
  forget(): void {
    for (const { watch } of this.#seats) watch.forget?.()
    for (const origin of this.#origins.values()) origin.forget()
  }

  #choose(traits: number): readonly Seat[] {
    const chosen = this.#seats.filter(({ sees }) => sees === undefined || (sees & traits) !== 0)
    this.#seatsOf.set(traits, chosen)
    return chosen
  }

  #originOf(from: string | number, exchange: Exchange): Origin {
    if (this.#latest === undefined || this.#latestFrom !== from) {
      this.#latest = this.#findOrigin(from, exchange)
      this.#latestFrom = from
    }
    return this.#latest
  }

  #findOrigin(from: string | number, { caller, visit }: Exchange): Origin {
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

/** Whether a rule sees only what comes after trouble. */
function looksBack(rule: RuleName): boolean {
  return table[rule].sees?.every((trait) => trait.startsWith('after ')) ?? false
}

function seatOf(rule: RuleName): Seat {
  const { watch, sees } = table[rule]
  return { rule, watch: watch(), sees: sees === undefined ? undefined : anyOf(sees) }
}
