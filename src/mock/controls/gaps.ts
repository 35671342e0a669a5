import { object } from '../input/object.ts'
import { mapTable } from '../input/record.ts'
import { named, type Schema } from '../input/schema.ts'
import {
  type GapSettings,
  type GapView,
  gapSettings,
  gaps,
  gapValue,
  viewGaps,
} from '../spec/gaps.ts'
import { idInPath, routesOn } from './http/route.ts'
import {
  type Counterfactual,
  type CounterfactualOptions,
  counterfactualOptions,
  counterfactualReport,
  type WhatIf,
  whatIfReport,
} from './reports.ts'

const everyChoice = object(mapTable(gaps, gapValue))

/** The choices in force, as the controls show them. */
export const gapView: Schema<GapView> = named('Gaps', {
  expected: everyChoice.expected,
  jsonSchema: everyChoice.jsonSchema,
  parse: (found) => viewGaps(everyChoice.parse(found)),
  encode: (view) => view,
})

/** What the routes of gaps need. */
export interface GapHost {
  readonly controls: {
    readonly gaps: GapView
    setGaps(settings: GapSettings): GapView
    counterfactual(options?: CounterfactualOptions, owner?: AbortSignal): Promise<Counterfactual>
    whatIf(id: number, gaps: GapSettings, owner?: AbortSignal): Promise<WhatIf>
  }
}

const route = routesOn<GapHost>('gaps')

/** The controls of gaps over HTTP. */
export const gapRoutes = {
  gaps: route('gaps', {
    summary: 'Get the choices at all gaps',
    description: 'Returns the choice at each gap.',
    reply: gapView,
    run: ({ controls }) => controls.gaps,
  }),
  setGaps: route('setGaps', {
    summary: 'Choose at some gaps',
    description: 'Changes the choices that are given; the others stay.',
    body: named('GapSettings', gapSettings),
    reply: gapView,
    run: ({ controls, body }) => controls.setGaps(body),
  }),
  counterfactual: route('counterfactual', {
    summary: 'Tell which other choices would have changed a reply',
    description:
      'Replays the requests since the sandbox began, once for each other choice at each gap, and says which reply would first have differed. Beyond 8 MiB it begins in the middle, as `earlier` says.',
    query: counterfactualOptions,
    reply: counterfactualReport,
    run: ({ controls, query, owner }) => controls.counterfactual(query, owner),
  }),
  whatIf: route('whatIf', {
    summary: 'Tell what other choices would have made of a request',
    description:
      'Replays what came before the request, and then the request, as it was and with these choices at the gaps; changes nothing. Refused once what came before is forgotten.',
    params: object({ id: idInPath("The exchange's id.") }, { title: 'request' }),
    body: gapSettings,
    reply: whatIfReport,
    run: ({ controls, params, body, owner }) => controls.whatIf(params.id, body, owner),
  }),
} as const
