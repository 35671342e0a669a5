import { type GapSettings, type GapView, gapSettings } from '../../mock/api/gaps.ts'
import { named } from '../../mock/input/schema.ts'
import { orNothing, routesOn } from './http/route.ts'
import { type WhatIf, type WhatIfOptions, whatIfOptions } from './what-if.ts'

/** Controls that the routes of gaps need. */
export interface GapHost {
  readonly controls: {
    readonly gaps: GapView
    setGaps(settings: GapSettings): GapView
    whatIf(options?: WhatIfOptions, signal?: AbortSignal): Promise<WhatIf>
  }
}

const route = routesOn<GapHost>('gaps')

/** Routes of gaps. */
export const gapRoutes = {
  gaps: route('gaps', {
    summary: 'Get the values of all gaps',
    run: ({ controls }) => controls.gaps,
  }),
  setGaps: route('setGaps', {
    summary: 'Set some gaps; the others stay',
    body: named('GapSettings', gapSettings),
    run: ({ controls, body }) => controls.setGaps(body),
  }),
  whatIf: route('whatIf', {
    summary: 'Find the responses that other gap values would have changed',
    description:
      'Replays the requests in a copy of the sandbox with the gap values given, or with each other value of each gap in turn, and compares the responses. Changes nothing. After 5,000 steps it begins in the middle, as `dropped` says.',
    body: orNothing(named('WhatIfOptions', whatIfOptions)),
    run: ({ controls, body, signal }) => controls.whatIf(body, signal),
  }),
} as const
