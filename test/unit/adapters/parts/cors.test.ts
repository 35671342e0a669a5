import { describe, expect, it } from 'vitest'
import { isKeptBack, preflightLines } from '../../../../src/adapters/parts/cors.ts'
import { endpoints } from '../../../../src/mock/api/endpoints.ts'
import { defaultGaps } from '../../../../src/mock/api/gaps.ts'

const noCors = { ...defaultGaps, cors: 'none' }
const origin = 'https://shop.test'
const methods = [...Object.values(endpoints).map(({ method }) => method), 'HEAD']

describe('preflightLines()', () => {
  it('allows the methods of all operations, and HEAD', () => {
    const lines = preflightLines({ method: 'OPTIONS', headers: { origin } }, defaultGaps)
    const allowed = lines[lines.indexOf('Access-Control-Allow-Methods') + 1]
    expect(allowed).toBe('GET, HEAD, POST')
    expect(new Set(allowed?.split(', '))).toEqual(new Set(methods))
  })

  it('allows nothing where the server knows no CORS', () => {
    const lines = preflightLines({ method: 'OPTIONS', headers: { origin } }, noCors)
    expect(lines).toEqual([])
  })
})

describe('isKeptBack()', () => {
  it.each([
    ...methods.map((method) => ({
      method,
      target: 'https://api.test',
      values: defaultGaps,
      isKept: false,
    })),
    { method: 'GET', target: 'https://api.test', values: noCors, isKept: true },
    { method: 'GET', target: origin, values: noCors, isKept: false },
    { method: 'DELETE', target: 'https://api.test', values: defaultGaps, isKept: true },
    { method: 'DELETE', target: origin, values: defaultGaps, isKept: false },
  ])(
    '$method from https://shop.test to $target with cors=$values.cors: $isKept',
    ({ method, target, values, isKept }) => {
      const request = { method, url: '/v1/pets', headers: { origin }, body: '' }
      expect(isKeptBack(request, target, values)).toBe(isKept)
    },
  )
})
