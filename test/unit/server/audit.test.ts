import { Agent, get } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { namesIn } from '../../kit/story.ts'
import { testServer } from '../../kit/test-server.ts'

const headers = { Authorization: 'Bearer free-key', 'User-Agent': 'test' }

async function auditOf(url: string): Promise<{ findings: { rule: string; client: number }[] }> {
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

  it('blames nobody for a burst that waits its turn on one connection', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const send = (): Promise<void> =>
      new Promise((resolve, reject) => {
        get(`${url}/v1/pets?limit=100`, { agent, headers }, (message) => {
          message.on('end', resolve).resume()
        }).on('error', reject)
      })
    await Promise.all(Array.from({ length: 66 }, send))
    expect((await sandbox.requests.list({ status: 429 })).length).toBe(6)
    // It looks like a loop of retries, too.
    expect(await auditOf(url)).toMatchObject({
      findings: [{ rule: 'retry-too-early', severity: 'info' }],
    })
  })
})
