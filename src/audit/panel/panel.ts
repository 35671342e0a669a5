import type { Exchange } from '../../state/exchange.ts'
import type { Found, Ground, Watch } from '../rule.ts'
import { type RuleName, rules } from '../rules.ts'
import { Seen } from '../seen.ts'
import { Company } from './company.ts'
import type { KeyUse } from './key-use.ts'
import { Origin } from './origin.ts'
import { readers, ruleOrder, seersOf, seersOfNews } from './seers.ts'

/** How many origins are told apart; the one that came first is forgotten first. */
const keptOrigins = 500

/** What a panel has found. */
export interface PanelFinding {
  readonly rule: RuleName
  readonly found: Found
}

/** Rules that watch the same exchanges, and what they know of where those come from. */
export class Panel {
  /** The rules that sit on it, as bits. */
  readonly #seats: number
  /** What watches for each rule that was shown anything, by its place. */
  readonly #watches: (Watch | undefined)[] = []
  readonly #origins = new Map<string | number, Origin>()
  /** Whose exchange it saw last, since the next one is often of the same. */
  #latestFrom: string | number | undefined
  #latest: Origin | undefined
  /** Whether the world has changed since it saw anything. */
  #hasChanged = false
  readonly #company = new Company()

  /** @param seats The rules that sit on it, as bits. */
  constructor(seats: number) {
    this.#seats = seats
  }

  /**
   * Shows an exchange to the rules.
   *
   * @param from What tells its origin from others.
   * @param keyUse How its key is used.
   * @param tell Called with each finding.
   */
  see(
    id: number,
    exchange: Exchange,
    from: string | number,
    keyUse: KeyUse,
    ground: Ground,
    tell: (finding: PanelFinding) => void,
  ): void {
    if (this.#hasChanged) this.#forgetAll()
    const origin = this.#originOf(from, keyUse, exchange)
    origin.keyUse = keyUse
    const seen = new Seen(id, origin, exchange)
    let left = this.#seats & this.#seersOf(seen, exchange, origin)
    for (; left !== 0; left &= left - 1) {
      const place = 31 - Math.clz32(left & -left)
      const rule = ruleOrder[place]
      if (rule === undefined) continue
      this.#watches[place] ??= rules[rule].watch()
      const found = this.#watches[place].see(seen, exchange, ground)
      if (found !== undefined) tell({ rule, found })
    }
    origin.keep(seen, exchange)
  }

  /** Concludes nothing any more from what it has seen, since the world has changed. */
  forget(): void {
    // Forgotten when there is more to see: most worlds end with a change.
    this.#hasChanged = true
  }

  #forgetAll(): void {
    this.#hasChanged = false
    this.#company.hasRefused = false
    for (const watch of this.#watches) watch?.forget?.()
    for (const origin of this.#origins.values()) origin.forget()
  }

  /** Adds up the rules that an exchange may matter to. */
  #seersOf(seen: Seen, exchange: Exchange, origin: Origin): number {
    const found = seersOf(seen, exchange.request.url, origin, this.#company)
    if ((this.#seats & readers) === 0) return found
    origin.heard.hear(seen, exchange)
    return found | seersOfNews(seen, origin.heard)
  }

  #originOf(from: string | number, keyUse: KeyUse, exchange: Exchange): Origin {
    if (this.#latest === undefined || this.#latestFrom !== from) {
      this.#latest = this.#findOrigin(from, keyUse, exchange)
      this.#latestFrom = from
    }
    return this.#latest
  }

  #findOrigin(from: string | number, keyUse: KeyUse, { caller, visit }: Exchange): Origin {
    const known = this.#origins.get(from)
    if (known !== undefined) return known
    const origin = new Origin(keyUse, caller, visit.door, this.#company)
    this.#origins.set(from, origin)
    if (this.#origins.size > keptOrigins) {
      const [first] = this.#origins.keys()
      if (first !== undefined) this.#origins.delete(first)
    }
    return origin
  }
}
