import { describe, expect, it } from 'vitest'
import { sendRaw } from '../kit/raw-client.ts'
import { rawHead } from '../kit/raw-request.ts'
import { expectServing, testServer } from '../kit/test-server.ts'
import { expectError } from './expect-error.ts'

describe('a server that gets odd targets', () => {
  it.each([
    { target: '/', status: 404 },
    { target: '//', status: 404 },
    { target: '//v1/pets', status: 404 },
    { target: '/v1//pets', status: 404 },
    { target: '/v1/pets//', status: 404 },
    { target: '/v1/./pets', status: 404 },
    { target: '/v1/../v1/pets', status: 404 },
    { target: '/v1/pets/..%2f1', status: 404 },
    { target: '/V1/PETS', status: 404 },
    { target: '/%76%31/pets', status: 404 },
    { target: '/%zz', status: 404 },
    { target: '/v1/pets/%zz', status: 404 },
    { target: '/v1/pets/%', status: 404 },
    { target: '/v1/pets/%00', status: 404 },
    { target: '/v1/pets/%ff%fe', status: 404 },
    { target: '/v1/pets/%ed%a0%80', status: 404 },
    { target: '/v1/pets/__proto__', status: 404 },
    { target: '/v1/pets/constructor', status: 404 },
    { target: '/v1/pets#top', status: 404 },
    { target: '/v1/pets?limit=%zz', status: 400 },
    { target: '/v1/pets?limit=%00', status: 400 },
    { target: '/v1/pets?status=%ff', status: 400 },
    { target: '/v1/pets?limit=1&limit=2', status: 400 },
    { target: '/v1/pets?__proto__[limit]=1', status: 200 },
    { target: '/v1/pets?constructor=1&toString=2&hasOwnProperty', status: 200 },
    { target: '/v1/pets???&&&===', status: 200 },
    { target: `/v1/pets?${'a=b&'.repeat(3_500)}`, status: 200 },
    { target: `/v1/pets/${'1'.repeat(10_000)}`, status: 404 },
    { target: '*', status: 404 },
    { target: 'http://', status: 404 },
    { target: 'http:///', status: 404 },
    { target: 'https://other.example:99999/v1/nothing', status: 404 },
    { target: 'http://other.example/v1/pets?limit=1', status: 200 },
    { target: 'HTTP://user:password@[::1]/v1/pets', status: 200 },
    { target: 'ftp://other.example/v1/pets', status: 404 },
  ])('answers $target with $status', async ({ target, status }) => {
    const server = await testServer()
    const reply = await sendRaw(server.port, rawHead({ target }))
    if (status === 200) expect(reply).toMatchObject({ status })
    else expectError(reply, status)
    await expectServing(server)
  })

  it.each([
    { target: 'http://localhost/_sandbox/clock', status: 200 },
    { target: 'HTTP://127.0.0.1:1/_sandbox', status: 200 },
    { target: 'http://localhost/_sandbox/nothing', status: 404 },
    { target: 'http://localhost/sandboxes/mine/_sandbox/clock', status: 200 },
    { target: 'http://store.example/sandboxes/mine/v1/pets?limit=1', status: 200 },
    { target: 'http://store.example/_sandbox/clock', status: 403 },
  ])('serves more than the API at $target, as proxies get it', async ({ target, status }) => {
    const server = await testServer()
    await server.pool.create({ name: 'mine' })
    const reply = await sendRaw(server.port, rawHead({ target, host: 'localhost' }))
    expect(reply.status).toBe(status)
  })

  it.each([
    { what: 'without a slash', target: 'v1/pets' },
    { what: 'that is empty', target: '' },
    { what: 'with a blank', target: '/v1/pets/1 2' },
    { what: 'with a NUL', target: '/v1/pe\0ts' },
    { what: 'with a tab', target: '/v1/pe\tts' },
    { what: 'in UTF-8', target: '/v1/pets/ż' },
    { what: 'in Latin-1', target: Buffer.from('/v1/pets/\xff', 'latin1') },
    { what: 'of 20,000 characters', target: `/${'a'.repeat(20_000)}` },
  ])('refuses a target $what with 400', async ({ target }) => {
    const server = await testServer()
    const bytes = ['GET ', target, rawHead().slice('GET /v1/pets?limit=1'.length)]
    expectError(
      await sendRaw(server.port, Buffer.concat(bytes.map((part) => Buffer.from(part)))),
      400,
    )
    await expectServing(server)
  })

  it.each([
    { method: 'CONNECT', target: 'other.example:443', status: 404 },
    { method: 'CONNECT', target: '/v1/pets', status: 405 },
    { method: 'OPTIONS', target: '*', status: 404 },
    { method: 'OPTIONS', target: '/v1/pets', status: 405 },
    { method: 'TRACE', target: '/v1/pets', status: 405 },
    { method: 'TRACE', target: '/', status: 404 },
    { method: 'PUT', target: '/v1/pets', status: 405 },
    { method: 'PATCH', target: '/v1/pets/1', status: 405 },
    { method: 'DELETE', target: '/v1/pets/1', status: 405 },
    { method: 'PURGE', target: '/v1/pets', status: 405 },
    { method: 'PROPFIND', target: '/v1/pets', status: 405 },
    { method: 'M-SEARCH', target: '/v1/pets', status: 405 },
    { method: 'POST', target: '/v1/store/orders', status: 405 },
    { method: 'GET', target: '/v1/store/orders', status: 501 },
  ])('answers $method $target with $status', async ({ method, target, status }) => {
    const server = await testServer()
    const reply = await sendRaw(server.port, rawHead({ method, target }))
    expectError(reply, status)
    // What a TRACE gives back may be another client's key.
    expect(reply.body).not.toContain('business-key')
    await expectServing(server)
  })

  it.each([{ method: 'CONNECT' }, { method: 'TRACE' }, { method: 'DELETE' }])(
    'wants a key for $method as well',
    async ({ method }) => {
      const { port } = await testServer()
      expectError(await sendRaw(port, rawHead({ method, target: '/v1/pets', key: null })), 401)
    },
  )
})
