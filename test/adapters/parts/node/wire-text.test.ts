import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LatestWireText, wireText } from '../../../../src/adapters/parts/node/wire-text.ts'

const texts = [
  { what: 'nothing', text: '' },
  { what: 'ASCII', text: '{"name":"Rex"}' },
  { what: 'characters of two bytes', text: '{"name":"Zoë"}' },
  { what: 'characters of three and four bytes', text: '{"name":"たま🐢"}' },
  { what: 'half a pair', text: '{"name":"\ud83d"}' },
]

function bytesOf(wire: string): number[] {
  return [...wire].map((character) => character.charCodeAt(0))
}

describe('wireText()', () => {
  it.each(texts)('gives the bytes of $what', ({ text }) => {
    expect(bytesOf(wireText(text))).toEqual([...new TextEncoder().encode(text)])
  })
})

describe('LatestWireText', () => {
  it('gives the bytes of each text, whichever came before', () => {
    const latest = new LatestWireText()
    for (const { text } of [
      ...texts,
      ...texts.toReversed(),
      ...texts.flatMap((one) => [one, one]),
    ]) {
      expect(bytesOf(latest.of(text))).toEqual([...new TextEncoder().encode(text)])
    }
  })

  it('encodes a page once, whatever ASCII is sent in between', () => {
    const encode = vi.spyOn(Buffer, 'from')
    onTestFinished(() => encode.mockRestore())
    const latest = new LatestWireText()
    for (const text of ['[{"name":"Zoë"}]', '[]', '[{"name":"Zoë"}]']) latest.of(text)
    expect(encode).toHaveBeenCalledTimes(1)
  })
})
