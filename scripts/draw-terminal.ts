/** Draws docs/terminal.svg: what the program prints when it starts, and for a few requests. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawTerminal } from './terminal/draw-terminal.ts'
import { recordTerminal } from './terminal/record-terminal.ts'

const file = fileURLToPath(new URL('../docs/terminal.svg', import.meta.url))
writeFileSync(file, drawTerminal(await recordTerminal()))
