import { describe, expect, it } from 'vitest'
import { type Arrived, finish, serverStops } from '../../../../src/mock/api/message.ts'

describe('finish()', () => {
  it.each([
    { what: 'stays', signal: new AbortController().signal, told: ['close 1'] },
    { what: 'has left', signal: AbortSignal.abort(), told: ['abort 1'] },
    { what: 'is left by the server', signal: AbortSignal.abort(serverStops), told: ['close 1'] },
  ])('notes how a request ends whose client $what', ({ signal, told }) => {
    const heard: string[] = []
    const arrivals = {
      arrive: () => ({ startOrder: 1 }),
      close: ({ startOrder }: Arrived) => heard.push(`close ${startOrder}`),
      abort: ({ startOrder }: Arrived) => heard.push(`abort ${startOrder}`),
    }
    const handle = () => Promise.reject(new TypeError('Cannot handle'))
    finish({ handle, arrivals }, arrivals.arrive(), signal)
    expect(heard).toEqual(told)
    expect(() => finish({ handle }, undefined, signal)).not.toThrow()
  })
})
