import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiRequest } from '../../../../src/mock/api/message.ts'
import type { RequestView } from '../../../../src/mock/log/request-view.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'

/** Any key that is too long to stand in another text by chance, or in the beginning that is shown of it. */
const anyKey = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9\-._~+/]{6,60}$/), fc.constantFrom('', '=', '=='))
  .map(([start, end]) => `~k${start}${end}`)

const anyKeys = fc.uniqueArray(anyKey, { minLength: 1, maxLength: 4 })

function everyCharacterEncoded(text: string): string {
  return [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')
}

const authorizations: readonly ((key: string, other: string) => string)[] = [
  (key) => `Bearer ${key}`,
  (key) => `bearer    ${key}   `,
  (key) => `Basic ${key}`,
  (key) => key,
  (key) => `${key} x`,
  (key) => `Bearer ${key},`,
  (key, other) => `Bearer ${key}, Bearer ${other}`,
  (key, other) => `Bearer ${key} ${other}`,
  (key, other) => `Token token="${key}", ${other}`,
]

const urls: readonly ((key: string) => string)[] = [
  (key) => `/v1/pets?api_key=${key}`,
  (key) => `/v1/pets?api_key=${encodeURIComponent(key)}`,
  (key) => `/v1/pets?${everyCharacterEncoded(key)}=1`,
  (key) => `/v1/pets?limit=${key}&status=${key}`,
  (key) => `/v1/pets/${key}`,
  (key) => `/v1/pets/${encodeURIComponent(key)}`,
  (key) => `/v1/${key}/${key}`,
  (key) => `http://${key}@host/v1/pets`,
  (key) => `/v1/pets/${everyCharacterEncoded(key)}`,
]

const bodies: readonly ((key: string) => string)[] = [
  (key) => `{"name":"${key}","categoryId":1}`,
  (key) => `{"name":"Rex","categoryId":"${key}"}`,
  (key) => `{"name":"Rex","categoryId":1,"${key}":"${key}"}`,
  (key) => `api_key=${encodeURIComponent(key)}`,
  (key) => `next=${encodeURIComponent(`/?api_key=${key}`)}`,
  (key) => JSON.stringify({ name: JSON.stringify({ key }) }),
  (key) => `${key} ${key}`,
]

const anyIndex = fc.nat(1_000)

/** Picks of a list what a number says. */
function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item
}

const anyLeak = fc
  .record({ by: anyIndex, other: anyIndex, authorization: anyIndex, url: anyIndex, body: anyIndex })
  .map((index) => (keys: readonly string[]): ApiRequest => {
    const [key, other] = [pick(keys, index.by), pick(keys, index.other)]
    return {
      method: index.body % 2 === 0 ? 'GET' : 'POST',
      url: pick(urls, index.url)(other),
      headers: {
        authorization: pick(authorizations, index.authorization)(key, other),
        'content-type': 'application/json',
        'x-api-key': other,
        referer: `https://example.test/?key=${encodeURIComponent(other)}`,
        cookie: `key=${key}`,
      },
      body: pick(bodies, index.body)(other),
    }
  })

/** Everything that a sandbox tells of its requests. */
async function toldBy(sandbox: Sandbox): Promise<unknown> {
  const { requests } = sandbox.snapshot()
  const entries = sandbox.requests.list()
  const single = entries.map(({ id }) => sandbox.requests.get(id))
  return { entries, single, har: await sandbox.requests.har(), requests }
}

/** The texts in a value, names included, also as a reader decodes them. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, decoded(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)])
}

function decoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex) => {
    return String.fromCharCode(Number.parseInt(hex, 16))
  })
}

function expectNoKey(value: unknown, keys: readonly string[]): void {
  const whole = keys.filter((key) => textsIn(value).some((text) => text.includes(key)))
  expect(whole).toEqual([])
}

/** Control requests that are rejected, and name keys. */
async function rejections(sandbox: Sandbox, key: string): Promise<unknown[]> {
  const place = `/_sandbox/keys/${encodeURIComponent(key)}`
  const requests = [
    { method: 'POST', url: place, body: '' },
    { method: 'GET', url: `${place}/more`, body: '' },
    { method: 'GET', url: `/_sandbox/${key}`, body: '' },
    { method: 'POST', url: '/_sandbox/keys', body: JSON.stringify({ key, plan: 'free' }) },
    { method: 'POST', url: '/_sandbox/keys', body: `{"key":"${key}"` },
    { method: 'PATCH', url: place, body: '{"plan":"gold"}' },
    { method: 'GET', url: `/_sandbox/clock?key=${key}`, body: '' },
    { method: 'GET', url: `/_sandbox/requests?${encodeURIComponent(key)}`, body: '' },
  ]
  const headers = { 'content-type': 'application/json' }
  const replies = []
  for (const request of requests) {
    const reply = await sandbox.handleControl({ ...request, headers })
    if (reply.kind !== 'response') throw new Error('Cannot read the reply: it is a stream')
    expect(reply.status).toBeGreaterThanOrEqual(400)
    replies.push(JSON.parse(reply.body))
  }
  return replies
}

