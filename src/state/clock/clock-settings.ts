import { type Instant, instant, lastInstantAt } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import { described, type Given, Refusal, type Schema } from '../../input/schema.ts'
import { number, oneOf, whole } from '../../input/values.ts'

/**
 * `system` is `Date.now()`; `offset` runs at its pace from another instant; `frozen` stands still; `scaled` runs faster
 * or slower.
 */
export const clockModes = ['system', 'frozen', 'offset', 'scaled'] as const

export type ClockMode = (typeof clockModes)[number]

/** The mode of a clock. */
export const clockMode: Schema<ClockMode> = oneOf(clockModes)

/** How many sandbox seconds pass in a real second. */
export const clockScale: Schema<number> = described(
  'How many sandbox seconds pass in a real second.',
  number('a number above 0 and up to 1000000', { exclusiveMinimum: 0, maximum: 1_000_000 }),
)

const settings = object(
  {
    /** The instant at which it starts; by default the system's. */
    now: optional(instant),
    /** By default `scaled` if there is a `scale`, else `offset` if there is a `now`, else `system`. */
    mode: optional(clockMode),
    /** How many sandbox seconds pass in a real second: above 0, at most 1,000,000; only with mode `scaled`. */
    scale: optional(clockScale),
  },
  { title: 'clock', example: '{ "now": "2030-12-04T23:59:00Z", "mode": "frozen" }' },
)

/** How a clock starts. */
export type ClockSettings = Given<typeof settings>

/** Parsed {@link ClockSettings}. */
export interface ClockStart {
  readonly now: number | undefined
  readonly mode: ClockMode
  readonly scale: number
}

/** How a clock starts by default: with the system's time. */
export const systemClock: ClockStart = { now: undefined, mode: 'system', scale: 1 }

/** A clock's settings, or the instant from which it runs on. */
export const clockStart: Schema<ClockSettings | Instant, ClockStart> = {
  use: `${settings.use}, or an instant`,
  describe: () => ({ anyOf: [instant.describe(), settings.describe()] }),
  read(found) {
    const isInstant = typeof found !== 'object' || found instanceof Date
    const { now, mode, scale } = isInstant
      ? { now: instant.read(found), mode: undefined, scale: undefined }
      : settings.read(found)
    const fitting = scale !== undefined ? 'scaled' : now !== undefined ? 'offset' : 'system'
    const start = { now, mode: mode ?? fitting, scale: scale ?? 1 }
    if (start.mode === 'system' && now !== undefined) {
      throw new Refusal(
        "mode system always shows the system's time; leave now out, or use mode offset, frozen or scaled",
        ['now'],
      )
    }
    if (start.mode !== 'scaled' && scale !== undefined) {
      throw new Refusal(`the mode is ${start.mode}; use mode scaled`, ['scale'])
    }
    return start
  },
  write: ({ now, mode, scale }) => ({
    mode,
    ...(now === undefined ? {} : { now: instant.write(now) }),
    ...(mode === 'scaled' ? { scale } : {}),
  }),
}

/** A clock in a snapshot. */
export const savedClock = object({
  mode: clockMode,
  scale: clockScale,
  baseAt: whole(0, lastInstantAt),
  anchorAt: whole(0, lastInstantAt),
})
