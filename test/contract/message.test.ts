import { describe, expect, it } from 'vitest'
import { endVisit, serverStops } from '../../src/contract/message.ts'

describe('endVisit()', () => {
  it.each([
    { what: 'stays', owner: new AbortController().signal, told: ['end'] },
    { what: 'has left', owner: AbortSignal.abort(), told: ['leave'] },
    { what: 'is left by the server', owner: AbortSignal.abort(serverStops), told: ['end'] },
  ])('says how a visit ends whose client $what', ({ owner, told }) => {
    const heard: string[] = []
    endVisit({ end: () => heard.push('end'), leave: () => heard.push('leave') }, owner)
    expect(heard).toEqual(told)
    expect(() => endVisit(undefined, owner)).not.toThrow()
  })
})
