import { InputError, isRecord, parseWhole, refuseUnknown, show } from '../input/input-error.ts'

/** How many requests a window admits. */
export interface Limits {
  readonly minute: number
  readonly day: number
}

/** The plans; `custom` is agreed for each key (spec 8). */
export const plans = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
  enterprise: 'custom',
} as const satisfies Record<string, Limits | 'custom'>

export type Plan = keyof typeof plans

/** The windows that each request spends from, with their length (spec 8). */
export const windowsMs = { minute: 60_000, day: 86_400_000 } as const

/** The largest limit that a window can have. */
export const maxLimit = 1_000_000_000

/** A number for each window, such as limits or remaining requests. */
export interface PerWindow {
  readonly minute?: number
  readonly day?: number
}

/**
 * Reads `{ minute, day }`, either one left out for "as it is".
 *
 * @throws {@link InputError}
 */
export function parsePerWindow(value: unknown, least: number, what: string): PerWindow {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot set ${what}: found ${show(value)}; use an object such as { "minute": 60, "day": 1000 }`,
    )
  }
  refuseUnknown(value, Object.keys(windowsMs), what)
  const { minute, day } = value
  return {
    ...(minute === undefined
      ? {}
      : { minute: parseWhole(minute, least, maxLimit, `${what}.minute`) }),
    ...(day === undefined ? {} : { day: parseWhole(day, least, maxLimit, `${what}.day`) }),
  }
}
