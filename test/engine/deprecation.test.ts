import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

const announced = {
  deprecation: '@1764892800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</v1/pets>; rel="successor-version"',
}

describe('deprecationHeaders()', () => {
  it.each([
    { what: 'a pet', url: '/v1/pets/1', status: 200 },
    { what: 'no pet', url: '/v1/pets/999', status: 404 },
    { what: 'no id', url: '/v1/pets/abc', status: 404 },
    { what: 'no key', url: '/v1/pets/1', status: 401, key: null },
    { what: 'no quota', url: '/v1/pets/1', status: 429, key: 'day-exhausted-key' },
    { what: 'HEAD', url: '/v1/pets/1', status: 200, method: 'HEAD' },
  ])(
    'announces the removal of getPet on a reply to $what',
    async ({ what: _, status, ...request }) => {
      const reply = await send(frozenSandbox(), request)
      expect(reply.status).toBe(status)
      expect(reply.headers).toMatchObject(announced)
    },
  )

  it.each([
    { method: 'GET', url: '/v1/pets' },
    { method: 'POST', url: '/v1/pets' },
    { method: 'GET', url: '/v1/store/orders' },
    { method: 'GET', url: '/v1/nothing' },
    { method: 'PUT', url: '/v1/pets/1' },
  ])('announces nothing on $method $url', async (request) => {
    const reply = await send(frozenSandbox(), request)
    expect(Object.keys(reply.headers)).not.toContain('deprecation')
    expect(Object.keys(reply.headers)).not.toContain('sunset')
    expect(Object.keys(reply.headers)).not.toContain('link')
  })
})

describe('the sunset of getPet', () => {
  it('comes on 5 December 2030 by the clock, to the millisecond', async () => {
    const sandbox = frozenSandbox({ clock: { now: '2030-12-04T23:59:59.999Z', mode: 'frozen' } })
    const before = await send(sandbox, { url: '/v1/pets/1' })
    sandbox.clock.advance(1)
    const after = await send(sandbox, { url: '/v1/pets/1' })
    expect([before.status, after.status]).toEqual([200, 404])
  })

  it('leaves nothing of the operation: every method of the path is unknown', async () => {
    const sandbox = frozenSandbox({ clock: { now: '2030-12-05', mode: 'frozen' } })
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const reply = await send(sandbox, { method, url: '/v1/pets/1' })
      expect(reply.status).toBe(404)
      expect(Object.keys(reply.headers)).not.toContain('deprecation')
      expect(Object.keys(reply.headers)).not.toContain('allow')
    }
  })

  it('leaves the other operations as they are', async () => {
    const sandbox = frozenSandbox({ clock: { now: '2031-01-01', mode: 'frozen' } })
    const listed = await send(sandbox)
    const created = await send(sandbox, { json: '{"name":"Rex","categoryId":1}' })
    expect([listed.status, created.status]).toEqual([200, 201])
  })

  it('is taken back when the clock is', async () => {
    const sandbox = frozenSandbox({ clock: { now: '2030-12-05', mode: 'frozen' } })
    sandbox.clock.set('2030-12-04')
    expect((await send(sandbox, { url: '/v1/pets/1' })).status).toBe(200)
  })
})
