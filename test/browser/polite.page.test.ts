import fc from 'fast-check'
import { setupWorker } from 'msw/browser'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createHandlers } from '../../src/adapters/msw.ts'
import { sendByFetch } from '../kit/fetch-adapter.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { movedTime } from '../kit/polite-client.ts'
import { anyScene, expectNoComplaint, optionsOf, play } from '../kit/polite-scenes.ts'

it('finds nothing of polite clients in a page, and what a rude one there does', async () => {
  const worker = setupWorker()
  await worker.start({ quiet: true })
  onTestFinished(() => worker.stop())
  const seed = inject('testSeed')
  const send = sendByFetch((url, init) => fetch(url, init), location.origin)
  for (const scene of fc.sample(anyScene, { numRuns: 5, seed })) {
    const sandbox = frozenSandbox(optionsOf(scene))
    await sandbox.findings()
    worker.resetHandlers(...createHandlers(sandbox))
    const stage = { time: movedTime(sandbox), connect: () => send, isApart: false }
    await play({ ...scene, tasks: scene.tasks.slice(0, 12) }, sandbox, stage)
    await expectNoComplaint(sandbox, { seed, scene })
  }

  const sandbox = frozenSandbox()
  worker.resetHandlers(...createHandlers(sandbox))
  const headers = { authorization: 'Bearer free-key' }
  await send({ method: 'GET', url: '/v1/pets?api_key=free-key', headers, body: '' })
  const errors = (await sandbox.findings()).filter(({ severity }) => severity === 'error')
  expect(errors.map(({ rule }) => rule)).toEqual(['key-in-url'])
})
