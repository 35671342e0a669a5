import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { startServer } from '../../../../src/server/start-server.ts'
import { libraries } from './clients/libraries.ts'
import { type LibraryClient, plainFetch } from './clients/web-libraries.ts'

/** Time until the minute begins anew, as Retry-After says it, in milliseconds. */
const restMs = 2_000

/** Sends a list, and waits as long as Retry-After may say where the library gives up. */
async function listPatiently(client: LibraryClient): Promise<void> {
  await client.list().catch(() => sleep(restMs + 500))
}

/** Manners of a client that is polite by its library, or by what is built around it. */
const manners: Readonly<Record<string, (client: LibraryClient) => Promise<unknown>>> = {
  'one list': listPatiently,
  'a pool of three': (client) => Promise.all([1, 2, 3].map(() => listPatiently(client))),
  'a queue': async (client) => {
    for (let sent = 0; sent < 4; sent++) await listPatiently(client)
  },
  'a person who clicks again once the page says so': async (client) => {
    await listPatiently(client)
    await sleep(400)
    await listPatiently(client)
  },
  'a cache that refreshes after some jitter': async (client) => {
    for (const pauseMs of [0, 130, 70]) {
      await sleep(pauseMs)
      await listPatiently(client)
    }
  },
}

/** Libraries with settings that wait as long as Retry-After says, or don't retry. */
const polite = [
  plainFetch,
  ...libraries.filter(({ name, settings }) => {
    const needsHelp = ['ofetch', 'p-retry', 'TanStack Query'].includes(name)
    if (needsHelp) return settings.includes('Retry-After')
    return settings !== 'default' || name !== 'axios-retry'
  }),
]

const clients = polite.flatMap((library) =>
  Object.entries(manners).map(([manner, act]) => ({ library, manner, act })),
)

/** Keeps the event loop busy for most of the time. */
function keepBusy(): () => void {
  const timer = setInterval(() => {
    const until = performance.now() + 60
    while (performance.now() < until);
  }, 80)
  return () => clearInterval(timer)
}

it.each([
  { name: 'on a quiet machine', all: clients, isBusy: false },
  { name: 'beside a busy loop', all: clients.filter((_, index) => index % 9 === 0), isBusy: true },
])('finds nothing of polite clients of many libraries, $name', async ({ all, isBusy }) => {
  const stop = isBusy ? keepBusy() : () => {}
  const found = await Promise.all(
    all.map(async ({ library, manner, act }) => {
      const clock = { now: '2026-01-01T00:00:58Z', mode: 'scaled', speed: 1 } as const
      const sandbox = createSandbox({ clock })
      await sandbox.findings()
      const { url, close } = await startServer({ sandbox, port: 0 })
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      const client = library.connect({
        url: `${url}/v1`,
        headers: { Authorization: 'Bearer free-key' },
        signal: AbortSignal.timeout(30_000),
      })
      await act(client).finally(close)
      expect(sandbox.requests.list().some(({ why }) => why.startsWith('429'))).toBe(true)
      const findings = await sandbox.findings()
      return findings.map(
        ({ severity, rule }) =>
          `${severity} ${rule}: ${library.name}, ${library.settings}, ${manner}`,
      )
    }),
  )
  stop()
  expect(all.length).toBeGreaterThanOrEqual(isBusy ? 6 : 40)
  expect(new Set(all.map(({ library }) => library.name)).size).toBeGreaterThanOrEqual(
    isBusy ? 5 : 9,
  )
  expect(found.flat().filter((one) => !one.startsWith('info'))).toEqual([])
})
