import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

describe('createPet', () => {
  it('answers 201 with the pet and the id that it was given', async () => {
    const reply = await send(frozenSandbox(), {
      json: '{"name":"Rex","categoryId":1,"status":"sold"}',
    })
    expect(reply.status).toBe(201)
    expect(JSON.parse(reply.body)).toEqual({ id: 31, name: 'Rex', categoryId: 1, status: 'sold' })
  })

  it('says of a status that is null which gap refuses it', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { json: '{"name":"Rex","categoryId":1,"status":null}' })
    expect(sandbox.journal.last()?.why).toMatch(/^400: Cannot use status: .*gap nullStatus=reject$/)
  })

  it('adds the pet to the list', async () => {
    const sandbox = frozenSandbox({ seed: { pets: [] } })
    const created = await send(sandbox, { json: '{"name":"Rex","categoryId":1}' })
    const listed = await send(sandbox)
    expect(listed.body).toBe(`[${created.body}]`)
    expect(sandbox.pets.size).toBe(1)
  })

  it('gives each pet an id of its own, also to requests at the same time', async () => {
    const sandbox = frozenSandbox()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => send(sandbox, { json: '{"name":"Rex","categoryId":1}' })),
    )
    const ids = replies.map((reply) => (JSON.parse(reply.body) as { id: number }).id)
    expect(new Set(ids).size).toBe(50)
  })

  it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])(
    'keeps categoryId %s digit for digit',
    async (categoryId) => {
      const reply = await send(frozenSandbox(), {
        json: `{"name":"Rex","categoryId":${categoryId}}`,
      })
      expect(reply.status).toBe(201)
      expect(reply.body).toContain(`"categoryId":${categoryId},`)
    },
  )

  it.each([
    { json: '{"categoryId":1}', message: 'Cannot use name: it is missing; send a string' },
    { json: '{"name":null,"categoryId":1}', message: 'Cannot use name: found null; send a string' },
    { json: '{"name":"Rex"}', message: 'Cannot use categoryId: it is missing; send an integer' },
    {
      json: '{"name":"Rex","categoryId":"1"}',
      message: 'Cannot use categoryId: found "1"; send an integer',
    },
    { json: '{"name":"Rex","categoryId":1.5}', message: 'Cannot use categoryId: found 1.5' },
    {
      json: '{"name":"Rex","categoryId":9223372036854775808}',
      message:
        'found 9223372036854775808; send an integer from -9223372036854775808 to 9223372036854775807',
    },
    {
      json: '{"name":"Rex","categoryId":1e400}',
      message: 'Cannot use categoryId: found a number too large',
    },
    {
      json: '{"name":"Rex","categoryId":1,"status":"dead"}',
      message: 'Cannot use status: found "dead"; send one of available, pending, sold',
    },
    {
      json: '{"__proto__":{"name":"Rex","categoryId":1}}',
      message: 'Cannot use name: it is missing',
    },
    {
      json: '[]',
      message:
        'Cannot read the pet: found an array of 0; send a JSON object with name and categoryId',
    },
    {
      json: '[{"name":"Rex","categoryId":1}]',
      message: 'Cannot read the pet: found an array of 1',
    },
    { json: 'null', message: 'Cannot read the pet: found null' },
    { json: '"Rex"', message: 'Cannot read the pet: found "Rex"' },
    { json: '9223372036854775807', message: 'Cannot read the pet: found 9223372036854775807' },
  ])('refuses $json with 400: $message', async ({ json, message }) => {
    const sandbox = frozenSandbox()
    const reply = await send(sandbox, { json })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toEqual({
      code: 'invalid_request',
      message: expect.stringContaining(message),
      status: 400,
    })
    expect(sandbox.pets.size).toBe(30)
  })

  it('takes __proto__ for a property that a pet does not have', async () => {
    const reply = await send(frozenSandbox(), {
      json: '{"name":"Rex","categoryId":1,"__proto__":{"status":"sold"},"constructor":1}',
    })
    expect(JSON.parse(reply.body)).toEqual({
      id: 31,
      name: 'Rex',
      categoryId: 1,
      status: 'available',
    })
    expect({}).not.toHaveProperty('status')
  })

  it.each(['', 'a"b\\c\n', 'Señor 🐢', '\ud83d', '#1', '9007199254740993', 'a'.repeat(1_000)])(
    'keeps the name %j',
    async (name) => {
      const json = JSON.stringify({ name, categoryId: 1 })
      const reply = await send(frozenSandbox(), { json })
      expect(reply.status).toBe(201)
      expect(JSON.parse(reply.body).name === name).toBe(true)
    },
  )
})
