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
    // What a page sends at once queues in the worker, and may look like a retry.
    await expectNoComplaint(sandbox, { seed, scene }, {}, 'retry-too-early')
  }

  const sandbox = frozenSandbox()
  worker.resetHandlers(...createHandlers(sandbox))
  const headers = { authorization: 'Bearer free-key' }
  await send({ method: 'GET', url: '/v1/pets?api_key=free-key', headers, body: '' })
  const errors = (await sandbox.findings()).filter(({ severity }) => severity === 'error')
  expect(errors.map(({ rule }) => rule)).toEqual(['key-in-url'])
})

const list = {
  method: 'GET',
  url: '/v1/pets',
  headers: { authorization: 'Bearer free-key' },
  body: '',
}

/** Handles a page's requests with a sandbox whose minute is exhausted, and gives what it finds of them. */
async function findingsIn(act: (send: () => Promise<unknown>) => Promise<unknown>) {
  const worker = setupWorker()
  await worker.start({ quiet: true })
  onTestFinished(() => worker.stop())
  const sandbox = frozenSandbox()
  await sandbox.findings()
  worker.resetHandlers(...createHandlers(sandbox))
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  const send = sendByFetch((url, init) => fetch(url, init), location.origin)
  await act(() => send(list))
  const findings = await sandbox.findings()
  return findings.map(({ severity, rule }) => `${severity} ${rule}`)
}

it.each([
  { pauseMs: 0, severity: 'warning' },
  { pauseMs: 30, severity: 'warning' },
  { pauseMs: 100, severity: 'error' },
  { pauseMs: 249, severity: 'error' },
  { pauseMs: 251, severity: 'error' },
])('finds retries $pauseMs ms after a 429 in a page (S1)', async ({ pauseMs, severity }) => {
  const found = await findingsIn(async (send) => {
    for (let sent = 0; sent < 3; sent++) {
      await send()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })
  expect(found).toContain(`${severity} retry-too-early`)
})

it('finds no error where parts of a page request the same at once', async () => {
  const found = await findingsIn((send) => Promise.all([send(), send(), send(), send()]))
  // They queue in the worker, and may look like a retry.
  expect(found.filter((one) => one !== 'warning retry-too-early')).toEqual([])
})
