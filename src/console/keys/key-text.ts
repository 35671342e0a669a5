import type { Gaps, KeyView } from '../live/live-store.ts'
import type { Tone } from '../parts/badge.tsx'

/** How each state of a key is shown. */
export const stateTones: Readonly<Record<KeyView['state'], Tone>> = {
  active: 'good',
  exhausted: 'limited',
  banned: 'broken',
  expired: 'warning',
  revoked: 'error',
}

/** How far a key is from being banned. */
interface WayToBan {
  readonly refused: number
  /** The number of refusals in one window that bans; `undefined` where none does. */
  readonly bansAt: number | undefined
  readonly text: string
}

/** Says how many refusals a key has had, and how many ban it (spec 8). */
export function wayToBan({ minute, day }: KeyView, gaps: Gaps | undefined): WayToBan {
  const refused = Math.max(minute.refused, day.refused)
  const banAfter = gaps?.banAfter
  if (typeof banAfter !== 'number') {
    return { refused, bansAt: undefined, text: `${countText(refused)}; none bans it` }
  }
  const bansAt = banAfter + 1
  return { refused, bansAt, text: `${countText(refused)}, banned at ${numberText(bansAt)}` }
}

function countText(refused: number): string {
  return refused === 0 ? 'none' : numberText(refused)
}

/** Writes a number with its thousands apart. */
export function numberText(count: number): string {
  return count.toLocaleString('en')
}

/** When a key next changes by itself, in Unix milliseconds: a window resets, a ban ends, it expires. */
export function nextChangeAt(
  { minute, day, bannedUntil, expiresAt }: KeyView,
  now: number,
): number {
  const instants = [minute.resetAt, day.resetAt, bannedUntil, expiresAt]
  const later = instants.map((at) => Date.parse(at ?? '')).filter((at) => at > now)
  return Math.min(...later)
}
