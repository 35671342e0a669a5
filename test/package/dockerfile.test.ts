import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'
import { projectFolder } from './project-folder.ts'

const text = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')

const tlsFile = (name: string): string => join(projectFolder, 'test/kit/tls', `${name}.pem`)

/** The instructions of the Dockerfile, in order. */
const instructions = text('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', ...words] = line.split(' ')
    return { name, text: words.join(' ') }
  })

/** The words of an instruction that is a JSON list. */
function wordsOf(name: string): string[] {
  const { text = '' } = instructions.find((one) => one.name === name) ?? {}
  return JSON.parse(text.slice(text.indexOf('[')))
}

/** Does what COPY and RUN say, in a folder that stands for the image; gives the environment of its programs. */
function build(folder: string): NodeJS.ProcessEnv {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: projectFolder,
    stdio: 'pipe',
  })
  const prefix = join(folder, 'usr')
  mkdirSync(join(folder, 'tmp'))
  // Without what npm says to its scripts, but with what a proxy needs, such as NODE_EXTRA_CA_CERTS.
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const environment = {
    ...Object.fromEntries(kept),
    PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
    npm_config_prefix: prefix,
    npm_config_prefer_offline: 'true',
  }
  for (const { name, text } of instructions) {
    if (name !== 'COPY' && name !== 'RUN') continue
    const command = text.replaceAll(' /tmp/', ` ${folder}/tmp/`)
    const line = name === 'COPY' ? `cp ${command}` : command
    execFileSync('sh', ['-c', line], { cwd: folder, env: environment, stdio: 'pipe' })
  }
  return environment
}

describe('Dockerfile', () => {
  it('runs as somebody who may change nothing of the system', () => {
    expect(instructions.map(({ name }) => name)).toEqual([
      ...[
        'FROM',
        'COPY',
        'RUN',
        'USER',
        'WORKDIR',
        'EXPOSE',
        'ENV',
        'HEALTHCHECK',
        'ENTRYPOINT',
        'CMD',
      ],
    ])
    expect(instructions.find(({ name }) => name === 'USER')?.text).toBe('node')
  })

  it('gets nothing of the repository but the package', () => {
    const ignored = text('.dockerignore').trim().split('\n')
    const { text: copied } = instructions.find(({ name }) => name === 'COPY') ?? { text: '' }
    expect(ignored).toEqual(['*', `!${copied.split(' ')[0]}`])
  })

  describe('what it makes', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-sandbox-image-')))
    const portFile = join(folder, 'port')
    const environment: NodeJS.ProcessEnv = {}
    beforeAll(() => {
      expectFreshBuild()
      const [name = ''] = (instructions.find((one) => one.name === 'ENV')?.text ?? '').split('=')
      Object.assign(environment, build(folder), { [name]: portFile })
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    it.each([
      { how: 'plainly', options: [] },
      { how: 'over TLS', options: ['--tls-cert', tlsFile('cert'), '--tls-key', tlsFile('key')] },
    ])('serves $how on any port, says that it is healthy, and stops at SIGTERM', async (given) => {
      expect(globSync('tmp/*', { cwd: folder })).toEqual([])
      // Tests listen on the loopback alone.
      const command = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD'), '--port', '0', '--log', 'json']
      const [program = '', ...words] = command.map((word) => word.replace('0.0.0.0', '127.0.0.1'))
      const how = { cwd: folder, env: environment }
      const server = spawn(program, [...words, ...given.options], how)
      onTestFinished(() => void server.kill('SIGKILL'))
      await once(server.stdout, 'data')
      const [check = '', ...code] = wordsOf('HEALTHCHECK')
      await expect.poll(() => spawnSync(check, code, how).status).toBe(0)
      server.kill('SIGTERM')
      expect(await once(server, 'exit')).toEqual([0, null])
      expect(spawnSync(check, code, how).status).toBe(1)
    })
  })
})

describe('examples/docker/compose.yaml', () => {
  it('lets its services ask the sandbox by its name, once that is healthy', () => {
    const { services } = parse(text('examples/docker/compose.yaml'))
    expect(services.petstore.command.slice(0, 2)).toEqual(wordsOf('CMD'))
    expect(services.petstore.command).toContain('petstore')
    expect(services.client.environment.PETSTORE_API_URL).toBe('http://petstore:7387/v1')
    expect(services.client.depends_on).toEqual({ petstore: { condition: 'service_healthy' } })
  })
})

describe('the examples', () => {
  it.each(globSync('examples/*/package.json', { cwd: projectFolder }))(
    'ask for a version that this is: %s',
    (path) => {
      const { devDependencies } = JSON.parse(text(path)) as {
        readonly devDependencies: Readonly<Record<string, string>>
      }
      expect(devDependencies[manifest.name]).toBe(`^${manifest.version}`)
    },
  )
})
