import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Cli, portIn, runCli, serveCli, testFolder } from '../../kit/cli-process.ts'
import { connectRaw, type RawClient } from '../../kit/raw-client.ts'
import { postHead } from '../../kit/raw-request.ts'
import { runMain } from '../../kit/run-main.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'

const pet = '{"name":"Bella","categoryId":1}'

/** The path of a file made for tests of TLS. */
function pem(name: string): string {
  return fileURLToPath(new URL(`../../kit/tls/${name}.pem`, import.meta.url))
}

/** Begins a request that runs until its body is sent. */
async function beginRequest(url: string): Promise<RawClient> {
  const client = await connectRaw(Number(new URL(url).port))
  await client.send(postHead(`Content-Length: ${pet.length}`, 'Expect: 100-continue'))
  expect(await client.reply()).toMatchObject({ status: 100 })
  return client
}

/** Resolves when a server takes no more connections. */
async function refusing(url: string): Promise<void> {
  const isOpen = await connectRaw(Number(new URL(url).port)).then(
    (client) => {
      client.leave()
      return true
    },
    () => false,
  )
  if (isOpen) await refusing(url)
}

describe('serve()', () => {
  it('writes the port alone to --port-file once it serves, and prints nothing with --log silent', async () => {
    const cwd = testFolder()
    const written = portIn(join(cwd, 'port.txt'))
    const cli = new Cli(['--port', '0', '--port-file', 'port.txt', '--log', 'silent'], { cwd })
    const port = await written
    expect(port).toMatch(/^\d+$/)
    await expectServing({ url: `http://127.0.0.1:${port}` })
    expect(await cli.stop()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('ends when it cannot write --port-file', async () => {
    const { code, stdout, stderr } = await runCli(['--port', '0', '--port-file', 'none/port.txt'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe('petstore-sandbox: Cannot write none/port.txt: its folder does not exist\n')
  })

  it.each([
    { path: 'none', reason: 'Cannot read none: it does not exist' },
    { path: 'file', reason: 'Cannot serve file: it is not a folder' },
  ])('ends when --static is no folder: $path', async ({ path, reason }) => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'file'), 'text')
    const env = { PETSTORE_SANDBOX_STATIC: path }
    for (const how of [
      { args: ['--static', path], env: {} },
      { args: [], env },
    ]) {
      expect(await runMain(['--port', '0', ...how.args], { cwd, env: how.env })).toEqual({
        code: 1,
        stdout: '',
        stderr: `petstore-sandbox: ${reason}\n`,
      })
    }
  })

  it('serves https with --tls-cert and --tls-key, and prints that address', async () => {
    const { cli, url } = await serveCli(['--tls-cert', pem('cert'), '--tls-key', pem('key')])
    expect(url).toMatch(/^https:/)
    const env = { NODE_EXTRA_CA_CERTS: pem('cert') }
    const { code, stdout } = await runCli(['status', '--url', url], { env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${url}/v1`) })
    await cli.stop()
  })

  it.each([
    {
      args: ['--tls-cert', pem('cert')],
      code: 2,
      reason: 'Cannot use --tls-cert: add --tls-key FILE',
    },
    {
      args: ['--tls-key', pem('key')],
      code: 2,
      reason: 'Cannot use --tls-key: add --tls-cert FILE',
    },
    {
      args: ['--tls-cert', 'none.pem', '--tls-key', pem('key')],
      code: 1,
      reason: 'Cannot read none.pem: it does not exist',
    },
    {
      args: ['--tls-cert', pem('cert'), '--tls-key', pem('other-key')],
      code: 1,
      reason: `Cannot use ${pem('other-key')}: it belongs to another certificate; use the key made with it`,
    },
  ])('ends in one line: $reason', async ({ args, code, reason }) => {
    expect(await runMain(['--port', '0', ...args])).toEqual({
      code,
      stdout: '',
      stderr: `petstore-sandbox: ${reason}\n`,
    })
  })

  it('saves the state and removes the port file when its terminal is closed', async () => {
    const cwd = testFolder()
    const options = ['--state', 'state.json', '--port-file', 'port.txt']
    const { cli } = await serveCli(options, { cwd })
    await portIn(join(cwd, 'port.txt'))
    cli.process.kill('SIGHUP')
    expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('says in one line that the port is in use', async () => {
    const { port } = await testServer()
    expect(await runCli(['--port', String(port)])).toEqual({
      code: 1,
      stdout: '',
      stderr: `petstore-sandbox: Cannot listen on 127.0.0.1:${port}: the port is in use; stop what uses it, or choose another with --port (0 for any)\n`,
    })
  })

  it.each(['192.0.2.1', 'nowhere.invalid', '300.1.1.1', 'fe80::1'])(
    'says in one line that the machine does not have the address %s',
    async (host) => {
      expect(await runCli(['--port', '0', '--host', host])).toEqual({
        code: 1,
        stdout: '',
        stderr: `petstore-sandbox: Cannot listen on ${host}:0: this machine has no such address; choose one with --host\n`,
      })
    },
  )

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 for %s', async (signal) => {
    const { cli, url } = await serveCli()
    await expectServing({ url })
    expect(await cli.stop(signal)).toMatchObject({ code: 0, stderr: '' })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'lets a running request end, and takes a second %s for the first',
    async (signal) => {
      const { cli, url } = await serveCli()
      const client = await beginRequest(url)
      cli.process.kill(signal)
      await refusing(url)
      cli.process.kill(signal)
      await client.send(pet)
      expect(await client.reply()).toMatchObject({ status: 201 })
      expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
      expect(cli.stdout).toMatch(/ 201 {2}POST {2}\/v1\/pets {2}/)
    },
  )

  it('ends although connections are open, used and unused', async () => {
    const { cli, url } = await serveCli()
    const port = Number(new URL(url).port)
    const clients = [await connectRaw(port), await connectRaw(port)]
    await clients[0]?.send('GET /v1/pets HTTP/1.1\r\nHost: sandbox\r\n\r\n')
    await clients[0]?.reply()
    expect(await cli.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
    for (const client of clients) await client.closed()
  })

  it.each(['pretty', 'json'])('serves on when the reader of its %s log goes away', async (log) => {
    const { cli, url } = await serveCli(['--log', log])
    cli.process.stdout.destroy()
    for (let count = 0; count < 5; count++) await expectServing({ url })
    expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  it('serves on when nobody reads its log, and ends all the same', async () => {
    const { cli, url } = await serveCli(['--log', 'json', '--rate-limit', 'reported'])
    cli.process.stdout.pause()
    const headers = { Authorization: 'Bearer free-key' }
    const long = `${url}/v1/pets?limit=1&${'x'.repeat(300)}`
    for (let count = 0; count < 1_000; count++) {
      const reply = await fetch(long, { headers })
      expect(reply.status).toBe(200)
      await reply.arrayBuffer()
    }
    const ended = new Promise((resolve) => {
      cli.process.once('exit', resolve)
    })
    cli.process.kill('SIGTERM')
    expect(await ended).toBe(0)
    cli.process.stdout.resume()
  })
})
