import { execFile } from 'node:child_process'
import { accessSync, constants, cpSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { nodePrograms, program, runCli, serveCli, testFolder } from '../../kit/cli-process.ts'
import { connectRaw, sendRaw } from '../../kit/raw-client.ts'
import { postHead, rawHead, rawPost } from '../../kit/raw-request.ts'
import { expectServing } from '../../kit/test-server.ts'

describe.each(nodePrograms())('bin/petstore-sandbox on Node $version', ({ path: node }) => {
  it('serves the API, and ends when it is told to', async () => {
    const { cli, url } = await serveCli([], { node })
    await expectServing({ url })
    const reply = await fetch(`${url}/v1/pets`, {
      method: 'POST',
      headers: { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' },
      body: '{"name":"Bella","categoryId":9223372036854775807}',
    })
    expect(await reply.text()).toContain('"categoryId":9223372036854775807')
    expect(await cli.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
  })

  it('generates pets, reads a seed, prints tables and help', async () => {
    const { cli } = await serveCli(['--pets', '9'], { node })
    expect(cli.stdout).toMatch(/Pets +9\n/)
    const words = ['gaps', 'openapi', 'completion', '--help']
    for (const printed of await Promise.all(words.map((word) => runCli([word], { node })))) {
      expect(printed).toMatchObject({ code: 0, stderr: '' })
    }
    expect(await runCli(['--port', 'x'], { node })).toMatchObject({ code: 2, stdout: '' })
  })

  it('ends with one line in a folder that was removed', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    const ran = promisify(execFile)('sh', ['-c', script, 'sh', node, program, 'openapi'], {
      cwd: testFolder(),
    })
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'petstore-sandbox: Cannot run in this folder: it was removed; change to another\n',
    })
  })

  it('S16: ends with one line on a Node that is too old', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { node: '20.18.1' } })`
    const ran = promisify(execFile)(node, ['--import', `data:text/javascript,${older}`, program])
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'petstore-sandbox: Cannot run on Node 20.18.1; use 20.19 or newer\n',
    })
  })

  it('says nothing on standard error, whatever clients send', async () => {
    const { cli, url } = await serveCli(['--log', 'json'], { node })
    const port = Number(new URL(url).port)
    const statuses = [
      await sendRaw(port, 'NONSENSE\r\n\r\n'),
      await sendRaw(port, rawHead({ target: 'http://' })),
      await sendRaw(port, rawHead({ target: '/v1/pets#top' })),
      await sendRaw(port, rawHead({ method: 'CONNECT', target: 'other.example:443' })),
      await sendRaw(port, rawHead({ lines: ['Upgrade: h2c', 'Connection: Upgrade'] })),
      await sendRaw(port, rawHead({ lines: Array.from({ length: 10_000 }, () => 'a: b') })),
      await sendRaw(port, postHead('Content-Length: 5', 'Transfer-Encoding: chunked')),
      await sendRaw(
        port,
        rawPost(
          `{"name":"a","categoryId":9007199254740993,"b":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
        ),
      ),
      await sendRaw(port, rawPost(' '.repeat(2_000_000))),
    ].map(({ status }) => status)
    expect(statuses).toEqual([400, 404, 404, 404, 200, 400, 400, 201, 413])
    const gone = await connectRaw(port)
    await gone.send(postHead('Content-Length: 1000'), '{"name":')
    gone.leave()
    await expectServing({ url })
    expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('bin/petstore-sandbox', () => {
  it('is started by its name from a shell, through a link as npm makes one', async () => {
    accessSync(program, constants.X_OK)
    const folder = testFolder()
    symlinkSync(program, join(folder, 'petstore-sandbox'))
    const path = [folder, dirname(process.execPath), process.env.PATH].join(':')
    const { stdout } = await promisify(execFile)('sh', ['-c', 'petstore-sandbox --version'], {
      cwd: folder,
      env: { PATH: path },
    })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('a running server whose package is built anew', () => {
  it('keeps all its controls', async () => {
    const folder = testFolder()
    const source = join(dirname(program), '..')
    for (const name of ['bin', 'dist', 'docs', 'package.json']) {
      cpSync(join(source, name), join(folder, name), { recursive: true })
    }
    symlinkSync(join(source, 'node_modules'), join(folder, 'node_modules'))
    const { url } = await serveCli(['--coverage'], {
      program: join(folder, 'bin/petstore-sandbox'),
    })
    rmSync(join(folder, 'dist'), { recursive: true })
    await expectServing({ url })
    const paths = ['status', 'findings', 'coverage', 'scenarios', 'capture', 'openapi.json']
    const statuses = await Promise.all(
      paths.map(async (path) => [path, (await fetch(`${url}/_sandbox/${path}`)).status]),
    )
    expect(statuses).toEqual(paths.map((path) => [path, 200]))
  })
})
