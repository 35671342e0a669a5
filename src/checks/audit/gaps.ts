import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import { type GapChoices, type GapName, gapNames, gaps as gapTable } from '../../mock/spec/gaps.ts'
import { requestText } from './facts.ts'
import type { Rule, RuleState, SandboxFacts } from './rule.ts'

/** The rules on what the interface leaves open. */
export const gapRules = {
  'relies-on-gap': {
    severity: 'info',
    source: 'spec 2 to 9, where they are silent',
    summary: 'A request succeeded that another value of a gap would have rejected.',
    advice: adviceOn('NAME', 'VALUE'),
    survivesReset: true,
    createState: watchDependsOnGap,
  },
} as const satisfies Record<string, Rule>

/** How many requests of each client are asked about. */
const keptRequests = 200

/** A gap at which another choice would have refused a request, and how. */
interface GapDependency {
  readonly gap: GapName
  readonly choice: string | number
  readonly text: string
}

function watchDependsOnGap(): RuleState {
  /** The choices in force for what was asked. */
  let gaps: GapChoices | undefined
  const asked = new Set<string>()
  const told = new Set<GapName>()
  return (next, exchange, sandbox) => {
    if (next.status === undefined || next.status >= 300) return undefined
    if (gaps !== exchange.gaps) asked.clear()
    gaps = exchange.gaps
    const request = next.body === '' ? next.url : next.body
    if (asked.size >= keptRequests || asked.has(request)) return undefined
    asked.add(request)
    const found = dependenciesOf(exchange, told, sandbox)
    const [first] = found
    if (first === undefined) return undefined
    for (const { gap } of found) told.add(gap)
    const texts = found.map(({ text }) => text).join('; ')
    return {
      message: `${requestText(next)} was served only by a choice of this sandbox where the interface says nothing: ${texts}.`,
      advice: adviceOn(first.gap, first.choice),
      requests: [next],
    }
  }
}

function adviceOn(gap: string, choice: string | number): string {
  return `The real service may use another value: send only what every value accepts. To see what your client does then, run it under exec --gap ${gap}=${choice}.`
}

/** The choices that a request depends on: asks for all others at once, and looks closer only if these refuse it. */
function dependenciesOf(
  { request, at, gaps }: LoggedRequest,
  told: ReadonlySet<GapName>,
  { refusalUnder }: SandboxFacts,
): GapDependency[] {
  const others: Record<string, string | number> = {}
  for (const gap of gapNames) {
    const row = gapTable[gap]
    // No instant, duration or count decides whether a request is refused for what it is.
    const choices: readonly (string | number)[] = row.kind === 'choice' ? row.choices : []
    const choice = told.has(gap) ? undefined : choices.find((one) => one !== gaps[gap])
    others[gap] = choice ?? gaps[gap]
  }
  const found: GapDependency[] = []
  for (;;) {
    const gap = refusalUnder(request, { ...gaps, ...others }, at)?.gap
    const choice = gap === undefined ? undefined : others[gap]
    if (gap === undefined || choice === undefined || choice === gaps[gap]) return found
    others[gap] = gaps[gap]
    // Together they may refuse what this one alone would not.
    const refusal = refusalUnder(request, { ...gaps, [gap]: choice }, at)
    if (refusal?.gap !== gap) continue
    const text = `with ${gap}=${choice} in place of ${gaps[gap]} (spec ${gapTable[gap].spec}) it gets ${refusal.status}, ${refusal.message}`
    found.push({ gap, choice, text })
  }
}
