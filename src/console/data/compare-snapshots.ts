import { isRecord } from '../../mock/input/record.ts'
import { formatInstant } from '../../mock/input/values.ts'
import { toJson } from '../../mock/spec/json.ts'

/** Parts of a snapshot that change with every request and don't help users. */
const noise: readonly string[] = ['requests', 'random', 'lastOrder', 'order', 'seen']

/** Formats a snapshot as lines to compare: one list item per line, without noise, with formatted instants. */
export function comparable(snapshot: unknown): string {
  const lines: string[] = []
  const write = (value: unknown, place: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) lines.push(`${place}: ${lineOf(item)}`)
    } else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (!noise.includes(name))
          write(worded(name, member), place === '' ? name : `${place}.${name}`)
      }
    } else lines.push(`${place}: ${lineOf(value)}`)
  }
  write(snapshot, '')
  return lines.join('\n')
}

function lineOf(value: unknown): string {
  if (!isRecord(value)) return toJson(value) ?? ''
  const members = Object.entries(value).flatMap(([name, member]) =>
    noise.includes(name) ? [] : [`${name} ${toJson(worded(name, member))}`],
  )
  return members.join(', ')
}

function worded(name: string, value: unknown): unknown {
  return name.endsWith('At') && typeof value === 'number' ? formatInstant(value) : value
}

/** Returns short descriptions of the changes between two snapshots: `pets +2`, `clock`. */
export function changesBetween(before: unknown, after: unknown): readonly string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return Object.keys(after).flatMap((part) => {
    if (part === 'requests') return countChange('requests', before[part], after[part])
    if (comparable(before[part]) === comparable(after[part])) return []
    const counted = countChange(part, before[part], after[part])
    return counted.length === 0 ? [part === 'quotas' ? 'quotas used' : part] : counted
  })
}

function countChange(what: string, before: unknown, after: unknown): readonly string[] {
  const by = lengthOf(after) - lengthOf(before)
  return by === 0 ? [] : [`${what} ${by > 0 ? '+' : '−'}${Math.abs(by)}`]
}

function lengthOf(part: unknown): number {
  const list = isRecord(part) ? part.list : part
  return Array.isArray(list) ? list.length : 0
}

/** Formats a capture as lines to compare: each request with its outcome, and each control call. */
export function requestLines(capture: unknown): string {
  const steps = isRecord(capture) && Array.isArray(capture.steps) ? capture.steps : []
  return steps.filter(isRecord).map(stepLine).join('\n')
}

function stepLine({ name, request, outcome }: Readonly<Record<string, unknown>>): string {
  if (!isRecord(request) || !isRecord(outcome)) return `control ${name}`
  return `${request.method} ${request.url} → ${outcome.status ?? outcome.kind}`
}
