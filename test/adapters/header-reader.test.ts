import { describe, expect, it } from 'vitest'
import { HeaderReader } from '../../src/adapters/header-reader.ts'

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
