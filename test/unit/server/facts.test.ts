import { Agent, get } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFetchHandler } from '../../../src/adapters/fetch.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { testServer } from '../../kit/test-server.ts'
import { until } from './until.ts'

const headers = { Authorization: 'Bearer free-key' }

/** Sends a request through an agent, and reads its answer whole. */
function sendWith(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/v1/pets`, { agent, headers }, (message) => {
      message.on('end', resolve).resume()
    }).on('error', reject)
  })
}

/** An agent that lasts as long as a test. */
function agentFor(options: { readonly keepAlive: boolean }): Agent {
  const agent = new Agent(options)
  onTestFinished(() => agent.destroy())
  return agent
}

describe('the facts of a process', () => {
  it('number the connections, and have requests of one follow each other', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const kept = agentFor({ keepAlive: true })
    await sendWith(kept, url)
    await sendWith(kept, url)
    await sendWith(agentFor({ keepAlive: false }), url)
    const entries = await sandbox.requests.list()
    const [first, second, third] = entries.map(({ connection = 0 }) => connection)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    const begun = entries[0]?.sequence.start ?? 0
    expect(entries).toMatchObject(
      [0, 2, 4].map((after) => ({
        adapter: 'server',
        delivery: 'delivered',
        sequence: { start: begun + after, end: begun + after + 1 },
      })),
    )
  })

  it('say that a client left before its response, also where a fault keeps it for ever', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const faults = [{ fault: 'timeout' }, { fault: 'latency', ms: '1h' }] as const
    for (const [index, fault] of faults.entries()) {
      await sandbox.faults.clear()
      await sandbox.faults.add(fault)
      const leave = new AbortController()
      const left = fetch(`${url}/v1/pets`, { headers, signal: leave.signal })
      await until(async () => (await sandbox.faults.list())[0]?.applied === 1)
      leave.abort()
      await expect(left).rejects.toThrow()
      await until(async () => (await sandbox.requests.list()).length === index + 1)
      await until(async () => (await sandbox.requests.last())?.delivery === 'aborted')
    }
    expect(await sandbox.requests.list()).toMatchObject([
      { delivery: 'aborted', outcome: { kind: 'timeout' } },
      { delivery: 'aborted', outcome: { kind: 'response' } },
    ])
  })

  it('say that a fault broke a response', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    await sandbox.faults.add([
      { fault: 'disconnect', times: 1 },
      { fault: 'truncated-body', times: 1 },
    ])
    for (let sent = 0; sent < 2; sent++) {
      await expect(fetch(`${url}/v1/pets`, { headers }).then((one) => one.text())).rejects.toThrow()
    }
    await until(async () => (await sandbox.requests.last())?.delivery !== undefined)
    expect(await sandbox.requests.list()).toMatchObject([
      { delivery: 'broken' },
      { delivery: 'broken' },
    ])
  })
})

describe('the facts of Fetch', () => {
  const address = 'https://api.petstore.test/v1/pets'

  it('have requests that are sent together start before the first of them is handled', async () => {
    const sandbox = frozenSandbox()
    const fetch = createFetchHandler(sandbox)
    const json = { ...headers, 'Content-Type': 'application/json' }
    const body = '{"name":"Rex","categoryId":1}'
    await Promise.all([
      fetch(address, { headers }),
      fetch(address, { method: 'POST', headers: json, body }),
      fetch(address, { headers }),
    ])
    const orders = sandbox.requests.list().map(({ sequence }) => sequence)
    const starts = orders.map(({ start }) => start)
    const answers = orders.map(({ end = 0 }) => end)
    expect(Math.max(...starts)).toBe(3)
    expect(Math.min(...answers)).toBe(4)
    expect(sandbox.requests.last()?.adapter).toBe('fetch')
  })

  it('say at once that a client left', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'timeout', times: 1 })
    const fetch = createFetchHandler(sandbox)
    const leave = new AbortController()
    const left = fetch(address, { headers, signal: leave.signal })
    await until(() => sandbox.requests.last() !== undefined)
    leave.abort()
    await expect(left).rejects.toThrow()
    await fetch(address, { headers })
    expect(sandbox.requests.list()).toMatchObject([
      { delivery: 'aborted', sequence: { start: 2, end: 3 } },
      { delivery: 'delivered', sequence: { start: 4, end: 5 } },
    ])
  })

  it('say that a slow answer is whole once its client has read it', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'slow-body', ms: '10s' })
    const response = await createFetchHandler(sandbox)(address, { headers })
    expect(sandbox.requests.last()).not.toHaveProperty('delivery')
    const read = response.text()
    await until(() => {
      sandbox.clock.advance('1s')
      return sandbox.requests.last()?.delivery !== undefined
    })
    expect(await read).toContain('Bella')
    expect(sandbox.requests.last()).toMatchObject({ delivery: 'delivered' })
  })
})
