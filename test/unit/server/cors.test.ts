import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { testServer } from '../../kit/test-server.ts'

const origin = 'https://shop.example'

/** Asks as a browser does before a request of another origin. */
function preflight(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', ...headers },
  })
}

describe('CORS', () => {
  it('handles a preflight without a key, and spends no quota on it', async () => {
    const sandbox = frozenSandbox()
    const { url } = await testServer({ sandbox })
    const reply = await preflight(`${url}/v1/pets`)
    expect(reply.status).toBe(204)
    expect(await reply.text()).toBe('')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST')
    expect(reply.headers.get('access-control-max-age')).toMatch(/^\d+$/)
    const next = await fetch(`${url}/v1/pets`)
    expect(next.headers.get('x-ratelimit-remaining')).toBe('59')
  })

  it.each([
    { path: '/v1/pets', date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
    { path: '/sandboxes/later/v1/pets', date: 'Tue, 01 Jan 2030 00:00:00 GMT' },
    { path: '/sandboxes/none/v1/pets', date: null },
  ])("gives the sandbox's time with a preflight of $path", async ({ path, date }) => {
    const { url, pool } = await testServer({ sandbox: frozenSandbox() })
    await pool.create({ name: 'later', clock: { now: '2030-01-01', mode: 'frozen' } })
    const reply = await preflight(`${url}${path}`)
    expect([reply.status, reply.headers.get('date')]).toEqual([204, date])
  })

  it.each(['/sandboxes/new/v1/pets', '/sandboxes/new/_sandbox/clock'])(
    'makes no sandbox for a preflight of %s where names make sandboxes',
    async (path) => {
      const { url, pool } = await testServer({ pool: { autoCreate: true } })
      await preflight(`${url}${path}`)
      expect(await pool.names()).toEqual([])
    },
  )

  it.each([
    { asked: 'authorization,content-type', allowed: 'authorization,content-type' },
    { asked: 'x-request-id , authorization', allowed: 'x-request-id , authorization' },
    { asked: '', allowed: 'Authorization, Content-Type' },
    { asked: 'a b', allowed: 'Authorization, Content-Type' },
    { asked: '<script>', allowed: 'Authorization, Content-Type' },
    { asked: `${'x-long,'.repeat(1_000)}x-last`, allowed: `${'x-long,'.repeat(1_000)}x-last` },
  ])('allows the headers $allowed when asked for "$asked"', async ({ asked, allowed }) => {
    const { url } = await testServer()
    const reply = await preflight(`${url}/v1/pets`, { 'Access-Control-Request-Headers': asked })
    expect(reply.status).toBe(204)
    expect(reply.headers.get('access-control-allow-headers')).toBe(allowed)
    expect(reply.headers.get('vary')).toBe('Access-Control-Request-Headers')
  })

  it('names each header that a page may read, with every status', async () => {
    const { url } = await testServer()
    const headers = { Origin: origin, Authorization: 'Bearer free-key' }
    const replies = await Promise.all([
      fetch(`${url}/v1/pets`, { headers }),
      fetch(`${url}/v1/pets/1`, { headers }),
      fetch(`${url}/v1/nothing`, { headers }),
      fetch(`${url}/v1/pets`, { headers, method: 'DELETE' }),
      fetch(`${url}/v1/pets`, { headers: { Origin: origin } }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 404, 405, 401])
    for (const reply of replies) {
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      const exposed = reply.headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed?.toSorted()).toEqual([
        'Date',
        'Deprecation',
        'Link',
        'Retry-After',
        'Sunset',
        'WWW-Authenticate',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
      ])
    }
  })

  it('names no header that a page may read with exposedHeaders=none', async () => {
    const { url } = await testServer({
      sandbox: frozenSandbox({ gaps: { exposedHeaders: 'none' } }),
    })
    const headers = { Origin: origin, Authorization: 'Bearer minute-exhausted-key' }
    const reply = await fetch(`${url}/v1/pets`, { headers })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.has('access-control-expose-headers')).toBe(false)
    expect(reply.headers.has('retry-after')).toBe(true)
  })

  it('allows nothing with cors=none, before a request or after it', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox({ gaps: { cors: 'none' } }) })
    const headers = { Origin: origin, Authorization: 'Bearer free-key' }
    for (const reply of [
      await preflight(`${url}/v1/pets`),
      await fetch(`${url}/v1/pets`, { headers }),
    ]) {
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual(
        [],
      )
    }
  })

  it('takes OPTIONS without its CORS headers for a method like others', async () => {
    const { url } = await testServer()
    const headers = { Authorization: 'Bearer free-key' }
    const replies = await Promise.all([
      fetch(`${url}/v1/pets`, { method: 'OPTIONS', headers }),
      fetch(`${url}/v1/pets`, { method: 'OPTIONS', headers: { ...headers, Origin: origin } }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([405, 405])
  })
})
