import {
  type GapSettings,
  type GapView,
  gapSettings,
  gaps,
  gapValue,
  viewGaps,
} from '../../mock/api/gaps.ts'
import { object } from '../../mock/input/object.ts'
import { mapTable } from '../../mock/input/record.ts'
import { named, type Schema } from '../../mock/input/schema.ts'
import { orNothing, routesOn } from './http/route.ts'
import { type WhatIf, type WhatIfOptions, whatIfOptions, whatIfReport } from './reports.ts'

const everyValue = object(mapTable(gaps, gapValue))

/** Current gap values in the output of controls. */
export const gapView: Schema<GapView> = named('Gaps', {
  expected: everyValue.expected,
  jsonSchema: everyValue.jsonSchema,
  parse: (found) => viewGaps(everyValue.parse(found)),
  encode: (view) => view,
})

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
    output: gapView,
    run: ({ controls }) => controls.gaps,
  }),
  setGaps: route('setGaps', {
    summary: 'Set some gaps; the others stay',
    body: named('GapSettings', gapSettings),
    output: gapView,
    run: ({ controls, body }) => controls.setGaps(body),
  }),
  whatIf: route('whatIf', {
    summary: 'Find the responses that other gap values would have changed',
    description:
      'Replays the requests in a copy of the sandbox with the gap values given, or with each other value of each gap in turn, and compares the responses. Changes nothing. After 5,000 steps it begins in the middle, as `dropped` says.',
    body: orNothing(named('WhatIfOptions', whatIfOptions)),
    output: whatIfReport,
    run: ({ controls, body, signal }) => controls.whatIf(body, signal),
  }),
} as const
