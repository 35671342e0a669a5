import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../../src/mock/api/endpoints.ts'
import { parseGaps } from '../../../../src/mock/api/gaps.ts'
import { readQuery } from '../../../../src/mock/engine/operations/operation.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

describe('readQuery()', () => {
  it.each([
    { query: '', expected: {} },
    { query: 'limit=5&status=sold', expected: { limit: '5', status: 'sold' } },
    { query: 'limit=%35&status=so%6Cd', expected: { limit: '5', status: 'sold' } },
    { query: 'limit=a+b', expected: { limit: 'a b' } },
    { query: 'limit', expected: { limit: '' } },
    { query: '&&limit=5&', expected: { limit: '5' } },
    { query: 'limit=5?status=sold', expected: { limit: '5?status=sold' } },
    { query: 'Limit=5&__proto__=1&limit[]=2', expected: {} },
    { query: 'limit=%zz', expected: { limit: '%zz' } },
  ])('reads "$query"', ({ query, expected }) => {
    const values = readQuery(query, endpoints.listPets, parseGaps({}))
    expect(Object.fromEntries(values)).toEqual(expected)
  })

  it('reads a query of which nothing is encoded as URLSearchParams does', () => {
    const piece = fc.constantFrom(
      'limit=5&',
      'limit',
      'status',
      'a',
      '=',
      '&',
      '5',
      '-',
      '.',
      '_',
      '~',
    )
    const sometimes = new Sometimes('a name twice', 'a name without a value')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30, size: 'max' }), (pieces) => {
        const query = pieces.join('')
        const gaps = parseGaps({ duplicateQuery: 'last' })
        const all = [...new URLSearchParams(query)]
        expect(Object.fromEntries(readQuery(query, endpoints.listPets, gaps))).toEqual(
          Object.fromEntries(all.filter(([name]) => name === 'limit' || name === 'status')),
        )
        sometimes.meet({
          'a name twice': all.filter(([name]) => name === 'limit').length > 1,
          'a name without a value': all.some(([, value]) => value === ''),
        })
      }),
    )
    sometimes.expectAllMet()
  })

  it('names the parameter that there is not, and those that there are', () => {
    const gaps = parseGaps({ unknownQuery: 'reject' })
    expect(() => readQuery('limit=5&offset=20', endpoints.listPets, gaps)).toThrow(
      `Cannot use query parameter "offset": it is unknown; use ${endpoints.listPets.query.join(', ')}`,
    )
    expect(() => readQuery('limit=5', endpoints.getPet, gaps)).toThrow(
      'Cannot use query parameter "limit": it is unknown; this operation takes none',
    )
  })

  it('names the parameter that is given more than once', () => {
    expect(() => readQuery('limit=5&limit=5', endpoints.listPets, parseGaps({}))).toThrow(
      'Cannot use limit: it is given more than once; send it once',
    )
  })
})
