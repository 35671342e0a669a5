import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spellingsOf } from '../../../src/state/redactor/spellings.ts'

/** Bytes, each as a character, as btoa() has them. */
const anyBytes = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 7 })
  .map((bytes) => String.fromCharCode(...bytes))

const anySecret = fc.stringMatching(/^[A-Za-z0-9\-._~+/]{6,20}$/)

describe('spellingsOf()', () => {
  it('has what stands in the base64 of any text with the secret in it, and in that of URLs', () => {
    fc.assert(
      fc.property(anySecret, anyBytes, anyBytes, (secret, before, after) => {
        const base64 = btoa(before + secret + after)
        const ofUrls = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
        const spellings = spellingsOf(secret)
        for (const text of [before + secret + after, base64, ofUrls]) {
          expect(spellings.filter((one) => text.includes(one))).not.toEqual([])
        }
      }),
    )
  })

  it('leaves no more of a secret than the bits in the digits at its ends', () => {
    fc.assert(
      fc.property(anySecret, (secret) => {
        const [plain, ...base64] = spellingsOf(secret)
        expect(plain).toBe(secret)
        for (const one of base64) {
          expect((one.length * 6) / 8).toBeGreaterThan(secret.length - 2)
          expect(one).toMatch(/^[A-Za-z0-9+/_-]+$/)
        }
      }),
    )
  })

  it('is a secret itself where it has characters that base64 has none for', () => {
    expect(spellingsOf('\u732b-key')).toEqual(['\u732b-key'])
    expect(spellingsOf('\xff-key').length).toBeGreaterThan(1)
  })
})
