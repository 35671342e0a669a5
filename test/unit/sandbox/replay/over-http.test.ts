import { describe, expect, it } from 'vitest'
import { connectSandbox } from '../../../../src/client/connect-sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'
import { testServer } from '../../../kit/test-server.ts'
import { resultsByGap } from '../../../kit/what-if.ts'

const headers = { authorization: 'Bearer free-key' }

describe('what-if over HTTP', () => {
  it('goes on from a state that was restored over HTTP', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const client = connectSandbox(url)
    const other = frozenSandbox({ seed: { pets: [{ id: 7, name: 'Ada', categoryId: 1 }] } })
    await send(other, { json: '{"name":"Rex","categoryId":1}' })
    await client.restore(other.snapshot())
    const reply = await fetch(`${url}/v1/pets/8`, { headers })
    const report = await client.whatIf({ responses: true })
    expect(report.requests).toBe(1)
    const { none } = resultsByGap(report).deprecationHeaders ?? {}
    const { actual, alternative } = none?.responses ?? {}
    expect(actual?.body).toBe(await reply.text())
    expect(actual?.headers?.['x-ratelimit-remaining']).toBe('58')
    expect(Object.keys(alternative?.headers ?? {})).not.toContain('deprecation')
  })

  it('is of each sandbox for itself', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    await connectSandbox(url).sandboxes.create({ name: 'alice' })
    await fetch(`${url}/sandboxes/alice/v1/pets`, { headers })
    expect((await connectSandbox(url, { sandbox: 'alice' }).whatIf()).requests).toBe(1)
    expect((await connectSandbox(url).whatIf()).requests).toBe(0)
    expect((await connectSandbox(url).capture()).steps).toEqual([])
  })

  it('is made after another one has ended, and lets requests be handled in all its slices', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    const { url } = await testServer({ sandbox })
    for (let sent = 0; sent < 1_000; sent++) await send(sandbox)
    const client = connectSandbox(url)
    let left = 2
    const made = Promise.all(
      [1, 2].map(async () => {
        await client.whatIf()
        left--
      }),
    )
    let responded = 0
    for (; left > 0; responded++) await fetch(`${url}/v1/pets?limit=1`, { headers })
    await made
    expect(responded).toBeGreaterThan(20)
  })
})

describe('long questions', () => {
  /** A signal that notes in a log each time that somebody asks whether it has aborted. */
  function signalIn(log: string[], name: string): AbortSignal {
    const { signal } = new AbortController()
    return Object.defineProperty(signal, 'aborted', {
      get() {
        log.push(name)
        return false
      },
    })
  }

  it('are handled one after the other, of all sandboxes that share a process', async () => {
    const { pool } = await testServer({ sandbox: frozenSandbox() })
    const log: string[] = []
    const ask = async (name: string) => {
      const { sandbox } = pool.create({ name })
      await send(sandbox)
      return sandbox
    }
    const [one, other] = [await ask('one'), await ask('other')]
    await Promise.all([
      one.whatIf({}, signalIn(log, 'all')).then(() => log.push('answer')),
      other.whatIf({ request: 1 }, signalIn(log, 'one')),
    ])
    const places = (name: string) => log.flatMap((one, place) => (one === name ? [place] : []))
    expect(places('all').length).toBeGreaterThan(0)
    expect(Math.max(...places('all'))).toBeLessThan(Math.min(...places('one')))
  })

  it('are handled after one that fails', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const failing = sandbox.whatIf({}, AbortSignal.abort())
    const next = sandbox.capture()
    await expect(failing).rejects.toThrow('the client has disconnected')
    expect((await next).steps).toHaveLength(1)
  })
})
