import type { GapName } from '../../../contract/gaps.ts'
import type { Counterfactual } from '../../../control/reports/counterfactual-report.ts'
import { countText } from '../count-text.ts'

/** What a gap means for the requests of a sandbox. */
export interface GapEffect {
  readonly kind: 'matters' | 'no-difference'
  readonly text: string
}

/** Says to how many requests another choice at a gap would have mattered, and from which on. */
export function gapEffect({ exchanges, gaps }: Counterfactual, name: GapName): GapEffect {
  const mattering = Object.entries(gaps[name] ?? {}).flatMap(([choice, { first, requests }]) =>
    first === undefined || requests === undefined ? [] : [{ choice, first, requests }],
  )
  const [one] = mattering
  if (one === undefined) {
    return { kind: 'no-difference', text: `no difference in ${countText(exchanges, 'request')}` }
  }
  const said = mattering.map(
    ({ choice, first, requests }) => `${choice} to ${requests}, from request ${first} on`,
  )
  return {
    kind: 'matters',
    text: `matters, of ${countText(exchanges, 'request')}: ${said.join('; ')}`,
  }
}
