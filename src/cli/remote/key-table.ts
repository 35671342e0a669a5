import type { KeyView } from '../../control/views/key-view.ts'
import { cut } from '../terminal/cut.ts'
import { printable } from '../terminal/printable.ts'
import { formatTable } from '../terminal/table.ts'
import { timeLeft } from './answer-sentences.ts'

/** How many characters of a key are shown, be there room for them or not. */
const shortestKey = 12

/**
 * Shows keys, with the requests they have left, by the clock of their sandbox.
 *
 * @param width The columns there are; longer keys are cut. By default none is.
 */
export function keyTable(
  keys: readonly KeyView[],
  now: string,
  width: number = Number.POSITIVE_INFINITY,
): string {
  if (keys.length === 0) return 'None'
  const isExpiring = keys.some(willExpire)
  const cells = keys.map((key) => [
    key.plan,
    stateText(key, now),
    `${key.minute.remaining}/${key.minute.limit}`,
    `${key.day.remaining}/${key.day.limit}`,
    ...(isExpiring ? [willExpire(key) ? (key.expiresAt ?? '') : ''] : []),
  ])
  const heads = ['Plan', 'State', 'This minute', 'Today', ...(isExpiring ? ['Expires'] : [])]
  const rest = formatTable([heads, ...cells]).split('\n')
  const room = Math.max(shortestKey, width - Math.max(...rest.map(({ length }) => length)) - 2)
  const names = ['Key', ...keys.map(({ key }) => cut(printable(key), room))]
  const keyWidth = Math.max(...names.map(({ length }) => length))
  return names.map((name, index) => `${name.padEnd(keyWidth)}  ${rest[index]}`).join('\n')
}

function willExpire({ state, expiresAt }: KeyView): boolean {
  return expiresAt !== undefined && state !== 'expired'
}

function stateText({ state, bannedUntil, minute, day }: KeyView, now: string): string {
  if (bannedUntil !== undefined && state === 'banned') return `banned ${timeLeft(bannedUntil, now)}`
  if (state !== 'exhausted') return state === 'active' ? 'served' : state
  const end = day.remaining > 0 ? minute.resetAt : day.resetAt
  return `used up ${timeLeft(end, now)}`
}
