import type { Span } from './lanes.ts'

/** A part of the axis. */
export interface Piece extends Span {
  readonly left: number
  readonly right: number
  /** Whether nothing happened for so long that the time is folded up. */
  readonly isFolded: boolean
}

/** Where instants stand on an axis; time in which nothing happens is folded up. */
export interface TimeScale extends Span {
  readonly pieces: readonly Piece[]
  /** The place of an instant; of one beyond the axis, its end. */
  xOf(at: number): number
  /** The instant at a place. */
  atOf(x: number): number
}

/** What is shorter is never folded. */
const foldedFromMs = 120_000

/**
 * Makes an axis on which all instants have room.
 *
 * @param instants What happened when, in any order; at least one.
 * @param width In pixels.
 */
export function timeScale(instants: readonly number[], width: number): TimeScale {
  const sorted = [...new Set(instants)].sort((one, other) => one - other)
  const first = sorted[0] ?? 0
  // A moment alone stands in the middle of a second.
  const points = sorted.length > 1 ? sorted : [first - 500, first + 500]
  const pieces = placed(piecesOf(points), width)
  return {
    from: points[0] ?? 0,
    to: points.at(-1) ?? 0,
    pieces,
    xOf: (at) => {
      const piece = pieces.find(({ to }) => at <= to)
      if (piece === undefined) return width
      const { from, to, left, right } = piece
      return at <= from ? left : left + ((at - from) / (to - from)) * (right - left)
    },
    atOf: (x) => {
      const { from, to, left, right } = pieces.find((one) => x <= one.right) ??
        pieces.at(-1) ?? { from: 0, to: 0, left: 0, right: 1 }
      const share = Math.max(0, Math.min(1, (x - left) / (right - left)))
      return Math.round(from + share * (to - from))
    },
  }
}

/** How far spans end from each other that are drawn, in pixels. */
const apart = 8

/** Those of several spans, by time, that are on an axis and can be told apart there. */
export function drawable<Some extends Span>(
  spans: readonly Some[],
  scale: TimeScale,
): readonly Some[] {
  let last = Number.NEGATIVE_INFINITY
  return spans.filter(({ from, to }) => {
    const x = scale.xOf(to)
    if (to < scale.from || from > scale.to || Math.abs(x - last) < apart) return false
    last = x
    return true
  })
}

/** Parts an axis where nothing happened for much longer than what did happen took. */
function piecesOf(points: readonly number[]): readonly (Span & { readonly isFolded: boolean })[] {
  const gaps = points.slice(1).map((at, index) => at - (points[index] ?? at))
  const isIdle = (gap: number): boolean => {
    if (gap < foldedFromMs) return false
    const busy = sumOf(gaps.filter((other) => other < gap / 4))
    return busy > 0 && gap > busy / 3
  }
  // Of many gaps there are few lengths.
  const idle = new Set([...new Set(gaps)].filter(isIdle))
  const pieces: (Span & { readonly isFolded: boolean })[] = []
  gaps.forEach((gap, index) => {
    const from = points[index] ?? 0
    const to = points[index + 1] ?? 0
    const last = pieces.at(-1)
    if (idle.has(gap)) pieces.push({ from, to, isFolded: true })
    else if (last?.isFolded === false) pieces.splice(-1, 1, { ...last, to })
    else pieces.push({ from, to, isFolded: false })
  })
  return pieces
}

/** Gives each piece its place: time that is folded up gets a tenth of the rest, or less where there is much of it. */
function placed(
  pieces: readonly (Span & { readonly isFolded: boolean })[],
  width: number,
): readonly Piece[] {
  const busy = sumOf(pieces.map(({ from, to, isFolded }) => (isFolded ? 0 : to - from)))
  const folds = pieces.filter(({ isFolded }) => isFolded).length
  const foldMs = busy * Math.min(0.1, 1 / Math.max(folds, 1))
  const pixelsPerMs = width / (busy + folds * foldMs)
  let left = 0
  return pieces.map((piece) => {
    const lengthMs = piece.isFolded ? foldMs : piece.to - piece.from
    const right = left + lengthMs * pixelsPerMs
    const one = { ...piece, left, right }
    left = right
    return one
  })
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
