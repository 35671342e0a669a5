import { expect } from 'vitest'
import type { Sandbox } from '../../src/sandbox.ts'
import { send } from '../kit/send.ts'
import type { GapRow } from './row.ts'

async function createWith(sandbox: Sandbox, members: string): Promise<[number, unknown]> {
  const reply = await send(sandbox, { json: `{${members}}` })
  return [reply.status, JSON.parse(reply.body)]
}

async function expectStatus(sandbox: Sandbox, status: string | undefined): Promise<void> {
  const [, pet] = await createWith(sandbox, '"name":"Rex","categoryId":1')
  expect(pet).toEqual({
    id: 31,
    name: 'Rex',
    categoryId: 1,
    ...(status === undefined ? {} : { status }),
  })
}

async function expectRefusal(sandbox: Sandbox, members: string, message: string): Promise<void> {
  expect(await createWith(sandbox, members)).toEqual([
    400,
    { code: 'invalid_request', message: expect.stringContaining(message), status: 400 },
  ])
  expect(sandbox.pets.size).toBe(30)
}

async function createdIds(sandbox: Sandbox): Promise<string[]> {
  const replies = []
  while (replies.length < 3) {
    replies.push(await send(sandbox, { json: '{"name":"Rex","categoryId":1}' }))
  }
  return replies.map(({ body }) => /^\{"id":(-?\d+),/.exec(body)?.[1] ?? 'none')
}

/** The gaps of new pets (spec 2, 4.2). */
export const creatingRows: readonly GapRow[] = [
  {
    gap: 'omittedStatus',
    choice: 'absent',
    does: 'leaves a pet without a status as it is, in no filtered list',
    async check(sandbox) {
      await expectStatus(sandbox, undefined)
      for (const status of ['available', 'pending', 'sold']) {
        const reply = await send(sandbox, { url: `/v1/pets?limit=100&status=${status}` })
        expect(reply.body).not.toContain('"id":31,')
      }
    },
  },
  {
    gap: 'emptyName',
    choice: 'reject',
    does: 'refuses an empty name, but not a blank',
    async check(sandbox) {
      await expectRefusal(sandbox, '"name":"","categoryId":1', 'Cannot use name: it is empty')
      expect((await createWith(sandbox, '"name":" ","categoryId":1'))[0]).toBe(201)
    },
  },
  {
    gap: 'unknownProperties',
    choice: 'reject',
    does: 'refuses properties that a new pet does not have, naming the first',
    async check(sandbox) {
      for (const name of ['id', 'tag', '__proto__']) {
        await expectRefusal(
          sandbox,
          `"name":"Rex","categoryId":1,"${name}":5`,
          `Cannot use property "${name}": it is unknown; use name, categoryId, status`,
        )
      }
      expect((await createWith(sandbox, '"name":"Rex","categoryId":1'))[0]).toBe(201)
    },
  },
  {
    gap: 'duplicateProperties',
    choice: 'reject',
    does: 'refuses a property that is given twice, however it is written',
    async check(sandbox) {
      for (const twice of ['"name":"Max"', '"n\\u0061me":"Rex"', '"tag":1,"tag":1']) {
        const name = twice.includes('tag') ? 'tag' : 'name'
        await expectRefusal(
          sandbox,
          `"name":"Rex","categoryId":1,${twice}`,
          `Cannot use property "${name}": it is given more than once; send it once`,
        )
      }
      const once = '"name":"name","categoryId":1,"tag":{"name":1,"a":1,"b":{"a":1}}'
      expect((await createWith(sandbox, once))[0]).toBe(201)
    },
  },
  {
    gap: 'unknownCategory',
    choice: 'reject',
    does: 'refuses a category that no pet of the seed has',
    async check(sandbox) {
      await expectRefusal(
        sandbox,
        '"name":"Rex","categoryId":999',
        'Cannot use categoryId: found 999; send the category of a pet in the seed',
      )
      const known = '"name":"Rex","categoryId":9007199254740993'
      expect((await createWith(sandbox, known))[0]).toBe(201)
    },
  },
  {
    gap: 'idSequence',
    choice: 'sequential',
    does: 'counts on from the highest id',
    async check(sandbox) {
      expect(await createdIds(sandbox)).toEqual(['31', '32', '33'])
    },
  },
  {
    gap: 'idSequence',
    choice: 'large',
    does: 'counts odd numbers above 2^53, none of which a double can hold',
    async check(sandbox) {
      expect(await createdIds(sandbox)).toEqual([
        '9007199254740993',
        '9007199254740995',
        '9007199254740997',
      ])
      sandbox.pets.create({ id: '9007199254741000', name: 'Even', categoryId: 1 })
      const ids = await createdIds(sandbox)
      expect(ids.map((id) => BigInt(Number(id)) === BigInt(id))).toEqual([false, false, false])
    },
  },
  {
    gap: 'idSequence',
    choice: 'random',
    does: 'gives ids all over int64',
    async check(sandbox) {
      const ids = await createdIds(sandbox)
      expect(new Set(ids).size).toBe(3)
      expect(ids.map((id) => id.length > 15)).toEqual([true, true, true])
    },
  },
  {
    gap: 'integerForms',
    choice: 'accept',
    does: 'takes a category in any form of an integer, and a limit and an id with leading zeros',
    async check(sandbox) {
      const paths = ['/v1/pets?limit=01', '/v1/pets/01', '/v1/pets/-07', '/v1/pets/-0']
      const statuses = await Promise.all(
        paths.map(async (url) => (await send(sandbox, { url })).status),
      )
      expect(statuses).toEqual([200, 200, 404, 404])
      for (const category of ['1000', '1e3', '1000.0', '10000E-1', '1.000e+3']) {
        const created = await createWith(sandbox, `"name":"Rex","categoryId":${category}`)
        expect(created).toMatchObject([201, { categoryId: 1000 }])
      }
    },
  },
  {
    gap: 'integerForms',
    choice: 'reject',
    does: 'takes a category in digits only, and neither limit nor id with leading zeros',
    async check(sandbox) {
      const refused = await send(sandbox, { url: '/v1/pets?limit=01' })
      expect([refused.status, sandbox.journal.last()?.decision?.gap]).toEqual([400, 'integerForms'])
      for (const id of ['01', '-0', '-07', '%30%31']) {
        const { body } = await send(sandbox, { url: `/v1/pets/${id}` })
        expect(body).toMatch(/without leading zeros/)
        expect(sandbox.journal.last()?.decision?.gap).toBe('integerForms')
      }
      expect((await send(sandbox, { url: '/v1/pets/1' })).status).toBe(200)
      expect((await send(sandbox, { url: '/v1/pets?limit=10' })).status).toBe(200)
      expect((await send(sandbox, { url: '/v1/pets/0' })).body).toMatch(/no pet has this id/)
      for (const category of ['1e3', '1000.0', '10000E-1', '1.000e+3', '9007199254740993.0']) {
        await expectRefusal(
          sandbox,
          `"name":"Rex","tag":{"categoryId":5},"categoryId": ${category}`,
          `Cannot use categoryId: found "${category}"; send an integer without a fraction or an exponent`,
        )
      }
      await expectRefusal(sandbox, '"name":"Rex","categoryId":1.5', 'found 1.5; send an integer')
      for (const category of ['1000', '-0', '9007199254740993']) {
        const members = `"category\\u0049d" : ${category} ,"name":"R\\"x","tag":[{"categoryId":1e3}]`
        expect((await createWith(sandbox, members))[0]).toBe(201)
      }
    },
  },
  {
    gap: 'missingContentType',
    choice: 'accept',
    does: 'reads a body without a Content-Type as JSON, and refuses another type',
    async check(sandbox) {
      const body = '{"name":"Rex","categoryId":1}'
      const untyped = await send(sandbox, { method: 'POST', body })
      const headers = { 'content-type': 'text/plain' }
      const typed = await send(sandbox, { method: 'POST', body, headers })
      expect([untyped.status, typed.status]).toEqual([201, 400])
    },
  },
]
