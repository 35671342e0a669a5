import { describe, expect, it } from 'vitest'
import { type AskedOptions, matchers } from '../../src/adapters/matchers.ts'
import { connectSandbox } from '../../src/client/connect-sandbox.ts'
import type { OperationName } from '../../src/mock/spec/endpoints.ts'
import type { Sandbox } from '../../src/mock/sandbox.ts'
import { startServer } from '../../src/server/start-server.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../kit/send.ts'

expect.extend(matchers)

const rex = { json: '{"name":"Rex","categoryId":9223372036854775807}' }

/** Sends requests one after the other, each when the one before is known to its client. */
async function ask(sandbox: Sandbox, ...requests: TestRequest[]): Promise<void> {
  for (const request of requests) {
    await sandbox.handle(requestOf(request))
    for (const _ of [1, 2, 3]) await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

/** A sandbox whose client lost the answer to a pet that it added, and added it again. */
async function duplicated(): Promise<Sandbox> {
  const sandbox = frozenSandbox()
  sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
  await ask(sandbox, rex, rex)
  return sandbox
}

/** A sandbox whose client was refused for a minute, and came back after so many seconds. */
async function refusedAndBack(...seconds: readonly number[]): Promise<Sandbox> {
  const sandbox = frozenSandbox()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  await ask(sandbox, {})
  for (const one of seconds) {
    sandbox.clock.advance(one * 1000)
    await ask(sandbox, {})
  }
  return sandbox
}

describe('toHaveBehaved()', () => {
  it('passes where the audit finds nothing', async () => {
    const sandbox = frozenSandbox()
    expect(sandbox).toHaveBehaved()
    await ask(sandbox, {}, rex)
    expect(sandbox).toHaveBehaved()
    expect(() => expect(sandbox).not.toHaveBehaved()).toThrow(
      'The audit has found nothing of severity error or worse in 2 exchanges.',
    )
  })

  it('says what was found, what to do, and by which exchanges', async () => {
    const sandbox = await duplicated()
    expect(sandbox).not.toHaveBehaved()
    expect(() => expect(sandbox).toHaveBehaved()).toThrowErrorMatchingInlineSnapshot(`
      [Error: expect(sandbox).toHaveBehaved()

      error unsafe-retry-duplicated (spec 4.2; RFC 9110, 9.2.2)
        The pet was added twice, as 31 and 32: the first answer was lost, but it had already been added.
        After a lost or broken answer to POST /pets, check with GET /pets whether the pet was added before you send it again.
        more: node_modules/petstore-sandbox/docs/audit.md#unsafe-retry-duplicated
        #1 00:00:00Z POST /v1/pets by free…: no answer (disconnect), added pet 31
        #2 00:00:00Z POST /v1/pets by free…: 201, added pet 32]
    `)
  })

  it('names the heading of the documents once for each rule', async () => {
    const sandbox = await duplicated()
    const max = { json: '{"name":"Max","categoryId":1}' }
    sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
    await ask(sandbox, max, max)
    const judge = async () => expect(sandbox).toHaveBehaved()
    const message = await judge().then(() => 'passed', String)
    expect(message.match(/^error .*(?= \()|more: .*/gm)).toEqual([
      'error unsafe-retry-duplicated',
      'more: node_modules/petstore-sandbox/docs/audit.md#unsafe-retry-duplicated',
      'error unsafe-retry-duplicated',
    ])
  })

  it('counts what is bad enough, but for the rules that are excepted', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, { url: '/v1/pets/1' })
    expect(sandbox).toHaveBehaved()
    expect(sandbox).not.toHaveBehaved({ atLeast: 'warning' })
    expect(sandbox).toHaveBehaved({ atLeast: 'warning', except: ['deprecated-operation'] })
  })

  it('judges nothing before the last reset', async () => {
    const sandbox = await duplicated()
    expect(sandbox).not.toHaveBehaved()
    sandbox.reset()
    expect(sandbox).toHaveBehaved()
    await ask(sandbox, { url: '/v1/pets/1' })
    expect(sandbox).not.toHaveBehaved({ atLeast: 'warning' })
  })

  it('names what it takes', () => {
    const sandbox = frozenSandbox()
    const wrong: object = { except: ['rudeness'] }
    expect(() => expect(sandbox).toHaveBehaved(wrong)).toThrow(
      'Cannot set toHaveBehaved.except[0]: found "rudeness"; use one of retry-too-early, ',
    )
    const misspelt: object = { atleast: 'warning' }
    expect(() => expect(sandbox).not.toHaveBehaved(misspelt)).toThrow(
      'Cannot set toHaveBehaved.atleast: ',
    )
  })

  it.each([undefined, null, 5, {}, [], { audit() {} }])('refuses what is no sandbox (%s)', (no) => {
    expect(() => expect(no).toHaveBehaved()).toThrow('Cannot judge a client: found')
    expect(() => expect(no).not.toHaveBehaved()).toThrow('use expect(sandbox), with a sandbox')
  })
})

describe('toHaveWaited()', () => {
  it('passes for who came back as told', async () => {
    const sandbox = await refusedAndBack(60)
    expect(sandbox).toHaveWaited('listPets')
    expect(() => expect(sandbox).not.toHaveWaited('listPets')).toThrow(
      'listPets came back after 60 s, as it was told',
    )
  })

  it('fails for who came back before, even once', async () => {
    const sandbox = await refusedAndBack(20, 40)
    expect(sandbox).not.toHaveWaited('listPets')
    expect(() => expect(sandbox).toHaveWaited('listPets')).toThrowErrorMatchingInlineSnapshot(`
      [Error: expect(sandbox).toHaveWaited('listPets')

      listPets came back after 20 s, and was told to wait 60 s:
        #1 00:00:00Z GET /v1/pets by free…: 429 rate_limit_exceeded, to wait until 00:01:00Z
        #2 00:00:20Z GET /v1/pets by free…: 429 rate_limit_exceeded, to wait until 00:01:00Z]
    `)
  })

  it('says how long to wait as it was sent, rounded up', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    sandbox.clock.advance(28_300)
    await ask(sandbox, {})
    sandbox.clock.advance(700)
    await ask(sandbox, {})
    expect(() => expect(sandbox).toHaveWaited('listPets')).toThrow(
      'came back after 0.7 s, and was told to wait 32 s',
    )
  })

  it('fails for who never came back', async () => {
    const sandbox = await refusedAndBack()
    expect(sandbox).not.toHaveWaited('listPets')
    expect(() => expect(sandbox).toHaveWaited('listPets')).toThrow(
      'listPets was refused, and its client has not come back since',
    )
  })

  it('counts no refusal that a change of the key made void', async () => {
    const sandbox = await refusedAndBack()
    sandbox.keys.setRemaining('free-key', { minute: 5 })
    await ask(sandbox, {})
    expect(() => expect(sandbox).toHaveWaited('listPets')).toThrow('has not come back since')
  })

  it('proves nothing where nothing was refused', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, {})
    const why = 'listPets was never refused with a time to wait'
    expect(() => expect(sandbox).toHaveWaited('listPets')).toThrow(why)
    expect(() => expect(sandbox).not.toHaveWaited('listPets')).toThrow(why)
  })

  it('counts requests that were under way already for nothing', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await Promise.all([sandbox.handle(requestOf({})), sandbox.handle(requestOf({}))])
    sandbox.clock.advance('1m')
    await ask(sandbox, {})
    expect(sandbox).toHaveWaited('listPets')
  })
})

