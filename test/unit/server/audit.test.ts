import { Agent, get } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { namesIn } from '../../kit/story.ts'
import { testServer } from '../../kit/test-server.ts'

const headers = { Authorization: 'Bearer free-key', 'User-Agent': 'test' }

async function auditOf(url: string): Promise<{ findings: { rule: string; severity: string }[] }> {
  const response = await fetch(`${url}/_sandbox/findings`)
  expect(response.status).toBe(200)
  return await response.json()
}

describe('GET /_sandbox/findings', () => {
  it('is what a client asks for, too, and takes each key for one client if told so', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    await (await fetch(`${url}/v1/pets?key=free-key`, { headers })).text()
    const findings = await connectSandbox(url).findings({ oneClient: true })
    expect(namesIn(findings)).toContain('error key-in-url')
  })

  it('takes a burst that waits its turn on one connection for retries', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    await sendBurst(url, 1)
    expect((await sandbox.requests.list({ status: 429 })).length).toBe(6)
    // Two requests were never under way, so once may be chance, and twice isn't.
    expect(await auditOf(url)).toMatchObject({
      findings: [
        { rule: 'retry-too-early', severity: 'warning' },
        { rule: 'retry-too-early', severity: 'error' },
      ],
    })
  })

  it('blames nobody for a burst over several connections', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    await sendBurst(url, 4)
    expect((await sandbox.requests.list({ status: 429 })).length).toBe(6)
    const { findings } = await auditOf(url)
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
  })
})

/** Sends 66 requests at once, which wait for one of some connections. */
async function sendBurst(url: string, maxSockets: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets })
  onTestFinished(() => agent.destroy())
  const send = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(`${url}/v1/pets?limit=100`, { agent, headers }, (message) => {
        message.on('end', resolve).resume()
      }).on('error', reject)
    })
  await Promise.all(Array.from({ length: 66 }, send))
}
