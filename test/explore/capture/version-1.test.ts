import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseJson } from '../../../src/contract/int64.ts'
import { captureFile } from '../../../src/control/reports/capture-file.ts'
import { replayCapture } from '../../../src/explore/capture/replay-capture.ts'
import { readInput } from '../../../src/input/schema.ts'

const file = new URL('../../../fixtures/captures/version-1.petstore.json', import.meta.url)

// Never change the file: whatever becomes of the format, files that people have are to be read. Where a reply is another
// one on purpose, expect that here.
it('reads and replays a capture of version 1', async () => {
  const capture = readInput(captureFile, parseJson(readFileSync(file, 'utf8')))
  expect(await replayCapture(capture)).toEqual({ exchanges: 16, difference: undefined })
})