describe('toHaveRetried()', () => {
  it('counts what was sent again after it had failed', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 2 })
    await ask(sandbox, {}, {}, {}, {})
    expect(sandbox).toHaveRetried('listPets')
    expect(sandbox).toHaveRetried('listPets', { times: 2 })
    expect(sandbox).not.toHaveRetried('listPets', { times: 1 })
    expect(sandbox).not.toHaveRetried('createPet')
    expect(() => expect(sandbox).not.toHaveRetried('listPets')).toThrow(
      'listPets was sent again twice after a failure:',
    )
    expect(() => expect(sandbox).toHaveRetried('listPets', { times: 3 })).toThrow(
      'listPets was sent again twice after a failure, not 3 times:\n  #1 00:00:00Z GET /v1/pets by free…: 503',
    )
  })

  it('counts answers that nobody can read, and none that came', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'malformed-json', times: 1 })
    await ask(sandbox, {}, {}, {})
    expect(sandbox).toHaveRetried('listPets', { times: 1 })
  })

  it('takes another request for no retry', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
    await ask(sandbox, {}, { url: '/v1/pets?limit=2' }, { key: 'pro-key' })
    expect(sandbox).not.toHaveRetried('listPets')
  })
})

describe('toHaveDuplicated()', () => {
  it('finds what was sent again after its answer was lost, and took effect twice', async () => {
    const sandbox = await duplicated()
    expect(sandbox).toHaveDuplicated('createPet')
    expect(() => expect(sandbox).not.toHaveDuplicated('createPet')).toThrow(
      /took effect twice.*:\n {2}#1 .* added pet 31\n {2}#2 .* added pet 32$/,
    )
  })

  it('finds nothing in two pets that are alike, nor in one that was refused at first', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
    await ask(sandbox, rex, rex, rex)
    expect(sandbox).not.toHaveDuplicated('createPet')
    expect(() => expect(sandbox).toHaveDuplicated('createPet')).toThrow('no more than once')
  })

  it('names what can be added', () => {
    const operation: unknown = 'listPets'
    const call = () =>
      Reflect.apply(matchers.toHaveDuplicated, {}, [frozenSandbox(), operation]) as unknown
    expect(call).toThrow('Cannot set toHaveDuplicated.operation: found "listPets"; use "createPet"')
  })
})

