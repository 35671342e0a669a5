import { describe, expect, it } from 'vitest'
import { minimizeCapture, replayCapture } from '../../../../src/checks/replay/replay-capture.ts'
import { parseJson, toJson } from '../../../../src/mock/api/json.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'
import { captureFile, type ReadCapture } from '../../../../src/sandbox/controls/reports.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

async function captureOf(sandbox: Sandbox, from = '', to = ''): Promise<ReadCapture> {
  const text = toJson(await sandbox.capture())
  return readInput(captureFile, parseJson(text.replaceAll(from, to)))
}

async function minimized(capture: ReadCapture, maxSteps?: number) {
  const { difference } = await replayCapture(capture)
  if (difference === undefined) throw new Error('Cannot minimize: nothing differs')
  return await minimizeCapture(capture, difference, maxSteps)
}

/** Rejects a key until it is banned, with much else before and between. */
async function bannedSandbox(): Promise<Sandbox> {
  const sandbox = frozenSandbox({ gaps: { banAfter: 2 } })
  for (let sent = 0; sent < 20; sent++) await send(sandbox, { key: 'pro-key' })
  sandbox.pets.create({ name: 'Ada', categoryId: 1 })
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  for (let sent = 0; sent < 5; sent++) {
    await send(sandbox)
    await send(sandbox, { url: '/v1/pets/1', key: 'business-key' })
  }
  return sandbox
}

describe('minimizeCapture()', () => {
  it('leaves what a response needs to be another one than it was', async () => {
    const sandbox = await bannedSandbox()
    sandbox.pets.update(2, { name: 'Moritz' })
    await send(sandbox, { url: '/v1/pets/2', key: 'pro-key' })
    await send(sandbox, { key: 'pro-key' })
    const capture = await captureOf(sandbox, '\\"name\\":\\"Moritz', '\\"name\\":\\"Max')
    const { capture: small, difference } = await minimized(capture)
    expect(small.steps).toMatchObject([
      { name: 'pets.update' },
      { request: { url: '/v1/pets/2' }, outcome: { headers: { 'x-ratelimit-remaining': '299' } } },
    ])
    expect(difference).toMatchObject({ number: 31, changes: [{ field: 'body' }] })
    expect((await replayCapture(small)).difference).toEqual(difference)
  })

  it('leaves out all but the requests that lead to a ban that is another one now', async () => {
    const capture = await captureOf(await bannedSandbox(), 'key_banned', 'key_blocked')
    const { capture: small, difference, isSmallest } = await minimized(capture)
    expect(isSmallest).toBe(true)
    expect(small.steps).toMatchObject([
      { do: 'control', name: 'keys.setRemaining' },
      { do: 'request', outcome: { status: 429 } },
      { do: 'request', outcome: { status: 429 } },
      { do: 'request', number: difference.number, outcome: { status: 429 } },
    ])
  })

  it('ends in time, and says that there may be less', async () => {
    const capture = await captureOf(await bannedSandbox(), 'key_banned', 'key_blocked')
    const { difference, isSmallest } = await minimized(capture, 50)
    expect(isSmallest).toBe(false)
    expect(difference.changes).toHaveLength(1)
  })
})
