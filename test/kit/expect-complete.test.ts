import { describe, expect, it } from 'vitest'
import { expectComplete } from './expect-complete.ts'

describe('expectComplete()', () => {
  it('accepts what is there in any order, and more than once', () => {
    expectComplete({ found: ['b', 'a', 'b'], needed: ['a', 'b'], what: 'a row', where: 'a.ts' })
  })

  it('says what to add and what to remove, and where', () => {
    const check = () =>
      expectComplete({ found: ['a', 404], needed: ['a', 'b'], what: 'a row', where: 'rows.ts' })
    expect(check).toThrow(
      'a row is missing: b; add it to rows.ts\na row has no use: 404; remove it from rows.ts',
    )
  })
})
