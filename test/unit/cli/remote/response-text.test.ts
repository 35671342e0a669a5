import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { entryLine } from '../../../../src/cli/remote/response-text.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

/** Shows a rejected request on a terminal of a width, or in a file where there is none. */
async function shown(columns?: number): Promise<string> {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({ url: '/v1/pets?limit=300', key: 'banned-key' }))
  const [entry] = sandbox.requests.list()
  if (entry === undefined) throw new Error('Cannot show the request: the request log is empty')
  return entryLine(entry, Object.assign(new PassThrough(), { columns }) as never)
}

const facts = '#1  2026-01-01 00:00:00  GET  /v1/pets?limit=300  bann…  0/60 left'
const start = '429: Cannot serve the request: the API key is banned, as this key is set up'
const end = 'in the sandbox; retry at 2026-01-01T00:05:00Z; spec 8'

describe('entryLine()', () => {
  it('is a line, for files and for wide terminals', async () => {
    const line = `${facts}  ${start} ${end}`
    expect(await shown()).toBe(line)
    expect(await shown(line.length)).toBe(line)
  })

  it('has the reason below where a terminal is too narrow', async () => {
    expect(await shown(80)).toBe(`${facts}\n   ${start}\n   ${end}`)
  })
})
