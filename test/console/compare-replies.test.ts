import { describe, expect, it } from 'vitest'
import {
  compareReplies,
  kindOfPair,
  type LinePair,
  pairLines,
  shortened,
} from '../../src/console/requests/compare-replies.ts'

/** Pairs in short: `a` for the same, `a|b` for others, `.` for none. */
function inShort(pairs: readonly LinePair[]): string {
  const text = ({ before = '.', instead = '.' }: LinePair): string =>
    before === instead ? before : `${before}|${instead}`
  return pairs.map(text).join(' ')
}

describe('pairLines()', () => {
  it.each([
    { before: 'a b c', instead: 'a b c', pairs: 'a b c' },
    { before: 'a b c', instead: 'c', pairs: 'a|. b|. c' },
    { before: 'a b', instead: 'x y z', pairs: 'a|x b|y .|z' },
    { before: 'a b c d', instead: 'b d e', pairs: 'a|. b c|. d .|e' },
  ])('makes "$pairs" of "$before" and "$instead"', ({ before, instead, pairs }) => {
    const lines = (text: string): string[] => text.split(' ').filter(Boolean)
    expect(inShort(pairLines(lines(before), lines(instead)))).toBe(pairs)
  })
})

describe('compareReplies()', () => {
  it('pairs what became of the request, headers by their name, and bodies by their lines', () => {
    const { pairs, bodies } = compareReplies(
      {
        kind: 'reply',
        status: 429,
        headers: { b: '1', a: '1' },
        body: '{"status":429,"code":"x"}',
      },
      {
        kind: 'reply',
        status: 403,
        headers: { c: '1', a: '2' },
        body: '{"status":403,"code":"x"}',
      },
    )
    expect(inShort(pairs)).toBe(
      'status 429|status 403 a: 1|a: 2 b: 1|. .|c: 1 {   "status": 429,|  "status": 403,   "code": "x" }',
    )
    expect(bodies).toBe(undefined)
    const kinds = pairs.slice(1, 5).map(kindOfPair)
    expect(kinds).toEqual(['differs', 'only-before', 'only-instead', 'same'])
  })

  it('knows requests without a reply', () => {
    const { pairs } = compareReplies({ kind: 'disconnect' }, { kind: 'timeout' })
    expect(inShort(pairs)).toBe('cut off|no answer')
  })

  it('leaves both whole where less than half of one stands in the other', () => {
    const { pairs, bodies } = compareReplies(
      { kind: 'reply', status: 400, body: '{"code":"invalid_request","status":400}' },
      { kind: 'reply', status: 200, body: '[{"id":1},{"id":2}]' },
    )
    expect(inShort(pairs)).toBe('status 400|status 200')
    expect(bodies?.before).toBe('{\n  "code": "invalid_request",\n  "status": 400\n}')
    expect(bodies?.instead).toContain('  {\n    "id": 1\n  },')
  })
})

describe('shortened()', () => {
  it('leaves out what is the same, but for three lines beside each difference', () => {
    const pairs = pairLines([...'0123456789'], [...'01234x6789'])
    expect(shortened(pairs)).toEqual([{ left: 2 }, ...pairs.slice(2, 9), { left: 1 }])
    expect(shortened(pairLines(['a'], ['a']))).toEqual([{ left: 1 }])
  })
})
