import { toJson } from '../../mock/api/json.ts'
import { isRecord } from '../../mock/input/record.ts'
import { formatInstant } from '../../mock/input/values.ts'

/** Bookkeeping in a snapshot: parts that change with every request, or only say how others are stored. */
const noise: ReadonlySet<string> = new Set([
  'requests',
  'random',
  'lastOrder',
  'lastId',
  'order',
  'seen',
  'anchorAt',
  'startAt',
])

/** Formats a snapshot as lines to compare: one list item per line, without noise, with formatted instants. */
export function comparable(snapshot: unknown): string {
  const lines: string[] = []
  const write = (value: unknown, place: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) lines.push(`${place}: ${lineOf(item)}`)
    } else if (isRecord(value)) {
      for (const [name, member] of shownMembers(value)) {
        write(member, place === '' ? name : `${place}.${name}`)
      }
    } else lines.push(`${place}: ${lineOf(value)}`)
  }
  write(snapshot, '')
  return lines.join('\n')
}

/** Formats a value on one line; records within it are in parentheses. */
function lineOf(value: unknown): string {
  if (!isRecord(value)) return toJson(value) ?? ''
  const members = shownMembers(value).map(([name, member]) =>
    isRecord(member) ? `${name} (${lineOf(member)})` : `${name} ${lineOf(member)}`,
  )
  return members.join(', ')
}

/**
 * Returns the members of a record without noise, with instants as text; leaves out the instant 0 of a clock that follows
 * the system.
 */
function shownMembers(value: Readonly<Record<string, unknown>>): readonly [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const isInstant = name.endsWith('At') && typeof member === 'number'
    if (noise.has(name) || (isInstant && member === 0)) return []
    return [[name, isInstant ? formatInstant(member) : member]]
  })
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

function stepLine({ name, given, request, outcome }: Readonly<Record<string, unknown>>): string {
  if (isRecord(request) && isRecord(outcome)) {
    return `${request.method} ${request.url} → ${outcome.status ?? outcome.kind}`
  }
  const args = Array.isArray(given) ? given.map(argumentText) : []
  return `control ${name} ${args.join(', ')}`.trim()
}

/** Maximum length of an argument: a whole snapshot is one, too. */
const maxArgument = 80

function argumentText(given: unknown): string {
  const text = typeof given === 'string' ? given : lineOf(given)
  return text.length > maxArgument ? `${text.slice(0, maxArgument)}…` : text
}
