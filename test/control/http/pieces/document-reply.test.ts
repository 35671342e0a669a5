import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toJson } from '../../../../src/contract/json/json.ts'
import {
  arrayPieces,
  documentReply,
  valuePieces,
} from '../../../../src/control/http/pieces/document-reply.ts'
import { paceOf } from '../../../../src/state/clock/pace.ts'

/** Counts the turns that others have while a document is made, each of whose pieces takes some milliseconds. */
async function turnsOf(pieces: number, ms: number): Promise<number> {
  let now = 0
  function* document(): Generator<string> {
    for (let made = 0; made < pieces; made++) {
      now += ms
      yield '1'
    }
  }
  let turns = 0
  const nextTurn = async (): Promise<void> => {
    turns++
  }
  const reply = await documentReply(
    200,
    {},
    document(),
    paceOf(nextTurn, () => now),
  )
  expect(reply).toMatchObject({ kind: 'reply', body: '1'.repeat(pieces) })
  return turns
}

/** Makes a reply of some pieces, and reads what is sent of it. */
async function sent(pieces: readonly string[], wholeLength: number) {
  const reply = await documentReply(201, { a: 'b' }, pieces, () => undefined, wholeLength)
  expect(reply).toMatchObject({ status: 201, headers: { a: 'b' } })
  const found: string[] = []
  if (reply.kind === 'reply') found.push(reply.body)
  else for await (const piece of reply.pieces) found.push(piece)
  expect(found.join('')).toBe(pieces.join(''))
  return { kind: reply.kind, lengths: found.map(({ length }) => length) }
}

const long = 65_536

describe('documentReply()', () => {
  it.each([
    { pieces: 1_000, ms: 0, turns: 0 },
    { pieces: 100, ms: 3, turns: 33 },
    { pieces: 10, ms: 7, turns: 5 },
    { pieces: 10, ms: 8, turns: 10 },
  ])('lets others have $turns turns in $pieces pieces of $ms ms', async ({ pieces, ms, turns }) => {
    expect(await turnsOf(pieces, ms)).toBe(turns)
  })

  it.each([
    { pieces: 1, wholeLength: 0, kind: 'reply' },
    { pieces: 2, wholeLength: 0, kind: 'stream' },
    { pieces: 3, wholeLength: 3 * long, kind: 'reply' },
    { pieces: 3, wholeLength: 3 * long - 1, kind: 'stream' },
  ])(
    'is a $kind of $pieces long pieces where $wholeLength characters may be sent as a whole',
    async ({ pieces, wholeLength, kind }) => {
      expect(await sent(Array(pieces).fill('x'.repeat(long)), wholeLength)).toMatchObject({ kind })
    },
  )

  it('joins pieces until they are worth the way', async () => {
    const pieces = [long - 1, 1, 0, long, 1, long - 2, 5, 7].map((length) => 'x'.repeat(length))
    const { lengths } = await sent(pieces, 0)
    expect(lengths).toEqual([long, long, long + 4, 7])
  })
})

describe('valuePieces()', () => {
  it('gives the JSON of any value', () => {
    const any = fc.anything({
      maxDepth: 6,
      values: [fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.bigInt()],
    })
    fc.assert(
      fc.property(any, (value) => {
        expect([...valuePieces({ value })].join('')).toBe(toJson({ value }))
      }),
    )
  })

  it.each([
    { value: { left: undefined, out: [] } },
    { value: { of: new Date(0) } },
    { value: [{}, [], [[[[[{ deep: 2n ** 62n }]]]]]] },
  ])('gives that of $value, too', ({ value }) => {
    expect([...valuePieces(value)].join('')).toBe(toJson(value))
  })
})

describe('arrayPieces()', () => {
  it.each([
    { items: [], json: '[]' },
    { items: [undefined], json: '[]' },
    { items: [undefined, 1, undefined, { a: 2n ** 62n }], json: '[1,{"a":4611686018427387904}]' },
  ])('gives $json, with a piece for each item', ({ items, json }) => {
    const pieces = [...arrayPieces(items)]
    expect(pieces.join('')).toBe(json)
    expect(pieces).toHaveLength(items.length + 1)
  })
})