describe('toHaveBeenAsked()', () => {
  it.each<{ operation: OperationName; options?: AskedOptions; asked: boolean }>([
    { operation: 'listPets', asked: true },
    { operation: 'getPet', asked: false },
    { operation: 'listPets', options: { times: 2 }, asked: true },
    { operation: 'listPets', options: { times: 1 }, asked: false },
    { operation: 'getPet', options: { times: 0 }, asked: true },
    { operation: 'listPets', options: { times: 1, query: { limit: 2 } }, asked: true },
    { operation: 'listPets', options: { times: 1, query: { limit: undefined } }, asked: true },
    { operation: 'listPets', options: { query: { limit: 2, status: 'sold' } }, asked: true },
    { operation: 'listPets', options: { query: { limit: 3 } }, asked: false },
    { operation: 'listPets', options: { status: 401, times: 1 }, asked: true },
    { operation: 'listPets', options: { status: 'timeout' }, asked: false },
    { operation: 'listPets', options: { key: 'free-key', times: 1 }, asked: true },
    { operation: 'listPets', options: { key: 'pro-key' }, asked: false },
    { operation: 'createPet', options: { body: { name: 'Rex' } }, asked: true },
    { operation: 'createPet', options: { body: { name: expect.any(String) } }, asked: true },
    { operation: 'createPet', options: { body: { name: expect.any(Number) } }, asked: false },
    { operation: 'createPet', options: { body: { name: 'Rex', status: 'sold' } }, asked: false },
    { operation: 'createPet', options: { body: { status: undefined } }, asked: true },
    {
      operation: 'createPet',
      options: { body: { categoryId: 9223372036854775807n } },
      asked: true,
    },
    {
      operation: 'createPet',
      options: { body: { categoryId: 9223372036854775806n } },
      asked: false,
    },
    { operation: 'createPet', options: { body: rex.json }, asked: true },
    { operation: 'createPet', options: { body: [] }, asked: false },
    {
      operation: 'createPet',
      options: { headers: { 'Content-Type': 'application/json' } },
      asked: true,
    },
  ])('knows $operation with $options: $asked', async ({ operation, options, asked }) => {
    const sandbox = frozenSandbox()
    await ask(sandbox, { url: '/v1/pets?limit=2&status=sold' }, { key: 'wrong-key' }, rex)
    if (asked) expect(sandbox).toHaveBeenAsked(operation, options)
    else expect(sandbox).not.toHaveBeenAsked(operation, options)
    const opposite = () =>
      asked
        ? expect(sandbox).not.toHaveBeenAsked(operation, options)
        : expect(sandbox).toHaveBeenAsked(operation, options)
    expect(opposite).toThrow(`${operation} was `)
  })

  it('says what each request had instead, and shows no key', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, rex, { ...rex, key: 'pro-key' })
    const expected = { body: { name: 'Max' } }
    expect(() =>
      expect(sandbox).toHaveBeenAsked('createPet', expected),
    ).toThrowErrorMatchingInlineSnapshot(`
      [Error: expect(sandbox).toHaveBeenAsked('createPet')

      createPet was asked twice, never like this:
        #1 00:00:00Z POST /v1/pets by free…: 201, added pet 31 – body.name is "Rex"
        #2 00:00:00Z POST /v1/pets by pro…: 201, added pet 32 – body.name is "Rex"]
    `)
  })

  it('counts those that are like what is wanted', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, {}, { url: '/v1/pets?limit=2' })
    expect(() =>
      expect(sandbox).toHaveBeenAsked('listPets', { times: 2, query: { limit: 2 } }),
    ).toThrow('listPets was asked twice, once like this, not twice:')
  })

  it('shows some of many requests', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, ...Array.from({ length: 9 }, () => ({})))
    expect(() => expect(sandbox).toHaveBeenAsked('listPets', { times: 1 })).toThrow(
      /asked 9 times, not once:\n {2}#1 .*\n {2}#2 .*\n {2}#3 .*\n {2}… 4 more\n {2}#8 .*\n {2}#9 .*$/,
    )
  })

  it('says of any matcher when an operation was never asked', () => {
    const sandbox = frozenSandbox()
    for (const call of [
      () => expect(sandbox).toHaveRetried('createPet'),
      () => expect(sandbox).toHaveDuplicated('createPet'),
      () => expect(sandbox).toHaveBeenAsked('createPet'),
    ]) {
      expect(call).toThrow(/\n\ncreatePet was never asked$/)
    }
  })

  it('names the operations that there are', () => {
    const operation: unknown = 'lists'
    const call = () =>
      Reflect.apply(matchers.toHaveBeenAsked, {}, [frozenSandbox(), operation]) as unknown
    expect(call).toThrow(
      'Cannot set toHaveBeenAsked.operation: found "lists"; use one of listPets, createPet, getPet, listOrders',
    )
  })
})

describe('the matchers on a process', () => {
  it('say later what they say of a sandbox at once', async () => {
    const server = await startServer({ port: 0 })
    const client = connectSandbox(server.url)
    const headers = { authorization: 'Bearer free-key' }
    await client.faults.add({ fault: 'status', status: 503, times: 1 })
    for (const _ of [1, 2]) await (await fetch(`${server.url}/v1/pets`, { headers })).text()
    await expect(client).toHaveBehaved()
    await expect(client).toHaveRetried('listPets', { times: 1 })
    await expect(client).not.toHaveDuplicated('createPet')
    await expect(client).toHaveBeenAsked('listPets', { key: 'free-key', times: 2 })
    await expect(async () => expect(client).toHaveWaited('listPets')).rejects.toThrow(
      'listPets was never refused',
    )
    await (await fetch(`${server.url}/v1/pets/1`, { headers })).text()
    await expect(async () =>
      expect(client).toHaveBehaved({ atLeast: 'warning', oneClient: true }),
    ).rejects.toThrow(/warning deprecated-operation[\s\S]*#3 .* GET \/v1\/pets\/1 by free…: 200/)
    await server.close()
  })
})
