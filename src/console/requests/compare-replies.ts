import type { OtherReply } from '../../control/reports.ts'
import { readableBody } from '../model/entry-text.ts'

/** A line of one reply beside the line of another; `undefined` where one has none. */
export interface LinePair {
  readonly before: string | undefined
  readonly instead: string | undefined
}

/** How two lines stand to each other. */
export type PairKind = 'same' | 'differs' | 'only-before' | 'only-instead'

/** Says how two lines stand to each other. */
export function kindOfPair({ before, instead }: LinePair): PairKind {
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
    ...pairHeaders(before.headers ?? {}, instead.headers ?? {}),
  ]
  const lines = pairLines(bodyLines(before), bodyLines(instead))
  const alike = lines.filter((pair) => kindOfPair(pair) === 'same').length
  if (2 * alike >= lines.length) return { pairs: [...head, ...lines], bodies: undefined }
  const [one, other] = [bodyLines(before).join('\n'), bodyLines(instead).join('\n')]
  return { pairs: head, bodies: { before: one, instead: other } }
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

type Headers = Readonly<Record<string, string>>

function pairHeaders(before: Headers, instead: Headers): readonly LinePair[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(instead)])].sort()
  const lineOf = (headers: Headers, name: string): string | undefined =>
    headers[name] === undefined ? undefined : `${name}: ${headers[name]}`
  return names.map((name) => ({ before: lineOf(before, name), instead: lineOf(instead, name) }))
}

function bodyLines({ body = '' }: OtherReply): readonly string[] {
  return body === '' ? [] : readableBody(body).split('\n')
}

/** Beyond this, lines are paired by their place: to find the best pairs would take too long. */
const mostCells = 1_000_000

/** Pairs the lines that are the same in both, in order, and what stands between them by its place. */
export function pairLines(
  before: readonly string[],
  instead: readonly string[],
): readonly LinePair[] {
  const isSmall = before.length * instead.length <= mostCells
  const common = isSmall ? commonPlaces(before, instead) : []
  const pairs: LinePair[] = []
  let from: Place = [0, 0]
  for (const place of [...common, [before.length, instead.length] as const]) {
    const [at, other] = place
    const gone = before.slice(from[0], at)
    const come = instead.slice(from[1], other)
    for (let step = 0; step < Math.max(gone.length, come.length); step++) {
      pairs.push({ before: gone[step], instead: come[step] })
    }
    if (at < before.length) pairs.push({ before: before[at], instead: instead[other] })
    from = [at + 1, other + 1]
  }
  return pairs
}

type Place = readonly [before: number, instead: number]

/** Where a longest common subsequence stands in both. */
function commonPlaces(before: readonly string[], instead: readonly string[]): readonly Place[] {
  const width = instead.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  const lengthAt = (at: number, other: number): number => lengths[at * width + other] ?? 0
  for (let at = before.length - 1; at >= 0; at--) {
    for (let other = instead.length - 1; other >= 0; other--) {
      lengths[at * width + other] =
        before[at] === instead[other]
          ? lengthAt(at + 1, other + 1) + 1
          : Math.max(lengthAt(at + 1, other), lengthAt(at, other + 1))
    }
  }
  const places: Place[] = []
  for (let at = 0, other = 0; at < before.length && other < instead.length; ) {
    if (before[at] === instead[other]) {
      places.push([at, other])
      at++
      other++
    } else if (lengthAt(at + 1, other) >= lengthAt(at, other + 1)) at++
    else other++
  }
  return places
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
