import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogateCount = 0x800

/**
 * Any character but half of a pair: the `binary` unit of fast-check, which makes a table of them all in each process, for
 * two seconds and in 130 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - surrogateCount)
  .map(
    (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogateCount),
    indexOf,
  )

/** The way back, by which fast-check finds out that its dangerous texts, such as `__proto__`, may come, too. */
function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined
  if (code === undefined || character !== String.fromCodePoint(code)) {
    throw new TypeError('Cannot draw this again: it is no single character')
  }
  return code < firstSurrogate ? code : code - surrogateCount
}
