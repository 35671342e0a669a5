import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBody, headersFrom, maxBodyBytes } from '../../../../../src/mock/api/http.ts'
import { utf8Length } from '../../../../../src/mock/api/message.ts'
import { anyCharacter } from '../../../../kit/any-character.ts'
import { Sometimes } from '../../../../kit/sometimes.ts'

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
    const sometimes = new Sometimes('a character of four bytes', 'one byte each')
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(decodeBody(new TextEncoder().encode(text))).toEqual({ body: text })
        sometimes.meet({
          'a character of four bytes': /[\u{10000}-\u{10ffff}]/u.test(text),
          'one byte each': utf8Length(text) === text.length,
        })
      }),
    )
    sometimes.expectAllMet()
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
