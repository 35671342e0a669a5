import { describe, expect, it } from 'vitest'
import { matchers, type ReceivedOptions } from '../../../src/adapters/matchers.ts'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import type { OperationName } from '../../../src/mock/api/endpoints.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { startServer } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../../kit/send.ts'

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

/** A sandbox whose client was rejected for a minute, and came back after so many seconds. */
async function rejectedAndBack(...seconds: readonly number[]): Promise<Sandbox> {
  const sandbox = frozenSandbox()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  await ask(sandbox, {})
  for (const one of seconds) {
    sandbox.clock.advance(one * 1000)
    await ask(sandbox, {})
  }
  return sandbox
}

describe('toHaveNoFindings()', () => {
  it('passes where the audit finds nothing', async () => {
    const sandbox = frozenSandbox()
    expect(sandbox).toHaveNoFindings()
    await ask(sandbox, {}, rex)
    expect(sandbox).toHaveNoFindings()
    expect(() => expect(sandbox).not.toHaveNoFindings()).toThrow(
      'The audit has found nothing of severity error or worse in 2 requests.',
    )
  })

  it('says what was found, what to do, and by which requests', async () => {
    const sandbox = await duplicated()
    expect(sandbox).not.toHaveNoFindings()
    expect(() => expect(sandbox).toHaveNoFindings()).toThrowErrorMatchingInlineSnapshot(`
      [Error: expect(sandbox).toHaveNoFindings()

      error duplicate-create (spec 4.2; RFC 9110, 9.2.2)
        The pet was added twice, as 31 and 32: the first response was lost, but it had already been added.
        After a lost or broken response to POST /pets, look for the pet with GET /pets before you send it again: several times, as the list may be late.
        more: node_modules/petstore-sandbox/docs/reference/audit-rules.md#duplicate-create
        #1 00:00:00Z POST /v1/pets by free…: no response (disconnect), added pet 31
        #2 00:00:00Z POST /v1/pets by free…: 201, added pet 32]
    `)
  })

  it('names the heading of the documents once for each rule', async () => {
    const sandbox = await duplicated()
    const max = { json: '{"name":"Max","categoryId":1}' }
    sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
    await ask(sandbox, max, max)
    const judge = async () => expect(sandbox).toHaveNoFindings()
    const message = await judge().then(() => 'passed', String)
    expect(message.match(/^error .*(?= \()|more: .*/gm)).toEqual([
      'error duplicate-create',
      'more: node_modules/petstore-sandbox/docs/reference/audit-rules.md#duplicate-create',
      'error duplicate-create',
    ])
  })

  it('counts what is bad enough, but for the rules that are excepted', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, { url: '/v1/pets/1' })
    expect(sandbox).toHaveNoFindings()
    expect(sandbox).not.toHaveNoFindings({ atLeast: 'warning' })
    expect(sandbox).toHaveNoFindings({ atLeast: 'warning', except: ['deprecated-operation'] })
  })

  it('judges nothing before the last reset', async () => {
    const sandbox = await duplicated()
    expect(sandbox).not.toHaveNoFindings()
    sandbox.reset()
    expect(sandbox).toHaveNoFindings()
    await ask(sandbox, { url: '/v1/pets/1' })
    expect(sandbox).not.toHaveNoFindings({ atLeast: 'warning' })
  })

  it('names what it takes', () => {
    const sandbox = frozenSandbox()
    const wrong: object = { except: ['rudeness'] }
    expect(() => expect(sandbox).toHaveNoFindings(wrong)).toThrow(
      'Cannot set toHaveNoFindings.except[0]: found "rudeness"; use one of retry-too-early, ',
    )
    const misspelt: object = { atleast: 'warning' }
    expect(() => expect(sandbox).not.toHaveNoFindings(misspelt)).toThrow(
      'Cannot set toHaveNoFindings.atleast: ',
    )
  })

  it.each([undefined, null, 5, {}, [], { audit() {} }])('rejects what is no sandbox (%s)', (no) => {
    expect(() => expect(no).toHaveNoFindings()).toThrow('Cannot check a client: found')
    expect(() => expect(no).not.toHaveNoFindings()).toThrow('use expect(sandbox), with a sandbox')
  })
})

