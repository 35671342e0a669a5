import { describe, expect, it } from 'vitest'
import type { ApiRequest, Reply } from '../../src/contract/message.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

async function answerOf(sandbox: Sandbox, request: ApiRequest): Promise<Reply> {
  const outcome = await sandbox.handle(request)
  if (outcome.kind !== 'reply') throw new Error(`Cannot give the reply: found ${outcome.kind}`)
  return outcome
}

describe('what the guides warn of', () => {
  it('is true: a pet that was added is not in the default page', async () => {
    const sandbox = frozenSandbox()
    await answerOf(sandbox, requestOf({ json: '{"name":"Rex","categoryId":1}' }))
    const { body } = await answerOf(sandbox, requestOf({}))
    expect(JSON.parse(body)).toHaveLength(20)
    expect(body).not.toContain('Rex')
    expect((await answerOf(sandbox, requestOf({ url: '/v1/pets?limit=100' }))).body).toContain(
      'Rex',
    )
    expect(sandbox.pets.size).toBe(31)
  })

  it("is true: a pet made behind the API's back has no status of its own", () => {
    const sandbox = frozenSandbox()
    const pet = sandbox.pets.create({ name: 'Rex', categoryId: 1 })
    expect(pet).toEqual({ id: 31, name: 'Rex', categoryId: 1 })
  })

  it('is true: after ten refusals in one minute, the next request bans the key for five minutes', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    const codes: string[] = []
    while (codes.length < 11)
      codes.push(JSON.parse((await answerOf(sandbox, requestOf({}))).body).code)
    expect(new Set(codes.slice(0, 10))).toEqual(new Set(['rate_limit_exceeded']))
    expect(codes[10]).toBe('key_banned')
    expect(sandbox.journal.last()?.outcome).toMatchObject({ headers: { 'retry-after': '300' } })
  })

  it('is true: faults that strike the same request add up', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([
      { fault: 'status', status: 503 },
      { fault: 'status', status: 500 },
      { fault: 'latency', ms: '1s' },
      { fault: 'latency', ms: '2s' },
    ])
    const answer = answerOf(sandbox, requestOf({}))
    sandbox.clock.advance('3s')
    expect(await answer).toMatchObject({ status: 503 })
  })

  it('is true: a lost answer leaves the pet in the store, a status in its place does not', async () => {
    const sandbox = frozenSandbox()
    const request = requestOf({ json: '{"name":"Rex","categoryId":1}' })
    sandbox.faults.add({ fault: 'disconnect', times: 1 })
    expect(await sandbox.handle(request)).toEqual({ kind: 'disconnect' })
    expect(sandbox.pets.size).toBe(31)
    sandbox.faults.add({ fault: 'status', times: 1 })
    expect(await answerOf(sandbox, request)).toMatchObject({ status: 500 })
    expect(sandbox.pets.size).toBe(31)
  })
})
