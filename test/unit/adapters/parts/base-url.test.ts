import { describe, expect, it } from 'vitest'
import { apiPath, basePattern, baseUrlOption } from '../../../../src/adapters/parts/base-url.ts'
import { object } from '../../../../src/mock/input/object.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'

const options = object({ baseUrl: baseUrlOption, basePath: apiPath })

/** The pattern of a base URL that a caller gives. */
function patternOf(baseUrl: string | readonly string[] | undefined): RegExp {
  return basePattern(readInput(options, { baseUrl, basePath: '/v1' }).baseUrl)
}

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
    expect(patternOf(baseUrl).exec(url)?.[0]).toBe(base)
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
    expect(patternOf(baseUrl).test(url)).toBe(false)
  })

  it.each(['api', 'ftp://a.test/v1', 'https://a.test/v1?key=1', 'https://a.test/v1#pets', ''])(
    'rejects %j',
    (baseUrl) => {
      expect(() => patternOf(baseUrl)).toThrow(
        `Cannot set baseUrl: found ${JSON.stringify(baseUrl)}; use a URL such as https://api.example.com/v1, or a path such as /v1`,
      )
    },
  )

  it('says which of several can not be used', () => {
    expect(() => patternOf(['/v1', 'api'])).toThrow('Cannot set baseUrl[1]: found "api"; use a URL')
  })
})

describe('baseUrlOption', () => {
  it.each([
    { given: undefined, written: undefined },
    { given: '/', written: '/' },
    { given: '/api/v1/', written: '/api/v1' },
    { given: 'HTTPS://A.test:443/v1/', written: 'https://a.test/v1' },
    { given: ['/v1', 'https://a.test'], written: ['/v1', 'https://a.test'] },
  ])('is written down so that it reads alike: $given', ({ given, written }) => {
    const read = readInput(options, { baseUrl: given, basePath: '/' })
    expect(options.encode(read)).toEqual({ basePath: '/', baseUrl: written ?? '/v1' })
    expect(readInput(options, options.encode(read))).toEqual(read)
  })
})