describe('toHaveSeenWait()', () => {
  it('passes for who came back as told', async () => {
    const sandbox = await rejectedAndBack(60)
    expect(sandbox).toHaveSeenWait('listPets')
    expect(() => expect(sandbox).not.toHaveSeenWait('listPets')).toThrow(
      'listPets came back after 60 s, as Retry-After said',
    )
  })

  it('fails for who came back before, even once', async () => {
    const sandbox = await rejectedAndBack(20, 40)
    expect(sandbox).not.toHaveSeenWait('listPets')
    expect(() => expect(sandbox).toHaveSeenWait('listPets')).toThrowErrorMatchingInlineSnapshot(`
      [Error: expect(sandbox).toHaveSeenWait('listPets')

      listPets came back after 20 s; Retry-After was 60 s:
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
    expect(() => expect(sandbox).toHaveSeenWait('listPets')).toThrow(
      'came back after 0.7 s; Retry-After was 32 s',
    )
  })

  it('fails for who never came back', async () => {
    const sandbox = await rejectedAndBack()
    expect(sandbox).not.toHaveSeenWait('listPets')
    expect(() => expect(sandbox).toHaveSeenWait('listPets')).toThrow(
      'listPets was rejected, and its client has not sent it again since',
    )
  })

  it('counts no rejection that a change of the key made void', async () => {
    const sandbox = await rejectedAndBack()
    sandbox.keys.setRemaining('free-key', { minute: 5 })
    await ask(sandbox, {})
    expect(() => expect(sandbox).toHaveSeenWait('listPets')).toThrow('has not sent it again since')
  })

  it('proves nothing where nothing was rejected', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, {})
    const why = 'listPets never got Retry-After'
    expect(() => expect(sandbox).toHaveSeenWait('listPets')).toThrow(why)
    expect(() => expect(sandbox).not.toHaveSeenWait('listPets')).toThrow(why)
  })

  it('counts requests that were under way already for nothing', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await Promise.all([sandbox.handle(requestOf({})), sandbox.handle(requestOf({}))])
    sandbox.clock.advance('1m')
    await ask(sandbox, {})
    expect(sandbox).toHaveSeenWait('listPets')
  })
})

describe('toHaveSeenRetry()', () => {
  it('counts what was sent again after it had failed', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 2 })
    await ask(sandbox, {}, {}, {}, {})
    expect(sandbox).toHaveSeenRetry('listPets')
    expect(sandbox).toHaveSeenRetry('listPets', { times: 2 })
    expect(sandbox).not.toHaveSeenRetry('listPets', { times: 1 })
    expect(sandbox).not.toHaveSeenRetry('createPet')
    expect(() => expect(sandbox).not.toHaveSeenRetry('listPets')).toThrow(
      'listPets was sent again twice after a failure:',
    )
    expect(() => expect(sandbox).toHaveSeenRetry('listPets', { times: 3 })).toThrow(
      'listPets was sent again twice after a failure, not 3 times:\n  #1 00:00:00Z GET /v1/pets by free…: 503',
    )
  })

  it('counts responses that nobody can read, and none that came', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'malformed-json', times: 1 })
    await ask(sandbox, {}, {}, {})
    expect(sandbox).toHaveSeenRetry('listPets', { times: 1 })
  })

  it('takes another request for no retry', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
    await ask(sandbox, {}, { url: '/v1/pets?limit=2' }, { key: 'pro-key' })
    expect(sandbox).not.toHaveSeenRetry('listPets')
  })
})

describe('toHaveSeenDuplicate()', () => {
  it('finds what was sent again after its response was lost, and took effect twice', async () => {
    const sandbox = await duplicated()
    expect(sandbox).toHaveSeenDuplicate('createPet')
    expect(() => expect(sandbox).not.toHaveSeenDuplicate('createPet')).toThrow(
      /took effect twice.*:\n {2}#1 .* added pet 31\n {2}#2 .* added pet 32$/,
    )
  })

  it('finds nothing in two pets that are alike, nor in one that was rejected at first', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
    await ask(sandbox, rex, rex, rex)
    expect(sandbox).not.toHaveSeenDuplicate('createPet')
    expect(() => expect(sandbox).toHaveSeenDuplicate('createPet')).toThrow('no more than once')
  })

  it('names what can be added', () => {
    const operation: unknown = 'listPets'
    const call = () =>
      Reflect.apply(matchers.toHaveSeenDuplicate, {}, [frozenSandbox(), operation]) as unknown
    expect(call).toThrow(
      'Cannot set toHaveSeenDuplicate.operation: found "listPets"; use "createPet"',
    )
  })
})

describe('toHaveReceived()', () => {
  it.each<{ operation: OperationName; options?: ReceivedOptions; asked: boolean }>([
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
    if (asked) expect(sandbox).toHaveReceived(operation, options)
    else expect(sandbox).not.toHaveReceived(operation, options)
    const opposite = () =>
      asked
        ? expect(sandbox).not.toHaveReceived(operation, options)
        : expect(sandbox).toHaveReceived(operation, options)
    expect(opposite).toThrow(`${operation} was `)
  })

  it('says what each request had instead, and shows no key', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, rex, { ...rex, key: 'pro-key' })
    const expected = { body: { name: 'Max' } }
    expect(() =>
      expect(sandbox).toHaveReceived('createPet', expected),
    ).toThrowErrorMatchingInlineSnapshot(
      `
      [Error: expect(sandbox).toHaveReceived('createPet')

      createPet was called twice, never like this:
        #1 00:00:00Z POST /v1/pets by free…: 201, added pet 31 – body.name is "Rex"
        #2 00:00:00Z POST /v1/pets by pro…: 201, added pet 32 – body.name is "Rex"]
    `,
    )
  })

  it('counts those that are like what is wanted', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, {}, { url: '/v1/pets?limit=2' })
    expect(() =>
      expect(sandbox).toHaveReceived('listPets', { times: 2, query: { limit: 2 } }),
    ).toThrow('listPets was called twice, once like this, not twice:')
  })

  it('shows some of many requests', async () => {
    const sandbox = frozenSandbox()
    await ask(sandbox, ...Array.from({ length: 9 }, () => ({})))
    expect(() => expect(sandbox).toHaveReceived('listPets', { times: 1 })).toThrow(
      /called 9 times, not once:\n {2}#1 .*\n {2}#2 .*\n {2}#3 .*\n {2}… 4 more\n {2}#8 .*\n {2}#9 .*$/,
    )
  })

  it('says of any matcher when an operation was never called', () => {
    const sandbox = frozenSandbox()
    for (const call of [
      () => expect(sandbox).toHaveSeenRetry('createPet'),
      () => expect(sandbox).toHaveSeenDuplicate('createPet'),
      () => expect(sandbox).toHaveReceived('createPet'),
    ]) {
      expect(call).toThrow(/\n\ncreatePet was never called$/)
    }
  })

  it('names the operations that there are', () => {
    const operation: unknown = 'lists'
    const call = () =>
      Reflect.apply(matchers.toHaveReceived, {}, [frozenSandbox(), operation]) as unknown
    expect(call).toThrow(
      'Cannot set toHaveReceived.operation: found "lists"; use one of listPets, createPet, getPet, listOrders',
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
    await expect(client).toHaveNoFindings()
    await expect(client).toHaveSeenRetry('listPets', { times: 1 })
    await expect(client).not.toHaveSeenDuplicate('createPet')
    await expect(client).toHaveReceived('listPets', { key: 'free-key', times: 2 })
    await expect(async () => expect(client).toHaveSeenWait('listPets')).rejects.toThrow(
      'listPets never got Retry-After',
    )
    await (await fetch(`${server.url}/v1/pets/1`, { headers })).text()
    await expect(async () =>
      expect(client).toHaveNoFindings({ atLeast: 'warning', oneClient: true }),
    ).rejects.toThrow(/warning deprecated-operation[\s\S]*#3 .* GET \/v1\/pets\/1 by free…: 200/)
    await server.close()
  })
})
