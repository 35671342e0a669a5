import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { testFolder } from '../kit/cli-process.ts'
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

  it.each([
    { how: 'plainly', options: [] },
    { how: 'over TLS', options: ['--tls-cert', tlsFile('cert'), '--tls-key', tlsFile('key')] },
  ])(
    'makes what serves $how on any port, says that it is healthy, and stops at SIGTERM',
    async ({ options }) => {
      const folder = testFolder()
      const portFile = join(folder, 'port')
      const [variable = ''] = (instructions.find(({ name }) => name === 'ENV')?.text ?? '').split(
        '=',
      )
      const env = { ...build(folder), [variable]: portFile }
      expect(globSync('tmp/*', { cwd: folder })).toEqual([])
      // Tests listen on the loopback alone.
      const command = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD'), '--port', '0', '--log', 'json']
      const [program = '', ...words] = command.map((word) => word.replace('0.0.0.0', '127.0.0.1'))
      const server = spawn(program, [...words, ...options], { cwd: folder, env })
      onTestFinished(() => void server.kill('SIGKILL'))
      await once(server.stdout, 'data')
      const [check = '', ...code] = wordsOf('HEALTHCHECK')
      await expect.poll(() => spawnSync(check, code, { env }).status).toBe(0)
      server.kill('SIGTERM')
      expect(await once(server, 'exit')).toEqual([0, null])
      expect(spawnSync(check, code, { env }).status).toBe(1)
    },
  )
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
