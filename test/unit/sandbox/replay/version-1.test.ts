import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseJson } from '../../../../src/mock/api/json.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'
import { captureFile } from '../../../../src/sandbox/controls/captures.ts'
import { replayCapture } from '../../../../src/sandbox/replay/replay-capture.ts'

// Never change the files: whatever becomes of the format, files that people have are to be read. Where a reply is another
// one on purpose, expect that here.
it.each([
  { name: 'version-1', requests: 16 },
  // It begins in the middle.
  { name: 'version-1-later', requests: 6 },
])('reads and replays the capture $name', async ({ name, requests }) => {
  const file = new URL(`../../../../fixtures/captures/${name}.petstore.json`, import.meta.url)
  const capture = readInput(captureFile, parseJson(readFileSync(file, 'utf8')))
  expect(await replayCapture(capture)).toEqual({ requests, difference: undefined })
})
