import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../src/checks/audit/finding.ts'
import { EventStreams } from '../../../../src/sandbox/controls/http/events.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { controlHost } from '../../../kit/control-host.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../../../kit/send.ts'
import { sendControl } from '../../../kit/send-control.ts'
import { namesIn } from '../../../kit/story.ts'

/** Asks for a pet by the deprecated operation, which is found once for each caller. */
async function askForPet(sandbox: Sandbox, key = 'free-key'): Promise<void> {
  await sandbox.handle(requestOf({ key, url: '/v1/pets/1' }))
}

const found = 'warning deprecated-operation'

function isOfFound({ rule }: Finding): boolean {
  return rule === 'deprecated-operation'
}

describe('Sandbox.findings()', () => {
  it('judges what the request log has, and what comes', async () => {
    const sandbox = frozenSandbox()
    await askForPet(sandbox)
    expect(namesIn(await sandbox.findings())).toEqual([found])
    await askForPet(sandbox, 'pro-key')
    expect(namesIn(await sandbox.findings())).toEqual([found, found])
  })

  it('forgets nothing that the request log forgets, or that a reset ends', async () => {
    const sandbox = frozenSandbox({ maxRequests: 1 })
    await sandbox.findings()
    await askForPet(sandbox)
    await askForPet(sandbox, 'pro-key')
    sandbox.requests.clear()
    sandbox.reset()
    expect(namesIn(await sandbox.findings())).toEqual([found, found])
  })

  it('misses nothing from the call on, even if a reset comes before the rules are there', async () => {
    const sandbox = frozenSandbox()
    await askForPet(sandbox)
    const audit = sandbox.findings()
    sandbox.reset()
    expect(namesIn(await audit)).toEqual([found])
  })

  it('sees all even where no request log is kept', async () => {
    const sandbox = frozenSandbox({ maxRequests: 0 })
    await sandbox.findings()
    await askForPet(sandbox)
    expect(namesIn(await sandbox.findings())).toEqual([found])
  })

  it('concludes nothing across what changes the world', async () => {
    const sandbox = frozenSandbox()
    const key = 'minute-exhausted-key'
    await sandbox.handle(requestOf({ key }))
    sandbox.clock.advance('1s')
    sandbox.keys.setRemaining(key, { minute: 5 })
    await sandbox.handle(requestOf({ key }))
    expect((await sandbox.findings()).filter(({ severity }) => severity !== 'info')).toEqual([])
  })

  it('keeps the first hundred findings of a rule, and those of all others', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    for (let caller = 0; caller < 150; caller++) await askForPet(sandbox, `caller-${caller}`)
    await sandbox.handle(requestOf({ url: '/v1/pets?api_key=pro-key' }))
    const names = namesIn(await sandbox.findings())
    expect(names.filter((name) => name === found)).toHaveLength(100)
    expect(names).toContain('error key-in-url')
  })

  it('finds again after a reset what it finds once, apart from what was found before', async () => {
    const sandbox = frozenSandbox()
    for (const _ of [1, 2]) await askForPet(sandbox)
    sandbox.setGaps({ emptyName: 'reject' })
    await askForPet(sandbox)
    const [before, ...others] = (await sandbox.findings()).filter(isOfFound)
    expect(before).toMatchObject({ requests: [1] })
    expect(others).toEqual([])
    sandbox.reset()
    for (const _ of [1, 2]) await askForPet(sandbox)
    expect((await sandbox.findings()).filter(isOfFound)).toEqual([
      { ...before, beforeReset: true },
      { ...before, requests: [4] },
    ])
  })

  it('keeps a hundred findings of a rule since each reset, and a thousand in all', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    const counts: number[] = []
    for (let reset = 0; reset < 11; reset++) {
      for (let caller = 0; caller < 101; caller++) await askForPet(sandbox, `caller-${caller}`)
      counts.push((await sandbox.findings()).filter(isOfFound).length)
      sandbox.reset()
    }
    expect([counts.at(0), counts.at(1), counts.at(9), counts.at(10)]).toEqual([
      100, 200, 1_000, 1_000,
    ])
  })

  it('quotes what a client sent without its keys', async () => {
    const sandbox = frozenSandbox()
    const request = requestOf({ url: '/v1/cats?key=pro-key' })
    for (let sent = 0; sent < 3; sent++) {
      await sandbox.handle(request)
    }
    const messages = (await sandbox.findings({ oneClient: true })).map(({ message }) => message)
    expect(messages.join()).toContain('Sent GET /v1/cats?key=pro… 3 times')
    expect(messages.join()).not.toContain('pro-key')
  })

  it('judges by what was so when it happened, whatever changes after that', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    for (let polls = 0; polls < 12; polls++) {
      await sandbox.handle(requestOf({ key: 'enterprise-key' }))
      sandbox.clock.advance('10s')
    }
    sandbox.keys.update('enterprise-key', { limits: { minute: 2, day: 100 } })
    expect(namesIn(await sandbox.findings())).toEqual(['info list-truncated'])
  })

  it('quotes no key that a new seed has put an end to', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    await sandbox.handle(requestOf({ url: '/v1/pets?name=pro-key' }))
    sandbox.replaceSeed({ keys: [] })
    const [finding] = await sandbox.findings()
    expect(finding).toMatchObject({ rule: 'key-in-url' })
    expect(JSON.stringify(finding)).not.toContain('pro-key')
  })

  it('quotes no key that went before a thousand others', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    const keys = Array.from({ length: 1_001 }, (_, number) => `gone-key-${number}`)
    for (const key of keys) sandbox.keys.issue({ key, plan: 'free' })
    for (const key of keys.slice(1)) sandbox.keys.delete(key)
    const request = requestOf({ url: '/v1/cats?key=gone-key-5' })
    for (let sent = 0; sent < 3; sent++) await sandbox.handle(request)
    await sendControl(controlHost({ sandbox }), 'DELETE', '/keys/gone-key-0')
    const messages = (await sandbox.findings({ oneClient: true })).map(({ message }) => message)
    expect(messages.join()).toContain('Sent GET /v1/cats?key=gone… 3 times')
    expect(messages.join()).not.toContain('gone-key-5')
  })

  it('counts requests whose bodies are still on their way as under way', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    sandbox.faults.add({ fault: 'slow-body', ms: '1m' })
    for (let sent = 0; sent < 12; sent++) {
      await sandbox.handle(requestOf({}), undefined, sandbox.arrivals.arrive('server', sent))
    }
    expect(namesIn(await sandbox.findings())).toContain('info too-many-parallel-requests')
  })

  it('knows of a key with several connections when a slow body has ended after the next request', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    const send = async (connection: number, request: TestRequest = {}) => {
      const arrived = sandbox.arrivals.arrive('server', connection)
      await sandbox.handle(requestOf(request), undefined, arrived)
      return arrived
    }
    sandbox.faults.add({ fault: 'slow-body', ms: '1m', times: 1 })
    const slow = await send(1)
    await send(2)
    sandbox.arrivals.close(slow)
    sandbox.faults.add({ fault: 'disconnect', when: 'body', times: 1 })
    const json = '{"name":"Rex","categoryId":1}'
    const broken = await send(1, { json })
    sandbox.arrivals.close(broken)
    await send(2, { json })
    expect(namesIn(await sandbox.findings()).filter((name) => name.includes('unsafe'))).toEqual([])
  })

  it('counts what is judged so far', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    await askForPet(sandbox)
    expect(sandbox.resultSoFar()).toMatchObject({ requests: 1, findings: [{ client: 1 }] })
  })

  it('rejects options that there are not', async () => {
    await expect(frozenSandbox().findings({ client: true } as never)).rejects.toThrow(
      'Cannot set audit.client: ',
    )
  })
})

