import { type GapName, type GapValues, gapNames, gaps as gapTable } from '../../mock/api/gaps.ts'
import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import { operationText } from './facts.ts'
import type { Rule, RuleState, SandboxFacts } from './rule.ts'

/** Rules about behaviour that the spec leaves open. */
export const gapRules = {
  'relies-on-gap': {
    severity: 'info',
    source: 'spec 2 to 9, where they are silent',
    summary: 'A request succeeded that another value of one of the gaps would have rejected.',
    advice: adviceOn('NAME', 'VALUE'),
    survivesReset: true,
    createState: watchDependsOnGap,
  },
} as const satisfies Record<string, Rule>

/** Maximum number of requests checked per client. */
const keptRequests = 200

/** A gap value that would have rejected a request, with the resulting error as text. */
interface GapDependency {
  readonly gap: GapName
  readonly choice: string | number
  readonly text: string
}

function watchDependsOnGap(): RuleState {
  /** Gap values in force for the requests in `replayed`. */
  let gaps: GapValues | undefined
  const replayed = new Set<string>()
  const reported = new Set<GapName>()
  return (next, sandbox) => {
    if (next.status === undefined || next.status >= 300) return undefined
    if (gaps !== next.result.gaps) replayed.clear()
    gaps = next.result.gaps
    const request = next.body === '' ? next.url : next.body
    if (replayed.size >= keptRequests || replayed.has(request)) return undefined
    replayed.add(request)
    const found = dependenciesOf(next.logged, reported, sandbox)
    const [first] = found
    if (first === undefined) return undefined
    for (const { gap } of found) reported.add(gap)
    const texts = found.map(({ text }) => text).join('; ')
    return {
      message: `${operationText(next.logged)} succeeded only because of the value of a gap in this sandbox: ${texts}.`,
      advice: adviceOn(first.gap, first.choice),
      requests: [next],
    }
  }
}

function adviceOn(gap: string, value: string | number): string {
  return `Send only what every value accepts, since the real service may differ. To see what your client does then, run it with exec --gap ${gap}=${value}.`
}

/**
 * Returns the gap values that a request depends on: tries all others at once, and single ones only if these reject it.
 */
function dependenciesOf(
  { request, at, result: { gaps } }: LoggedRequest,
  reported: ReadonlySet<GapName>,
  { rejectionUnder }: SandboxFacts,
): GapDependency[] {
  const others: Record<string, string | number> = {}
  for (const gap of gapNames) {
    const row = gapTable[gap]
    // Instants, durations and counts never decide whether a request itself is valid.
    const choices: readonly (string | number)[] = row.kind === 'enum' ? row.values : []
    const choice = reported.has(gap) ? undefined : choices.find((one) => one !== gaps[gap])
    others[gap] = choice ?? gaps[gap]
  }
  const found: GapDependency[] = []
  for (;;) {
    const gap = rejectionUnder(request, { ...gaps, ...others }, at)?.gap
    const choice = gap === undefined ? undefined : others[gap]
    if (gap === undefined || choice === undefined || choice === gaps[gap]) return found
    others[gap] = gaps[gap]
    // Several values together may reject a request that this one alone would accept.
    const rejection = rejectionUnder(request, { ...gaps, [gap]: choice }, at)
    if (rejection?.gap !== gap) continue
    const text = `with ${gap}=${choice} in place of ${gaps[gap]} (spec ${gapTable[gap].spec}) it gets ${rejection.status}, ${rejection.message}`
    found.push({ gap, choice, text })
  }
}
