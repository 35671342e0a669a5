import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type RunningServer, startServer } from '../../../src/server/start-server.ts'

const folder = fileURLToPath(new URL('../../../examples/standalone/', import.meta.url))

/** Starts the process's server on a free port. */
async function serve(): Promise<RunningServer> {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  return server
}

/** Runs a command of the example against a server. */
function run(command: string, file: string, { url }: RunningServer, key = 'free-key') {
  const env = {
    ...process.env,
    PETSTORE_API_URL: `${url}/v1`,
    PETSTORE_CONTROL_URL: `${url}/_sandbox`,
    PETSTORE_KEY: key,
  }
  return promisify(execFile)(command, [file], { cwd: folder, env })
}

describe('examples/standalone', () => {
  it('tours the store with curl', async () => {
    const server = await serve()
    const { stdout, stderr } = await run('sh', 'tour.sh', server)
    expect(stderr).toBe('')
    expect(stdout.match(/^HTTP\/1\.1 \d+/gm)).toEqual(
      [200, 201, 200, 400, 429, 200, 503, 404].map((status) => `HTTP/1.1 ${status}`),
    )
    expect(stdout).toContain('[{"id":4,"name":"Rocky"')
    expect(stdout).toContain('\nSunset: Thu, 05 Dec 2030 00:00:00 GMT\n')
    expect(stdout).toContain('Cannot use name: required')
    expect(stdout).toContain('\nRetry-After: 40\n')
    expect(server.sandbox.pets.size).toBe(30)
  })

  it('adds and lists pets from plain Node', async () => {
    const { stdout } = await run(process.execPath, 'client.js', await serve())
    expect(stdout).toMatch(/^Added Rex as number 31\n {3}1 {2}Bella\n/)
  })

  it('waits in plain Node as long as Retry-After says', async () => {
    const server = await serve()
    const { clock, keys, requests } = server.sandbox
    clock.freeze()
    clock.set('2027-01-15T08:00:59.500Z')
    keys.setRemaining('free-key', { minute: 0 })
    // While it waits, the minute ends.
    requests.onRequest(({ outcome }) => {
      if ('status' in outcome && outcome.status === 429) clock.advance('1s')
    })
    const { stdout, stderr } = await run(process.execPath, 'client.js', server)
    expect(stderr).toBe('The store is busy: trying again in 1 s\n')
    expect(stdout).toContain('Added Rex')
    expect(server.sandbox.requests.list()).toHaveLength(3)
  })

  it('ends plain Node with what the store says', async () => {
    await expect(
      run(process.execPath, 'client.js', await serve(), 'revoked-key'),
    ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('unauthorized: ') })
  })
})
