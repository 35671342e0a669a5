import { describe, expect, it } from 'vitest'
import { optionTexts } from '../../src/cli/command.ts'
import { serveOptions } from '../../src/cli/serve/serve-settings.ts'

describe('optionTexts()', () => {
  it.each([
    { given: { port: '80' }, texts: { port: '80' } },
    { given: { port: ['80', '81'] }, texts: { port: '81' } },
    { given: { gap: ['a=1', 'b=2'] }, texts: { gap: 'a=1,b=2' } },
    { given: { frozen: true }, texts: { frozen: 'true' } },
    { given: { frozen: false }, texts: { frozen: 'false' } },
    { given: { frozen: undefined, port: [] }, texts: {} },
    { given: { _: ['clock'], $0: 'petstore-sandbox', help: false }, texts: {} },
  ])('takes $texts from $given', ({ given, texts }) => {
    expect(optionTexts(serveOptions.properties, given, [])).toEqual(texts)
  })

  it.each([
    { argv: ['--frozen=1'], text: '1' },
    { argv: ['--frozen=true', '--frozen=maybe'], text: 'maybe' },
    { argv: ['--frozen=maybe', '\0--frozen=1'], text: 'maybe' },
  ])('has the text of a flag that yargs takes for false: $argv', ({ argv, text }) => {
    expect(optionTexts(serveOptions.properties, { frozen: false }, argv)).toEqual({ frozen: text })
  })
})
