import { endpoints } from '../../contract/endpoints.ts'
import type { Gap, GapChoices, GapName } from '../../contract/gaps.ts'
import { namesOf } from '../../input/record.ts'
import type { Exchange } from '../../state/exchange.ts'
import { PerOrigin } from '../per-origin.ts'
import type { Ground, Rule } from '../rule.ts'
import { requestText } from '../words.ts'

/** How many requests of each origin are looked at. */
const keptRequests = 200

/** A gap at which another choice would have refused a request, and how. */
interface GapDependency {
  readonly gap: GapName
  readonly choice: string | number
  readonly text: string
}

/** What was seen of an origin, and where it depends on a choice. */
interface Memory {
  /** The choices in force for what was seen. */
  gaps: GapChoices | undefined
  readonly seen: Set<string>
  readonly told: Set<GapName>
}

/** A request that was served only by a choice where the interface says nothing (spec 9). */
export const dependsOnGap: Rule = {
  severity: 'info',
  clause: 'spec 2 to 9, where they are silent',
  about: 'A request was served that another choice at one of the gaps would have refused.',
  advice:
    'The real service may choose otherwise: send only what every choice accepts. To see what your client does then, run it under exec --gap NAME=CHOICE.',
  needsKnowledge: false,
  sees: ['newly served'],
  watch() {
    const memories = new PerOrigin<Memory>(() => ({
      gaps: undefined,
      seen: new Set(),
      told: new Set(),
    }))
    /** Those of the choices that were in force last, which seldom change. */
    let latest: Alternatives | undefined
    return {
      see(next, exchange, ground) {
        if (next.status === undefined || next.status >= 300) return undefined
        const { gaps } = exchange
        const memory = memories.of(next)
        const { seen, told } = memory
        if (memory.gaps !== gaps) {
          memory.gaps = gaps
          seen.clear()
        }
        const asked = next.body === '' ? next.url : next.body
        if (seen.size >= keptRequests || seen.has(asked)) return undefined
        seen.add(asked)
        if (passesAnyChoice(exchange, ground)) return undefined
        if (latest?.gaps !== gaps) latest = new Alternatives(gaps, ground.gapTable)
        const found = dependenciesOf(exchange, latest, told, ground)
        const [first] = found
        if (first === undefined) return undefined
        for (const { gap } of found) told.add(gap)
        const texts = found.map(({ text }) => text).join('; ')
        return {
          verdict: `${requestText(next)} was served only by a choice of this sandbox where the interface says nothing: ${texts}.`,
          advice: `The real service may choose otherwise: send only what every choice accepts. To see what your client does then, run it under exec --gap ${first.gap}=${first.choice}.`,
          exchanges: [next],
        }
      },
    }
  },
}

const { sunsetAt } = endpoints.getPet.deprecated

/** A pet, or a list with a limit or a status at most, asked for as plainly as can be. */
const plainTarget =
  /^\/v1\/pets(?:\/\d{1,15}|\?limit=[1-9]\d?|\?status=(?:available|pending|sold))?$/

/** A new pet, written as plainly as can be. */
const plainPet =
  /^\{"name":"[^"\\]{1,99}","categoryId":(\d{1,15})(?:,"status":"(?:available|pending|sold)")?\}$/

/**
 * Whether a request that was served is one that no choice at any gap refuses; most are, and are known by less than the
 * look at all.
 */
function passesAnyChoice({ request, at }: Exchange, { isCategory }: Ground): boolean {
  const { method, url, headers, body } = request
  if (headers.authorization?.startsWith('Bearer ') !== true || at >= sunsetAt) return false
  if (method === 'GET') return body === '' && plainTarget.test(url)
  if (url !== '/v1/pets' || headers['content-type'] === undefined) return false
  const category = plainPet.exec(body)?.[1]
  return category !== undefined && isCategory(Number(category))
}

/** The choices that a request depends on: asks for all others at once, and looks closer only if these refuse it. */
function dependenciesOf(
  { request, at }: Exchange,
  alternatives: Alternatives,
  told: ReadonlySet<GapName>,
  { gapTable, refusalUnder }: Ground,
): GapDependency[] {
  const { gaps } = alternatives
  const found: GapDependency[] = []
  const kept = new Set(told)
  for (;;) {
    const gap = refusalUnder(request, alternatives.allBut(kept), at)?.gap
    const choice = gap === undefined ? undefined : otherChoice(gapTable[gap], gaps[gap])
    if (gap === undefined || choice === undefined || kept.has(gap)) return found
    kept.add(gap)
    // Together they may refuse what this one alone would not.
    const refusal = refusalUnder(request, { ...alternatives.inForce, [gap]: choice }, at)
    if (refusal?.gap !== gap) continue
    const text = `with ${gap}=${choice} in place of ${gaps[gap]} (spec ${gapTable[gap].spec}) it gets ${refusal.status}, ${refusal.message}`
    found.push({ gap, choice, text })
  }
}

/** What could be chosen in place of the choices in force, made once for all requests. */
class Alternatives {
  readonly gaps: GapChoices
  /** The same choices as plain properties: what counts the reading of gaps has them as getters. */
  readonly inForce: GapChoices
  /** The first other choice at each gap that may decide whether a request is refused for what it is. */
  readonly #others: GapChoices

  constructor(gaps: GapChoices, gapTable: Ground['gapTable']) {
    const inForce: Record<string, string | number> = {}
    const others: Record<string, string | number> = {}
    for (const gap of namesOf(gapTable)) {
      const choice = gaps[gap]
      inForce[gap] = choice
      others[gap] = otherChoice(gapTable[gap], choice) ?? choice
    }
    this.gaps = gaps
    this.inForce = { ...gaps, ...inForce }
    this.#others = { ...gaps, ...others }
  }

  /** The other choices, but the ones in force at some gaps. */
  allBut(kept: ReadonlySet<GapName>): GapChoices {
    if (kept.size === 0) return this.#others
    const ofKept = Object.fromEntries([...kept].map((gap) => [gap, this.inForce[gap]]))
    return { ...this.#others, ...ofKept }
  }
}

/** The first other choice at a gap; no instant, duration or count decides whether a request is refused for what it is. */
function otherChoice(gap: Gap, inForce: string | number): string | number | undefined {
  if (gap.kind !== 'choice') return undefined
  for (const choice of gap.choices) if (choice !== inForce) return choice
  return undefined
}
