import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawTerminal } from '../../../scripts/terminal/draw-terminal.ts'
import { recordTerminal } from '../../../scripts/terminal/record-terminal.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

/** What a picture shows, but for how long requests took, and where lines break. */
function textIn(picture: string): string {
  const text = picture.replace(/<style>[\s\S]*<\/style>|<[^>]*>|\s/g, '')
  return text.replace(/\d+\.\dms/g, '…ms')
}

it('docs/terminal.svg shows what the program prints; scripts/draw-terminal.ts draws it anew', async () => {
  const committed = readFileSync(new URL('../../../docs/terminal.svg', import.meta.url), 'utf8')
  expect(textIn(drawTerminal(await recordTerminal()))).toBe(textIn(committed))
})
