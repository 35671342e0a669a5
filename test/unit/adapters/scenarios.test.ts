import express from 'express'
import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it } from 'vitest'
import { createMiddleware } from '../../../src/adapters/express.ts'
import { createHandlers } from '../../../src/adapters/msw.ts'
import { type ScenarioName, scenarioNames } from '../../../src/sandbox/controls/scenarios.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { sendDirectly } from '../../kit/client-adapters.ts'
import { sendByFetch } from '../../kit/fetch-adapter.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { openServer } from '../../kit/open-server.ts'
import type { ClientReply, Send } from '../../kit/polite-client.ts'
import { requestOf, type TestRequest } from '../../kit/send.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
})

/** Ways to send to a sandbox; a broken connection is `undefined`. */
const ways: Readonly<Record<string, (sandbox: Sandbox) => Promise<Send>>> = {
  directly: async (sandbox) => sendDirectly(sandbox),
  async 'over MSW in Node'(sandbox) {
    const server = setupServer(...createHandlers(sandbox))
    server.listen()
    cleanups.push(() => server.close())
    return sendByFetch((url, init) => fetch(url, init))
  },
  async 'over Express'(sandbox) {
    const server = await openServer(express().use('/v1', createMiddleware(sandbox)))
    cleanups.push(() => server.close())
    return sendByFetch((url, init) => fetch(url, init), server.url)
  },
}

/** A client in a scenario. */
interface Met {
  readonly sandbox: Sandbox
  send(request?: TestRequest): Promise<ClientReply | undefined>
  status(request?: TestRequest): Promise<number | undefined>
}

/** Sends, and lets the sandbox's time go on once its fault is applied. */
async function sendAndWait({ sandbox, send }: Met, time: string) {
  const sent = send()
  await expect.poll(() => sandbox.faults.list()[0]?.applied).toBe(1)
  sandbox.clock.advance(time)
  return sent
}

const petsOf = (reply?: ClientReply): { readonly name: string }[] => JSON.parse(reply?.body ?? '')

/** What a client meets in each scenario, as its row says. */
const met: Readonly<Record<ScenarioName, (client: Met) => Promise<void>>> = {
  async empty({ send }) {
    expect(petsOf(await send())).toEqual([])
  },
  async crowded({ send }) {
    const names = petsOf(await send({ url: '/v1/pets?limit=100' })).map(({ name }) => name)
    expect(names).toHaveLength(100)
    expect(new Set(names.map((name) => name.length))).toContain(1_000)
    expect(names.join()).toMatch(/🐕‍🦺.*ريكس.*<script>/)
  },
  async slow(client) {
    expect((await sendAndWait(client, '3s'))?.status).toBe(200)
    expect(client.sandbox.requests.last()?.durationMs).toBe(3_000)
  },
  async hanging(client) {
    const sent = sendAndWait(client, '1h')
    await expect.poll(() => client.sandbox.clock.read().now).toBe('2026-01-01T01:00:00Z')
    client.sandbox.reset()
    expect(await sent).toBeUndefined()
  },
  async unreachable({ send }) {
    expect(await send()).toBeUndefined()
  },
  async down({ status }) {
    expect([await status(), await status()]).toEqual([503, 503])
  },
  async flaky({ status }) {
    const statuses = new Set<number | undefined>()
    for (let sent = 0; sent < 200; sent++) statuses.add(await status({ key: 'business-key' }))
    expect(statuses).toEqual(new Set([200, 503, undefined]))
  },
  async unreadable({ send }) {
    const reply = await send()
    expect(reply?.status).toBe(200)
    expect(() => petsOf(reply)).toThrow(SyntaxError)
  },
  async 'minute-exhausted'({ sandbox, status }) {
    expect(await status()).toBe(429)
    sandbox.clock.advance('1m')
    expect(await status()).toBe(200)
  },
  async 'day-exhausted'({ sandbox, status }) {
    expect(await status()).toBe(429)
    sandbox.clock.advance('1h')
    expect(await status()).toBe(429)
    sandbox.clock.advance('1d')
    expect(await status()).toBe(200)
  },
  async banned({ sandbox, send, status }) {
    expect(JSON.parse((await send())?.body ?? '').code).toBe('key_banned')
    sandbox.clock.advance(sandbox.gaps.banDuration)
    expect(await status()).toBe(200)
  },
  async 'key-expired'({ status }) {
    expect([await status(), await status({ key: 'pro-key' })]).toEqual([401, 401])
  },
  async 'key-revoked'({ status }) {
    expect([await status(), await status({ key: 'pro-key' })]).toEqual([401, 401])
  },
  async 'headers-hidden'({ send }) {
    const reply = await send({ headers: { origin: 'https://shop.test' } })
    expect(reply?.headers).toHaveProperty('x-ratelimit-limit')
    expect(reply?.headers).not.toHaveProperty('access-control-expose-headers')
  },
  async 'sunset-tomorrow'({ send }) {
    const reply = await send({ url: '/v1/pets/1' })
    expect([reply?.status, reply?.headers.date]).toEqual([200, 'Wed, 04 Dec 2030 00:00:00 GMT'])
  },
  async 'sunset-passed'({ status }) {
    expect([await status({ url: '/v1/pets/1' }), await status()]).toEqual([404, 200])
  },
}

describe.each(Object.entries(ways))('A client that sends %s', (_, open) => {
  it.each(scenarioNames)('meets in %s what its row says', async (name) => {
    const sandbox = frozenSandbox({ randomSeed: 1 })
    const way = await open(sandbox)
    const send: Met['send'] = (request = {}) => way(requestOf(request))
    sandbox.scenario(name)
    await met[name]({ sandbox, send, status: async (request) => (await send(request))?.status })
  })
})
