import { spawnSync } from 'node:child_process'
import { describe, expect, inject, it } from 'vitest'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'

/** What a script of a user's does with the built package; it has to end by itself. */
function runScript(body: string): unknown {
  expectFreshBuild()
  const script = `
    import { connect } from 'node:net'
    import { startServer } from './dist/server.js'
    const server = await startServer({ port: 0 })
    const { url, port, sandbox, close } = server
    const headers = { Authorization: 'Bearer free-key' }
    const get = (signal) => fetch(url + '/v1/pets?limit=1', { headers, signal }).then((reply) => reply.text()).catch(() => 'gone')
    const struck = async () => {
      while (sandbox.faults.list()[0]?.struck !== 1) await new Promise(setImmediate)
    }
    ${body}
    console.log('closed')
  `
  const node = inject('serverNode') ?? process.execPath
  // An end that has to be waited for, such as that of a wait or of the time that close() gives, comes too late.
  const { status, signal, stdout, stderr } = spawnSync(
    node,
    ['--no-warnings', '--input-type=module', '--eval', script],
    { timeout: 60_000, encoding: 'utf8' },
  )
  return { status, signal, stdout, stderr }
}

const ended = { status: 0, signal: null, stdout: 'closed\n', stderr: '' }

describe('a process whose server is closed', () => {
  it.each([
    { after: 'nothing', body: 'await close()' },
    { after: 'a request on a connection that is kept open', body: 'await get(); await close()' },
    {
      after: 'a client that gave up on a late reply',
      body: `
        sandbox.faults.add({ fault: 'latency', ms: '1h' })
        const gone = new AbortController()
        const reply = get(gone.signal)
        await struck()
        gone.abort()
        await reply
        await close()`,
    },
    {
      after: 'a late reply, under way, on a clock that stands still',
      body: `
        sandbox.clock.freeze()
        sandbox.faults.add({ fault: 'latency', ms: '1h' })
        const reply = get()
        await struck()
        await close()
        if ((await reply)[0] !== '[') throw new Error('no reply')`,
    },
    {
      after: 'a slow body, under way',
      body: `
        sandbox.faults.add({ fault: 'slow-body', ms: '1h' })
        const reply = get()
        await struck()
        await close()
        if (JSON.parse(await reply).length !== 1) throw new Error('no body')`,
    },
    {
      after: 'a slow body whose client has left',
      body: `
        sandbox.faults.add({ fault: 'slow-body', ms: '1h' })
        const gone = new AbortController()
        const reply = get(gone.signal)
        await struck()
        gone.abort()
        await reply
        await close()`,
    },
    {
      after: 'a request that is never answered',
      body: `
        sandbox.faults.add({ fault: 'timeout' })
        const reply = get()
        await struck()
        await close()
        if ((await reply) !== 'gone') throw new Error('a reply')`,
    },
    {
      after: 'streams of events, one of them behind a late reply',
      body: `
        const events = await fetch(url + '/_sandbox/events')
        sandbox.faults.add({ fault: 'latency', ms: '1h', times: 1 })
        const socket = connect(port, '127.0.0.1')
        socket.write('GET /v1/pets HTTP/1.1\\r\\nHost: a\\r\\nAuthorization: Bearer free-key\\r\\n\\r\\nGET /_sandbox/events HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
        await struck()
        socket.destroy()
        await close()
        await events.text()`,
    },
    {
      after: 'a connection that was never used',
      body: `
        const socket = connect(port, '127.0.0.1')
        await new Promise((resolve) => socket.once('connect', resolve))
        await get()
        await close()`,
    },
    {
      after: 'the end of a block',
      body: 'await get(); await server[Symbol.asyncDispose]()',
    },
  ])('ends by itself after $after', ({ body }) => {
    expect(runScript(body)).toEqual(ended)
  })
})
