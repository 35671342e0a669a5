import { describe, expect, it } from 'vitest'
import {
  type HowToReplay,
  minimizeCapture,
  replayCapture,
} from '../../../src/checks/replay/replay-capture.ts'
import { captureFile, type ReadCapture } from '../../../src/mock/controls/reports.ts'
import { readInput } from '../../../src/mock/input/schema.ts'
import type { Sandbox } from '../../../src/mock/sandbox.ts'
import { parseJson, toJson } from '../../../src/mock/spec/json.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

async function captureOf(sandbox: Sandbox, from = '', to = ''): Promise<ReadCapture> {
  const text = toJson(await sandbox.capture())
  return readInput(captureFile, parseJson(text.replaceAll(from, to)))
}

async function minimized(capture: ReadCapture, how: HowToReplay = {}, mostSteps?: number) {
  const { difference } = await replayCapture(capture, how)
  if (difference === undefined) throw new Error('Cannot minimize: nothing differs')
  return await minimizeCapture(capture, difference, how, mostSteps)
}

/** Refuses a key until it is banned, with much else before and between. */
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
  it('leaves what another choice needs to show first', async () => {
    const how = { other: { banStatus: 403 } } as const
    const capture = await captureOf(await bannedSandbox())
    const { capture: small, difference, isSmallest } = await minimized(capture, how)
    expect(small.steps).toMatchObject([
      { do: 'control', name: 'keys.setRemaining' },
      { do: 'request', outcome: { status: 429 } },
      { do: 'request', outcome: { status: 429 } },
      { do: 'request', outcome: { status: 429 } },
    ])
    const [, , , last] = small.steps
    expect(last).toMatchObject({ number: difference.number })
    expect(isSmallest).toBe(true)
    expect((await replayCapture(small)).difference).toBeUndefined()
    expect((await replayCapture(small, how)).difference).toEqual(difference)
  })

  it('leaves what a reply needs to be another one than it was', async () => {
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

  it('ends in time, and says that there may be less', async () => {
    const how = { other: { banStatus: 403 } } as const
    const capture = await captureOf(await bannedSandbox())
    const { capture: small, difference, isSmallest } = await minimized(capture, how, 50)
    expect(isSmallest).toBe(false)
    expect((await replayCapture(small, how)).difference).toEqual(difference)
  })
})
