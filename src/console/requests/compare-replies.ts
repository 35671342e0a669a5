import { diffArrays } from 'diff'
import type { OtherReply } from '../../control/reports.ts'
import { readableBody } from '../model/entry-text.ts'

/** A line of one reply beside the line of another; `undefined` where one has none. */
export interface LinePair {
  readonly before: string | undefined
  readonly instead: string | undefined
}

/** Says how two lines stand to each other. */
export function kindOfPair({ before, instead }: LinePair) {
  if (before === instead) return 'same'
  if (before === undefined) return 'only-instead'
  return instead === undefined ? 'only-before' : 'differs'
}

/** Two replies beside each other. */
export interface ComparedReplies {
  /** What became of the request, header by header, and the lines of the bodies, if they are alike. */
  readonly pairs: readonly LinePair[]
  /** The bodies, if less than half of one stands in the other. */
  readonly bodies: LinePair | undefined
}

/** Puts two replies beside each other. */
export function compareReplies(before: OtherReply, instead: OtherReply): ComparedReplies {
  const head = [
    { before: outcomeLine(before), instead: outcomeLine(instead) },
    ...pairHeaders(before, instead),
  ]
  const bodies = {
    before: readableBody(before.body ?? ''),
    instead: readableBody(instead.body ?? ''),
  }
  const lines = pairLines(linesOf(bodies.before), linesOf(bodies.instead))
  const alike = lines.filter((pair) => kindOfPair(pair) === 'same').length
  if (2 * alike >= lines.length) return { pairs: [...head, ...lines], bodies: undefined }
  return { pairs: head, bodies }
}

const outcomeWords = {
  reply: 'status',
  'broken-reply': 'broken off, status',
  disconnect: 'cut off',
  timeout: 'no answer',
} as const

function outcomeLine({ kind, status }: OtherReply): string {
  return status === undefined ? outcomeWords[kind] : `${outcomeWords[kind]} ${status}`
}

function pairHeaders({ headers: before = {} }: OtherReply, { headers: instead = {} }: OtherReply) {
  const lineOf = (name: string, value: string | undefined): string | undefined =>
    value === undefined ? undefined : `${name}: ${value}`
  return Object.keys({ ...before, ...instead })
    .sort()
    .map((name) => ({ before: lineOf(name, before[name]), instead: lineOf(name, instead[name]) }))
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/** Pairs the lines that are the same in both, in order, and what stands between them by its place. */
export function pairLines(before: string[], instead: string[]): readonly LinePair[] {
  const changes = diffArrays(before, instead)
  return changes.flatMap(({ value, added, removed }, index) => {
    // What has come in place of lines is told after these, and stands beside them.
    if (added) return changes[index - 1]?.removed ? [] : besideEachOther([], value)
    if (!removed) return besideEachOther(value, value)
    const next = changes[index + 1]
    return besideEachOther(value, next?.added ? next.value : [])
  })
}

function besideEachOther(before: readonly string[], instead: readonly string[]): LinePair[] {
  const length = Math.max(before.length, instead.length)
  return Array.from({ length }, (_, at) => ({ before: before[at], instead: instead[at] }))
}

/** A pair, or how many equal ones are left out in its place. */
export type ShownPair = LinePair | { readonly left: number }

/** How many equal lines are shown beside a difference. */
const context = 3

/** Leaves out what is the same in both, but for a few lines beside each difference. */
export function shortened(pairs: readonly LinePair[]): readonly ShownPair[] {
  const shown: ShownPair[] = []
  let left = 0
  pairs.forEach((pair, at) => {
    const near = pairs.slice(Math.max(0, at - context), at + context + 1)
    if (near.every((one) => kindOfPair(one) === 'same')) {
      left++
      return
    }
    if (left > 0) shown.push({ left })
    left = 0
    shown.push(pair)
  })
  return left > 0 ? [...shown, { left }] : shown
}
