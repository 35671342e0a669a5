import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

const many = Array.from({ length: 150 }, (_, index) => ({
  id: index + 1,
  name: 'Rex',
  categoryId: 1,
}))

describe('listPets', () => {
  it('gives an array of pets with their fields as the spec names them', async () => {
    const pets = [
      { id: 1, name: 'Bella', categoryId: 2, status: 'available' as const },
      { id: 2, name: 'Stray', categoryId: 3 },
    ]
    const reply = await send(frozenSandbox({ seed: { pets } }))
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(JSON.parse(reply.body)).toEqual(pets)
  })

  it('gives an empty array for an empty store', async () => {
    const reply = await send(frozenSandbox({ seed: { pets: [] } }))
    expect(reply).toMatchObject({ status: 200, body: '[]' })
  })

  it.each([
    { query: '', count: 20 },
    { query: '?', count: 20 },
    { query: '?limit=1', count: 1 },
    { query: '?limit=100', count: 100 },
    { query: '?limit=007', count: 7 },
    { query: '?limit=%35', count: 5 },
    { query: '?status=available&limit=3', count: 0 },
  ])('gives $count pets of 150 for "$query"', async ({ query, count }) => {
    const sandbox = frozenSandbox({ seed: { pets: many } })
    const reply = await send(sandbox, { url: `/v1/pets${query}` })
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.body)).toHaveLength(count)
  })

  it.each([
    '0',
    '-1',
    '-0',
    '101',
    '1000000000000000000000',
    '1.5',
    '5.0',
    '1e1',
    '0x10',
    '+5',
    '%2B5',
    '5%20',
    '٥',
    'ten',
    'NaN',
    'Infinity',
    '',
  ])('refuses limit=%s with 400, saying which limits would do', async (limit) => {
    const reply = await send(frozenSandbox(), { url: `/v1/pets?limit=${limit}` })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(
        /^Cannot use limit: found ".*"; send a whole number from 1 to 100$/,
      ),
    })
  })

  it.each(['available', 'pending', 'sold'])('gives only pets that are %s', async (status) => {
    const reply = await send(frozenSandbox(), { url: `/v1/pets?limit=100&status=${status}` })
    const statuses = (JSON.parse(reply.body) as { status: string }[]).map((pet) => pet.status)
    expect(statuses.length).toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([status]))
  })

  it.each(['Sold', 'sold%20', 'gone', '', 'available,sold'])(
    'refuses status=%s with 400, saying which would do',
    async (status) => {
      const reply = await send(frozenSandbox(), { url: `/v1/pets?status=${status}` })
      expect(reply.status).toBe(400)
      expect(JSON.parse(reply.body).message).toMatch(
        /^Cannot use status: found ".*"; send one of available, pending, sold$/,
      )
    },
  )

  it('ignores a body', async () => {
    const reply = await send(frozenSandbox(), { body: 'not JSON' })
    expect(reply.status).toBe(200)
  })
})
