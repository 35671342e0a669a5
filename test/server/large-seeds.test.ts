import { describe, expect, it } from 'vitest'
import { connectSandbox } from '../../src/client/connect-sandbox.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { expectServing, testServer } from '../kit/test-server.ts'
import { beginPut, write } from './begin-put.ts'

const manyPets = Array.from({ length: 20_000 }, (_, index) => ({
  id: index + 1,
  name: `Rex ${index}`,
  categoryId: 1,
}))

describe('PUT /_sandbox/seed', () => {
  it('is in force at its end, and answers others until then as before', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const json = JSON.stringify({ pets: manyPets })
    const { sent, answered } = beginPut(url, '/seed')
    for (let start = 0; start < json.length - 10; start += 300_000) {
      await write(sent, json.slice(start, Math.min(start + 300_000, json.length - 10)))
      await expectServing({ url })
    }
    expect(await sandbox.pets.size).toBe(30)
    sent.end(json.slice(-10))
    expect(await answered).toEqual({ status: 204, text: '' })
    expect(await sandbox.pets.size).toBe(20_000)
    await sandbox.pets.clear()
    await sandbox.reset()
    expect(await sandbox.pets.size).toBe(20_000)
  })

  it('refuses a wrong one as soon as it is, and changes nothing', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const { sent, answered } = beginPut(url, '/seed')
    await write(sent, '{"keys":[],"pets":[{"id":1,"name":5}')
    const { status, text } = await answered
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      'Cannot set seed.pets[0].name: found 5; use a string',
    ])
    sent.end()
    expect(await sandbox.pets.size).toBe(30)
    expect(await sandbox.keys.list()).toHaveLength(9)
    await expectServing({ url })
  })

  it('refuses one that is not JSON, or none at all', async () => {
    const { url } = await testServer()
    for (const json of ['', '{"pets":[]']) {
      const { sent, answered } = beginPut(url, '/seed')
      sent.end(json)
      const { status, text } = await answered
      expect([status, JSON.parse(text).message]).toEqual([
        400,
        'Cannot read the body: it is not valid JSON (it breaks off); send JSON',
      ])
    }
  })

  it('stands in a capture as a reseed', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const client = connectSandbox(url)
    const seed = {
      pets: manyPets.slice(0, 2),
      keys: [{ key: 'own-key', plan: 'enterprise', limits: { minute: 5, day: 9 } } as const],
    }
    await client.reseed(seed)
    const { steps } = await client.capture()
    expect(steps.at(-1)).toMatchObject({
      do: 'control',
      name: 'reseed',
      given: [{ pets: seed.pets, keys: [{ plan: 'enterprise' }] }],
    })
  })
})

describe('PUT /_sandbox/snapshot', () => {
  it('refuses a part that is too long to be read at once', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const { sent, answered } = beginPut(url, '/snapshot')
    await write(sent, `{"petstoreSandbox":1,"clock":"${'x'.repeat(2_200_000)}`)
    const { status, text } = await answered
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      'Cannot read clock: it is longer than 2097152 characters; use less',
    ])
    sent.end()
    expect(await sandbox.pets.size).toBe(30)
  })
})
