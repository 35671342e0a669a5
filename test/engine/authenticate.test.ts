import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

describe('authenticate()', () => {
  it.each([
    'Bearer free-key',
    'bearer free-key',
    'BEARER free-key',
    'Bearer    free-key',
    'Bearer free-key  ',
  ])('lets in "%s"', async (authorization) => {
    const reply = await send(frozenSandbox(), { headers: { authorization } })
    expect(reply.status).toBe(200)
  })

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'free-key',
    'Basic ZnJlZS1rZXk6',
    'Token free-key',
    'Bearerfree-key',
    'Bearer\tfree-key',
    ' Bearer free-key',
    'Bearer "free-key"',
    'Bearer free-key, Bearer free-key',
    'Bearer free-key Bearer free-key',
    'Bearer free-key=x',
    'Bearer ключ',
    'Bearer free-key\n',
  ])('asks for a key where "%s" holds no single one', async (authorization) => {
    const reply = await send(frozenSandbox(), { headers: { authorization } })
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="petstore"')
    expect(JSON.parse(reply.body)).toEqual({
      code: 'unauthorized',
      message:
        'Cannot authenticate: the Authorization header is not a single bearer token; send Authorization: Bearer <API_KEY>',
      status: 401,
    })
  })

  it('asks for a key where there is no Authorization', async () => {
    const reply = await send(frozenSandbox(), { key: null })
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="petstore"')
    expect(JSON.parse(reply.body).message).toMatch(
      /^Cannot authenticate: there is no Authorization header; send Authorization: Bearer/,
    )
  })

  it.each([
    { key: 'no-such-key', why: 'is unknown' },
    { key: 'Free-Key', why: 'is unknown' },
    { key: 'free-ke', why: 'is unknown' },
    { key: '__proto__', why: 'is unknown' },
    { key: 'x'.repeat(100_000), why: 'is unknown' },
    { key: 'revoked-key', why: 'is revoked' },
    { key: 'expired-key', why: 'has expired' },
  ])('refuses a key that $why as an invalid token', async ({ key, why }) => {
    const reply = await send(frozenSandbox(), { key })
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="petstore", error="invalid_token"')
    expect(JSON.parse(reply.body).message).toBe(
      `Cannot authenticate: the API key ${why}; send Authorization: Bearer <API_KEY>`,
    )
  })

  it('counts each unknown token by itself, those of 200 characters too', async () => {
    const sandbox = frozenSandbox()
    const remaining = async (key: string) =>
      (await send(sandbox, { key })).headers['x-ratelimit-remaining']
    const beginning = 'x'.repeat(199)
    expect(await remaining(`${beginning}a`)).toBe('59')
    expect(await remaining(`${beginning}b`)).toBe('59')
    expect(await remaining('another-a')).toBe('59')
    expect(await remaining(`${beginning}a`)).toBe('58')
  })

  it('never repeats the key that was sent', async () => {
    const reply = await send(frozenSandbox(), { key: 'my-secret' })
    expect(JSON.stringify(reply)).not.toContain('my-secret')
  })

  it('lets a key in until the instant at which it expires', async () => {
    const keys = [{ key: 'k', plan: 'free' as const, expiresAt: '2026-01-01T00:01:00Z' }]
    const sandbox = frozenSandbox({ seed: { keys } })
    sandbox.clock.advance(59_999)
    const last = await send(sandbox, { key: 'k' })
    sandbox.clock.advance(1)
    const first = await send(sandbox, { key: 'k' })
    expect([last.status, first.status]).toEqual([200, 401])
  })

  it.each(['?api_key=free-key', '?access_token=free-key', '?key=free-key'])(
    'does not look for a key in the query, as in %s',
    async (query) => {
      const reply = await send(frozenSandbox(), { url: `/v1/pets${query}`, key: null })
      expect(reply.status).toBe(401)
    },
  )

  it.each([
    { method: 'GET', url: '/v1/pets' },
    { method: 'POST', url: '/v1/pets' },
    { method: 'GET', url: '/v1/pets/1' },
    { method: 'GET', url: '/v1/store/orders' },
    { method: 'HEAD', url: '/v1/pets' },
    { method: 'OPTIONS', url: '/v1/pets' },
    { method: 'DELETE', url: '/v1/nothing' },
  ])('needs a key for $method $url', async (request) => {
    const reply = await send(frozenSandbox(), { ...request, key: null })
    expect(reply.status).toBe(401)
  })
})