describe('keys', () => {
  it('never appear whole in what a sandbox shows of its requests, also when they are deleted', async () => {
    const sometimes = new Sometimes('an error', 'a success')
    await fc.assert(
      fc.asyncProperty(
        anyKeys,
        fc.array(anyLeak, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('delete', 'reset', 'replaceSeed', 'restore', 'revoke'),
        async (keys, leaks, end) => {
          const sandbox = frozenSandbox()
          const heard: RequestView[] = []
          sandbox.requests.onRequest((entry) => heard.push(entry))
          for (const key of keys)
            sandbox.keys.issue({ key, plan: 'free', remaining: { minute: 3 } })
          for (const leak of leaks) {
            const reply = await sandbox.handle(leak(keys))
            // What the client has stored itself, such as a name, it gets back.
            if ('status' in reply && reply.status >= 400) expectNoKey(reply, keys)
          }
          expectNoKey([await toldBy(sandbox), heard], keys)
          for (const key of keys) expectNoKey(await rejections(sandbox, key), [key])
          if (end === 'delete') for (const key of keys) sandbox.keys.delete(key)
          if (end === 'reset') sandbox.reset({ only: ['keys'] })
          if (end === 'replaceSeed') sandbox.replaceSeed({ keys: [] })
          if (end === 'restore') sandbox.restore(sandbox.snapshot())
          if (end === 'revoke') for (const key of keys) sandbox.keys.update(key, { revoked: true })
          expect(sandbox.requests.list()).toHaveLength(leaks.length)
          expectNoKey(await toldBy(sandbox), keys)
          sometimes.meet(metIn(sandbox))
        },
      ),
      { numRuns: draws(50) },
    )
    sometimes.expectAllMet()
  })

  it('never appear whole in what is thrown about them', () => {
    const { keys } = frozenSandbox()
    const attempts = [
      () => keys.issue({ key: 'enterprise-key', plan: 'free' }),
      () => keys.update('enterprise-key', { plan: 'gold' as never }),
    ]
    for (const attempt of attempts) expect(attempt).toThrow(/^(?!.*enterprise-key)/)
  })

  it('of other callers never appear in a rejection, nor does one of four characters', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.issue({ key: 'qxzj', plan: 'free' })
    for (const key of ['enterprise-key', 'qxzj']) {
      const outcome = await sandbox.handle({
        method: 'GET',
        url: `/v1/pets/${key}`,
        headers: { authorization: 'Bearer free-key' },
        body: '',
      })
      expect(outcome).toMatchObject({ status: 404 })
      expectNoKey(['body' in outcome ? outcome.body : '', await toldBy(sandbox)], [key])
    }
  })

  it('are hidden with other secrets that a process keeps, from then on', async () => {
    const sandbox = frozenSandbox()
    const request = { method: 'GET', url: '/v1/pets/t0ken-4711', headers: {}, body: '' }
    await sandbox.handle(request)
    expect(JSON.stringify(await toldBy(sandbox))).toContain('t0ken-4711')
    sandbox.keepSecret('t0ken-4711')
    expectNoKey(await toldBy(sandbox), ['t0ken-4711'])
    sandbox.reset({ only: ['keys'] })
    sandbox.restore(sandbox.snapshot())
    await sandbox.handle(request)
    expectNoKey(await toldBy(sandbox), ['t0ken-4711'])
    expect(JSON.stringify(sandbox.snapshot())).not.toContain('t0ken-4711')
  })

  it('that are unknown are hidden, too, where they were sent as one', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle({
      method: 'GET',
      url: '/v1/pets/not-a-key-yet',
      headers: { authorization: 'Bearer not-a-key-yet', 'x-key': 'not-a-key-yet' },
      body: 'not-a-key-yet',
    })
    expectNoKey(await toldBy(sandbox), ['not-a-key-yet'])
    expect(sandbox.requests.last()?.key).toBe('not-…')
  })

  it('are shown by no more than four characters, and never by more than half', async () => {
    const sandbox = frozenSandbox()
    const shown: (string | undefined)[] = []
    for (const key of ['a', 'ab', 'abcd', 'abcdefg', 'abcdefghijkl']) {
      sandbox.keys.issue({ key, plan: 'free' })
      await sandbox.handle({
        method: 'GET',
        url: '/v1/pets',
        headers: { authorization: `Bearer ${key}` },
        body: '',
      })
      shown.push(sandbox.requests.last()?.key)
    }
    expect(shown).toEqual(['…', 'a…', 'ab…', 'abc…', 'abcd…'])
  })
})
