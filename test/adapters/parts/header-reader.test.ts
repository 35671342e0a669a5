import { describe, expect, it } from 'vitest'
import { HeaderReader } from '../../../src/adapters/parts/node/answer-request.ts'

describe('HeaderReader', () => {
  it('reads each request by its own lines, whichever came before', () => {
    const reader = new HeaderReader()
    const requests = [
      ['Host', 'a', 'Authorization', 'Bearer one'],
      ['Host', 'a', 'Authorization', 'Bearer two'],
      ['Host', 'a', 'AUTHORIZATION', 'Bearer two'],
      ['Authorization', 'Bearer one', 'Host', 'a'],
      ['Host', 'a'],
      ['Host', 'a', 'Authorization', 'Bearer one'],
      [],
    ]
    const tokens = requests.map((lines) => reader.read(lines).authorization)
    const [one, two] = ['Bearer one', 'Bearer two']
    expect(tokens).toEqual([one, two, two, one, undefined, one, undefined])
  })

  it('tells apart what has the same values under other names', () => {
    const reader = new HeaderReader()
    reader.read(['Host', 'a', 'Authorization', 'Bearer one'])
    expect(reader.read(['Host', 'a', 'X-Authorization', 'Bearer one'])).toEqual({
      host: 'a',
      'x-authorization': 'Bearer one',
    })
  })

  it.each([
    { what: 'changed', change: (lines: string[]) => lines.fill('b', 3) },
    { what: 'taken away', change: (lines: string[]) => lines.splice(0) },
  ])('goes by what lines were, though they are $what later', ({ change }) => {
    const reader = new HeaderReader()
    const lines = ['Host', 'a', 'Authorization', 'Bearer one']
    reader.read(lines)
    change(lines)
    expect(reader.read(['Host', 'a', 'Authorization', 'b']).authorization).toBe('b')
    expect(reader.read(['Host', 'a', 'X-B', 'c']).authorization).toBeUndefined()
  })

  it('gives headers that nobody can change for the next request', () => {
    const headers = new HeaderReader().read(['Host', 'a'])
    expect(() => Object.assign(headers, { host: 'b' })).toThrow(TypeError)
  })

  it('reads the same lines once', () => {
    const reader = new HeaderReader()
    const lines = ['Host', 'a', 'X-B', 'c']
    expect(reader.read([...lines])).toBe(reader.read([...lines]))
    expect(reader.read(lines)).toEqual({ host: 'a', 'x-b': 'c' })
  })

  it('keeps nothing of a request with very many lines', () => {
    const reader = new HeaderReader()
    const lines = Array.from({ length: 2_000 }, (_, index) => `x-${index}`)
    expect(reader.read(lines)).not.toBe(reader.read(lines))
    expect(reader.read(lines)).toEqual(reader.read(lines))
  })
})
