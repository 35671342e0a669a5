import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../src/contract/json/json.ts'
import { parseInPieces } from '../../../../src/control/http/pieces/parse-in-pieces.ts'
import { InputError } from '../../../../src/input/input-error.ts'

/** Parses a text, and counts the turns that others had. */
async function parsed(text: string) {
  let turns = 0
  const value = await parseInPieces(text, async () => {
    turns++
  })
  return { value, turns }
}

describe('parseInPieces()', () => {
  it('gives what parseJson() gives', async () => {
    const json = fc.json({ maxDepth: 6 })
    await fc.assert(
      fc.asyncProperty(json, async (text) => {
        expect((await parsed(text)).value).toEqual(parseJson(text))
      }),
    )
  })

  it.each([
    '[9007199254740993,{"a":-9007199254740993}]',
    '{"__proto__":{"polluted":1},"constructor":2}',
    '{"a":1,"a":{"b":2},"a":[3]}',
    '{"a":[],"b":{},"c":[[]],"d":[{"e":[{}]}]}',
    ' "text" ',
  ])('reads %s as parseJson() does', async (text) => {
    const { value } = await parsed(text)
    expect(value).toEqual(parseJson(text))
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  it('gives way after each 64 KiB', async () => {
    const { value, turns } = await parsed(JSON.stringify(Array(40_000).fill({ name: 'Rex' })))
    expect(value).toHaveLength(40_000)
    expect(turns).toBe(Math.ceil((40_000 * 15 + 40_001) / 65_536))
  })

  it.each(['', '[1', '{"a" 1}', '[1]]', '[01]'])('refuses %j, which is not JSON', async (text) => {
    await expect(parsed(text)).rejects.toThrow(SyntaxError)
  })

  it.each([
    { what: 'an object', most: 1_000, of: (members: string) => `{${members}}` },
    { what: 'an object in a list', most: 1_000, of: (members: string) => `[{${members}}]` },
    { what: 'what is deep', most: 20_000, of: (members: string) => `[[[{${members}}]]]` },
  ])('refuses $what with more than $most properties', async ({ most, of }) => {
    const members = Array.from({ length: most }, (_, index) => `"p${index}":":"`)
    await parsed(of(members.join()))
    const asked = parsed(of([...members, '"one":"more"'].join()))
    await expect(asked).rejects.toThrow(InputError)
    await expect(asked).rejects.toThrow(`more than ${most} properties; send fewer`)
  })
})
