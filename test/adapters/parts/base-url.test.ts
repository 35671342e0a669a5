import { describe, expect, it } from 'vitest'
import { basePattern } from '../../../src/adapters/parts/base-url.ts'

describe('basePattern()', () => {
  it.each([
    { baseUrl: undefined, url: 'http://localhost:5173/v1/pets', base: 'http://localhost:5173/v1' },
    { baseUrl: undefined, url: 'https://a.test/v1?limit=1', base: 'https://a.test/v1' },
    { baseUrl: '/api/v1/', url: 'https://a.test/api/v1/pets', base: 'https://a.test/api/v1' },
    { baseUrl: '/', url: 'https://a.test/pets', base: 'https://a.test' },
    { baseUrl: 'https://a.test/v1', url: 'https://a.test/v1', base: 'https://a.test/v1' },
    { baseUrl: 'https://A.test:443/v1/', url: 'https://a.test/v1/pets', base: 'https://a.test/v1' },
    { baseUrl: ['https://a.test/v1', '/v2'], url: 'http://b.test/v2/', base: 'http://b.test/v2' },
  ])('finds the base address $base of $url', ({ baseUrl, url, base }) => {
    expect(basePattern(baseUrl).exec(url)?.[0]).toBe(base)
  })

  it.each([
    { baseUrl: undefined, url: 'https://a.test/v10/pets' },
    { baseUrl: undefined, url: 'https://a.test/app/v1/pets' },
    { baseUrl: undefined, url: 'https://a.test/?next=/v1' },
    { baseUrl: 'https://a.test/v1', url: 'https://a-test/v1/pets' },
    { baseUrl: 'https://a.test/v1', url: 'http://a.test/v1/pets' },
    { baseUrl: 'https://a.test/v1', url: 'https://a.test:8443/v1/pets' },
    { baseUrl: [], url: 'https://a.test/v1/pets' },
  ])('leaves $url alone at $baseUrl', ({ baseUrl, url }) => {
    expect(basePattern(baseUrl).test(url)).toBe(false)
  })

  it.each(['api', 'ftp://a.test/v1', 'https://a.test/v1?key=1', 'https://a.test/v1#pets', ''])(
    'refuses %j',
    (baseUrl) => {
      expect(() => basePattern(baseUrl)).toThrow('Cannot set the base URL: found')
    },
  )
})
