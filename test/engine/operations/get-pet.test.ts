import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

const pets = [
  { id: 7, name: 'Tiger', categoryId: 2, status: 'sold' as const },
  { id: 9007199254740993n, name: 'Methuselah', categoryId: 1 },
  { id: 9223372036854775807n, name: 'Max', categoryId: 1 },
  { id: -9223372036854775808n, name: 'Min', categoryId: 1 },
  { id: 0, name: 'Null', categoryId: 1 },
]

describe('getPet', () => {
  it('gives the pet that has the id', async () => {
    const reply = await send(frozenSandbox({ seed: { pets } }), { url: '/v1/pets/7' })
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.body)).toEqual(pets[0])
  })

  it.each([
    { id: '9007199254740993', name: 'Methuselah' },
    { id: '9223372036854775807', name: 'Max' },
    { id: '-9223372036854775808', name: 'Min' },
  ])('gives $name under the id $id, digit for digit', async ({ id, name }) => {
    const reply = await send(frozenSandbox({ seed: { pets } }), { url: `/v1/pets/${id}` })
    expect(reply.body).toBe(`{"id":${id},"name":"${name}","categoryId":1}`)
  })

  it.each([
    { segment: '007', name: 'Tiger' },
    { segment: '%37', name: 'Tiger' },
    { segment: '-0', name: 'Null' },
  ])('takes $segment for an integer', async ({ segment, name }) => {
    const reply = await send(frozenSandbox({ seed: { pets } }), { url: `/v1/pets/${segment}` })
    expect(JSON.parse(reply.body)).toMatchObject({ name })
  })

  it.each(['8', '9007199254740992', '9007199254740994', '-7'])(
    'answers 404 for the id %s, which no pet has',
    async (id) => {
      const reply = await send(frozenSandbox({ seed: { pets } }), { url: `/v1/pets/${id}` })
      expect(reply.status).toBe(404)
      expect(JSON.parse(reply.body)).toEqual({
        code: 'not_found',
        message: `Cannot find pet ${id}: no pet has this id`,
        status: 404,
      })
    },
  )

  it.each([
    'abc',
    '7.0',
    '7e0',
    '+7',
    '7%20',
    '%20',
    '0x7',
    '٧',
    '%zz',
    '%E0%A4%A',
    '9223372036854775808',
    '7,8',
  ])('answers 404 for %s, which is no id, saying what an id is', async (segment) => {
    const reply = await send(frozenSandbox({ seed: { pets } }), { url: `/v1/pets/${segment}` })
    expect(reply.status).toBe(404)
    expect(JSON.parse(reply.body)).toEqual({
      code: 'not_found',
      message: `Cannot find pet "${segment}": an id is an integer from -9223372036854775808 to 9223372036854775807`,
      status: 404,
    })
  })
})