describe('Sandbox.onFinding()', () => {
  it('reports each new finding, over resets, until it is ended', async () => {
    const sandbox = frozenSandbox()
    const heard: Finding[] = []
    const end = sandbox.onFinding((finding) => heard.push(finding))
    await sandbox.findings()
    await askForPet(sandbox)
    sandbox.reset()
    await askForPet(sandbox, 'pro-key')
    end()
    await askForPet(sandbox, 'business-key')
    expect(heard.map(({ client }) => client)).toEqual([1, 2])
  })

  it('reports nothing that happened before', async () => {
    const sandbox = frozenSandbox()
    await sandbox.findings()
    await askForPet(sandbox)
    const heard: Finding[] = []
    sandbox.onFinding((finding) => heard.push(finding))
    await sandbox.findings()
    await askForPet(sandbox, 'pro-key')
    expect(heard.map(({ client }) => client)).toEqual([2])
  })

  it('can be ended before the rules are there', async () => {
    const sandbox = frozenSandbox()
    const heard: Finding[] = []
    sandbox.onFinding((finding) => heard.push(finding))()
    await sandbox.findings()
    await askForPet(sandbox)
    expect(heard).toEqual([])
  })

  it('is what a stream of events tells, too', async () => {
    const sandbox = frozenSandbox()
    const { requests, onFinding } = sandbox
    const stream = new EventStreams().open(requests, undefined, undefined, onFinding)
    await sandbox.findings()
    await stream.next()
    await askForPet(sandbox)
    const texts = [(await stream.next()).value, (await stream.next()).value]
    expect(texts.find((text) => text?.startsWith('event: finding'))).toContain(
      '"rule":"deprecated-operation"',
    )
    await stream.return?.()
  })
})
