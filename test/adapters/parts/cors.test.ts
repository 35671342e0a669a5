import { describe, expect, it } from 'vitest'
import { isKeptBack, preflightLines } from '../../../src/adapters/parts/cors.ts'
import { endpoints } from '../../../src/mock/spec/endpoints.ts'

const origin = 'https://shop.test'
const methods = [...Object.values(endpoints).map(({ method }) => method), 'HEAD']

describe('preflightLines()', () => {
  it('allows the methods of all operations, and HEAD', () => {
    const lines = preflightLines({ method: 'OPTIONS', headers: { origin } })
    const allowed = lines[lines.indexOf('Access-Control-Allow-Methods') + 1]
    expect(allowed).toBe('GET, HEAD, POST')
    expect(new Set(allowed?.split(', '))).toEqual(new Set(methods))
  })
})

describe('isKeptBack()', () => {
  it.each([
    ...methods.map((method) => ({ method, target: 'https://api.test', isKept: false })),
    { method: 'DELETE', target: 'https://api.test', isKept: true },
    { method: 'DELETE', target: origin, isKept: false },
  ])('$method from https://shop.test to $target: $isKept', ({ method, target, isKept }) => {
    const request = { method, url: '/v1/pets', headers: { origin }, body: '' }
    expect(isKeptBack(request, target)).toBe(isKept)
  })
})
