import { isRecord } from '../../src/mock/input/record.ts'

const names = ['real', 'host', 'tick', 'receivedMs', 'endedMs', '_receivedMs', '_endedMs']

/** A value without the real times in it, which differ from run to run. */
export function withoutRealTime(value: unknown): unknown {
  return without(value, names)
}

/** A value without some properties, wherever they are in it. */
export function without(value: unknown, left: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, left))
  if (!isRecord(value) || value instanceof Date) return value
  const kept = Object.entries(value).filter(([name]) => !left.includes(name))
  return Object.fromEntries(kept.map(([name, part]) => [name, without(part, left)]))
}
