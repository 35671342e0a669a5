import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

describe('findRoute()', () => {
  it.each([
    { method: 'GET', url: '/v1/pets?limit=1', status: 200 },
    { method: 'GET', url: 'http://localhost:7387/v1/pets', status: 200 },
    { method: 'GET', url: 'HTTPS://api.example/v1/pets?limit=1', status: 200 },
    { method: 'GET', url: '/v1/pets/1?a=/b', status: 200 },
    { method: 'GET', url: '/v1/pets/1?a=b?c', status: 200 },
    { method: 'HEAD', url: '/v1/pets', status: 200 },
    { method: 'HEAD', url: '/v1/pets/1', status: 200 },
  ])('finds $method $url', async ({ status, ...request }) => {
    expect((await send(frozenSandbox(), request)).status).toBe(status)
  })

  it.each([
    '/',
    '',
    '*',
    '/pets',
    '/v1',
    '/v1/',
    '/v2/pets',
    '/V1/pets',
    '/v1/Pets',
    '/v1/pets/',
    '/v1//pets',
    '//v1/pets',
    '//pets',
    '//',
    '/v1/pets/1/',
    '/v1/pets/1/photos',
    '/v1/%70ets',
    '/v1/pets;a=b',
    '/v1/../v1/pets',
    '/v1/./pets',
    '/v1/pets#top',
    '/v1/store',
    '/v1/users',
    '/v1/events',
    '/v1/webhooks',
    'http://localhost:7387',
    'ftp://localhost/v1/pets',
    'v1/pets',
    '/v1/pets\n',
    '/_sandbox/health',
  ])('answers 404 for the path of "%s", as the spec shows none such', async (url) => {
    const reply = await send(frozenSandbox(), { url })
    expect(reply.status).toBe(404)
    expect(JSON.parse(reply.body)).toEqual({
      code: 'not_found',
      message: expect.stringMatching(
        /^Cannot find ".*": there is no such path; the API is under \/v1$/,
      ),
      status: 404,
    })
  })

  it('quotes a target whole where a URL only stands within it', async () => {
    const { body } = await send(frozenSandbox(), { url: '*http://localhost/v1/pets' })
    expect(JSON.parse(body).message).toContain('Cannot find "*http://localhost/v1/pets": ')
  })

  it.each([
    { method: 'PUT', url: '/v1/pets', allow: 'GET, HEAD, POST' },
    { method: 'DELETE', url: '/v1/pets', allow: 'GET, HEAD, POST' },
    { method: 'OPTIONS', url: '/v1/pets', allow: 'GET, HEAD, POST' },
    { method: 'TRACE', url: '/v1/pets?limit=1', allow: 'GET, HEAD, POST' },
    { method: 'get', url: '/v1/pets', allow: 'GET, HEAD, POST' },
    { method: 'POST', url: '/v1/pets/1', allow: 'GET, HEAD' },
    { method: 'PATCH', url: '/v1/pets/1', allow: 'GET, HEAD' },
    { method: 'DELETE', url: '/v1/pets/abc', allow: 'GET, HEAD' },
    { method: 'POST', url: '/v1/store/orders', allow: 'GET, HEAD' },
  ])('answers 405 for $method $url, allowing $allow', async ({ allow, ...request }) => {
    const reply = await send(frozenSandbox(), request)
    const path = request.url.split('?')[0]
    expect(reply.status).toBe(405)
    expect(reply.headers.allow).toBe(allow)
    expect(JSON.parse(reply.body)).toEqual({
      code: 'method_not_allowed',
      message: `Cannot use "${request.method}" on "${path}": use ${allow}`,
      status: 405,
    })
  })

  it.each([
    { url: '/v1/pets/', ending: ', gap trailingSlash=not-found' },
    { url: '/v1/pets/1/?limit=1', ending: ', gap trailingSlash=not-found' },
    { url: '/v1/users/', ending: '; spec 7' },
    { url: '/v1/pets//', ending: '; spec 7' },
    { url: '/', ending: '; spec 7' },
    { url: '/v1/store/orders/', ending: ', gap trailingSlash=not-found' },
  ])('blames the slash at the end of $url only where it is what is wrong', async (test) => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: test.url })
    expect(sandbox.journal.last()?.why.endsWith(test.ending)).toBe(true)
  })

  it.each([
    { url: '/v1/store/orders/', gaps: { storeOrders: 'not-found' } as const },
    { url: '/v1/pets/1/', now: '2030-12-05' },
  ])('does not blame the slash of $url where a gap hides the path', async ({ url, gaps, now }) => {
    const sandbox = frozenSandbox(gaps === undefined ? {} : { gaps })
    if (now !== undefined) sandbox.clock.set(now)
    await send(sandbox, { url })
    expect(sandbox.journal.last()?.why).not.toContain('trailingSlash')
  })

  it('quotes the path of a target that has a host and a query, and no path', async () => {
    const reply = await send(frozenSandbox(), { url: 'http://store.test?limit=1' })
    expect(JSON.parse(reply.body).message).toBe(
      'Cannot find "": there is no such path; the API is under /v1',
    )
  })

  it('answers 404, not 405, for any method of an unknown path', async () => {
    const reply = await send(frozenSandbox(), { method: 'DELETE', url: '/v1/users' })
    expect(reply.status).toBe(404)
    expect(reply.headers).not.toHaveProperty('allow')
  })
})
