import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endVisit, serverStops, utf8Length } from '../../src/contract/message.ts'

describe('utf8Length()', () => {
  it.each([
    { text: '\ud800\udc00', bytes: 4 },
    { text: '\udbff\udfff', bytes: 4 },
    { text: '\ud7ff\ue000', bytes: 6 },
    { text: '\u007f\u0080\u07ff\u0800', bytes: 8 },
  ])('counts $bytes bytes at the edges of $text', ({ text, bytes }) => {
    expect(utf8Length(text)).toBe(bytes)
  })

  it('counts the bytes that TextEncoder writes at the edges of what is a pair', () => {
    const edges = [0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff]
    const texts = edges.flatMap((one) => edges.map((other) => String.fromCharCode(one, other)))
    expect(texts.map(utf8Length)).toEqual(
      texts.map((text) => new TextEncoder().encode(text).length),
    )
  })

  it('counts the bytes that TextEncoder writes, lone surrogates included', () => {
    const unit = fc.oneof(
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
      fc.constantFrom('\ud83d', '\ude00', '\ud83d\ude00', '\u007f', '\u0080', '\u07ff', '\u0800'),
    )
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
      }),
      { numRuns: 1_000 },
    )
  })
})

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
