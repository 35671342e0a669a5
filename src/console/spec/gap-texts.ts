import {
  defaultGaps,
  formatValue,
  type Gap,
  type GapName,
  type GapSettings,
  gapSettings,
  gaps,
} from '../../mock/api/gaps.ts'
import { fromTexts } from '../../mock/input/object.ts'
import { namesOf } from '../../mock/input/record.ts'
import { identity, readInput } from '../../mock/input/schema.ts'
import type { ReplayedResponse } from '../../sandbox/controls/captures.ts'
import type { WhatIf, WhatIfResult } from '../../sandbox/controls/what-if.ts'

/** Returns the values that a gap lists, as text; empty for a gap with too many values to list. */
export function listedChoices(name: GapName): readonly string[] {
  const gap: Gap = gaps[name]
  return gap.kind === 'enum' ? gap.values.map(String) : []
}

/** Returns the default value of a gap, as text. */
export function defaultChoice(name: GapName): string {
  return String(formatValue(name, defaultGaps[name]))
}

/**
 * Parses gap values from texts.
 *
 * @throws {@link InputError} with the accepted values.
 */
export function gapSettingsOf(texts: Readonly<Record<string, string>>): GapSettings {
  return readInput(identity(gapSettings), fromTexts(gapSettings, texts))
}

/** A gap value that would have changed responses. */
interface GapEffect {
  readonly name: GapName
  readonly value: string
  /** Number of requests with another response. */
  readonly count: number
  /** Ids of the first of these requests. */
  readonly ids: readonly number[]
  /** The first of these responses, with the actual and with the other value, if they were requested. */
  readonly responses: WhatIfResult['responses']
}

/** Returns the gap values that would have changed a response, largest number of changes first. */
export function effectsIn(found: WhatIf | undefined): readonly GapEffect[] {
  return (found?.results ?? [])
    .filter(({ changesResponse }) => changesResponse)
    .flatMap(({ gaps: tried, count = 1, ids = [], responses }) =>
      namesOf(tried).map((name) => ({ name, value: String(tried[name]), count, ids, responses })),
    )
    .sort((one, other) => other.count - one.count)
}

/** Returns a description of the difference between two responses: the statuses, or else what differs. */
export function changeText(before: ReplayedResponse, after: ReplayedResponse): string {
  const outcomeOf = ({ kind, status }: ReplayedResponse): string => String(status ?? kind)
  if (outcomeOf(before) !== outcomeOf(after)) return `${outcomeOf(before)} → ${outcomeOf(after)}`
  const names = [...Object.keys(before.headers ?? {}), ...Object.keys(after.headers ?? {})]
  const differing = [...new Set(names)].filter(
    (name) => before.headers?.[name] !== after.headers?.[name],
  )
  return [...differing, ...(before.body === after.body ? [] : ['body'])].join(', ')
}
