import { type GivenOf, type NamedSchema, type Optional, object, optional } from '../input/object.ts'
import { namesOf } from '../input/record.ts'
import { integer } from '../input/values.ts'

/** The length of each window (spec 8). */
export const windowsMs = { minute: 60_000, day: 86_400_000 } as const

/** The maximum number of requests in each window. */
export interface Limits {
  /** Maximum number of requests in a minute. */
  readonly minute: number
  /** Maximum number of requests in a day. */
  readonly day: number
}

/** The limits of each plan; `custom` ones are agreed for each key (spec 8). */
export const plans = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
  enterprise: 'custom',
} as const satisfies Record<string, Limits | 'custom'>

/** A plan, which sets the limits of a key (spec 8). */
export type Plan = keyof typeof plans

/** The names of the windows, the shorter first. */
export const windowNames: readonly (keyof Limits)[] = namesOf(windowsMs)

/** The maximum limit of a window. */
export const maxLimit = 1_000_000_000

const perWindow = (least: number): NamedSchema<PerWindowSchemas, PerWindow> =>
  object(
    {
      minute: optional(integer(least, maxLimit)),
      day: optional(integer(least, maxLimit)),
    },
    { example: '{ "minute": 60, "day": 1000 }' },
  )

/** New limits of the windows; an omitted window keeps its limit. */
export const limitSettings = perWindow(1)

/** New numbers of remaining requests; an omitted window keeps its number. */
export const remainingSettings = perWindow(0)

/** A number for each window, such as limits or remaining requests. */
export interface PerWindow extends GivenOf<PerWindowSchemas> {}

type PerWindowSchemas = {
  /** Number of requests in a minute. */
  readonly minute: Optional<number, number | undefined>
  /** Number of requests in a day. */
  readonly day: Optional<number, number | undefined>
}
