import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

/** What a script of a user's does before it closes its server, and after; by what is open then. */
const ends: Readonly<Record<string, string>> = {
  nothing: 'await close()',
  'a connection that is kept open': 'await get(); await close()',
  'a client that gave up on a late reply': `
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    await leave()
    await close()`,
  'a late reply, under way, on a clock that stands still': `
    sandbox.clock.freeze()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const reply = get()
    await struck()
    await close()
    if ((await reply)[0] !== '[') throw new Error('no reply')`,
  'a slow body, under way': `
    sandbox.faults.add({ fault: 'slow-body', ms: '1h' })
    const reply = get()
    await struck()
    await close()
    if (JSON.parse(await reply).length !== 1) throw new Error('no body')`,
  'a slow body whose client has left': `
    sandbox.faults.add({ fault: 'slow-body', ms: '1h' })
    await leave()
    await close()`,
  'a request that is never answered': `
    sandbox.faults.add({ fault: 'timeout' })
    const reply = get()
    await struck()
    await close()
    if ((await reply) !== 'gone') throw new Error('a reply')`,
  'streams of events, one of them behind a late reply': `
    const events = await fetch(url + '/_sandbox/events')
    sandbox.faults.add({ fault: 'latency', ms: '1h', times: 1 })
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /v1/pets HTTP/1.1\\r\\nHost: a\\r\\nAuthorization: Bearer free-key\\r\\n\\r\\nGET /_sandbox/events HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
    await struck()
    socket.destroy()
    await close()
    await events.text()`,
  'a connection that was never used': `
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    await get()
    await close()`,
  'the end of a block': 'await get(); await server[Symbol.asyncDispose]()',
}

const script = `
  import { connect } from 'node:net'
  import { startServer } from './dist/server.js'
  const run = async (body) => {
    const server = await startServer({ port: 0 })
    const { url, port, sandbox, close } = server
    const headers = { Authorization: 'Bearer free-key' }
    const get = (signal) => fetch(url + '/v1/pets?limit=1', { headers, signal }).then((reply) => reply.text()).catch(() => 'gone')
    const struck = async () => {
      while (sandbox.faults.list()[0]?.applied !== 1) await new Promise(setImmediate)
    }
    const leave = async () => {
      const gone = new AbortController()
      const reply = get(gone.signal)
      await struck()
      gone.abort()
      await reply
    }
    await body({ server, url, port, sandbox, close, get, struck, leave })
  }
  ${Object.entries(ends)
    .map(([what, body]) => {
      const given = '{ server, url, port, sandbox, close, get, struck, leave }'
      return `await run(async (${given}) => { ${body} })\nconsole.log(${JSON.stringify(what)})`
    })
    .join('\n')}`

it('lets a process end by itself whose servers are closed, whatever is open then', () => {
  expectFreshBuild()
  // An end that has to be waited for, such as that of a wait or of the time that close() gives, comes too late.
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', script],
    { timeout: 60_000, encoding: 'utf8' },
  )
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' })
  expect(stdout.trim().split('\n')).toEqual(Object.keys(ends))
})
