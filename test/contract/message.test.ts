import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeBody,
  endVisit,
  headersFrom,
  maxBodyBytes,
  serverStops,
  utf8Length,
} from '../../src/contract/message.ts'
import { anyCharacter } from '../kit/any-character.ts'

describe('headersFrom()', () => {
  it('gives values by lower-case name', () => {
    expect(headersFrom(['Content-Type', 'application/json', 'X-A', 'b'])).toEqual({
      'content-type': 'application/json',
      'x-a': 'b',
    })
  })

  it('joins what was sent twice, an empty value included', () => {
    const lines = ['Authorization', 'Bearer a', 'X-A', '', 'authorization', 'Bearer b', 'x-a', 'c']
    expect(headersFrom(lines)).toEqual({ authorization: 'Bearer a, Bearer b', 'x-a': ', c' })
  })

  it('takes header names that objects inherit for plain names', () => {
    expect(Object.entries(headersFrom(['constructor', 'a', 'toString', 'b']))).toEqual([
      ['constructor', 'a'],
      ['tostring', 'b'],
    ])
    expect(Object.getPrototypeOf(headersFrom(['__proto__', 'a']))).toBe(Object.prototype)
  })

  it.each([{ lines: [] }, { lines: ['x-a'] }])('gives no header for $lines', ({ lines }) => {
    expect(headersFrom(lines)).toEqual({})
  })
})

describe('decodeBody()', () => {
  it('decodes any text from UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(decodeBody(new TextEncoder().encode(text))).toEqual({ body: text })
      }),
    )
  })

  it.each([
    { what: 'a stray continuation', bytes: [0x80] },
    { what: 'an overlong slash', bytes: [0xc0, 0xaf] },
    { what: 'an encoded surrogate', bytes: [0xed, 0xa0, 0x80] },
    { what: 'a cut character', bytes: [0x22, 0xe2, 0x82] },
    { what: 'Latin-1', bytes: [0x22, 0x5a, 0x6f, 0xeb, 0x22] },
  ])('gives text that is no JSON for $what', ({ bytes }) => {
    expect(decodeBody(new Uint8Array(bytes))).toEqual({
      body: expect.stringMatching(/^\p{Surrogate}$/u),
      bodyBytes: bytes.length,
    })
  })

  it('keeps a byte order mark, which JSON does not have', () => {
    expect(decodeBody(new Uint8Array([0xef, 0xbb, 0xbf, 0x31]))).toEqual({ body: '\ufeff1' })
  })

  it('decodes a body of 1 MiB', () => {
    expect(decodeBody(new Uint8Array(maxBodyBytes).fill(0x61))).toEqual({
      body: 'a'.repeat(maxBodyBytes),
    })
  })

  it('decodes a larger one too, so that whoever reads it sees its size', () => {
    const bytes = new Uint8Array(maxBodyBytes + 1).fill(0x61)
    expect(utf8Length(decodeBody(bytes).body)).toBe(maxBodyBytes + 1)
  })
})

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
