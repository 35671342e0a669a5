import type { WhatIf, WhatIfResult } from '../../src/sandbox/controls/what-if.ts'

type Effect = Omit<WhatIfResult, 'gaps'>

/** The results of single gap values, by gap and value. */
export function resultsByGap({
  results,
}: WhatIf): Readonly<Record<string, Readonly<Record<string, Effect>>>> {
  const byGap: Record<string, Record<string, Effect>> = {}
  for (const { gaps, ...effect } of results) {
    for (const [gap, value] of Object.entries(gaps)) {
      byGap[gap] = { ...byGap[gap], [String(value)]: effect }
    }
  }
  return byGap
}
