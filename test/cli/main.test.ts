import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openApiDocument } from '../../src/contract/openapi/openapi.ts'
import { runMain } from '../kit/run-main.ts'

describe('petstore-sandbox', () => {
  it.each(['--version', '-v'])('prints its version for %s', async (option) => {
    expect(await runMain([option])).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })

  it.each([['--help'], ['-h'], ['serve', '--help']])('explains itself for %s', async (...args) => {
    const { code, stdout, stderr } = await runMain(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const option of [
      'port',
      'host',
      'seed-file',
      'pets',
      'seed',
      'clock',
      'frozen',
      'scale',
      'gap',
      'rate-limit',
      'log',
      'port-file',
      'config',
    ]) {
      expect(stdout).toContain(`  --${option} `)
    }
    expect(stdout).toContain('Examples:')
    expect(stdout).toContain('petstore-sandbox --clock 2030-12-04T23:59:00Z')
    expect(stdout).toContain('PETSTORE_SANDBOX_PORT')
    expect(stdout).toMatch(/--port +Port to listen on.*\[default: 7387\]/)
    expect(stdout).toMatch(/--host +Address to listen on +\[default: 127\.0\.0\.1\]/)
    expect(stdout).not.toMatch(/object Object|undefined|\[default: (?:false|)\]/)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('lists its commands in its help', async () => {
    const { stdout } = await runMain(['--help'])
    for (const command of ['serve', 'gaps', 'openapi', 'completion']) {
      expect(stdout).toContain(`  petstore-sandbox ${command} `)
    }
  })

  it('gives help although the config file is broken and variables are wrong', async () => {
    const env = { PETSTORE_SANDBOX_CONFIG: 'missing.json', PETSTORE_SANDBOX_NONSENSE: '1' }
    expect(await runMain(['--help'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await runMain(['gaps'], { env })).toMatchObject({ code: 0, stderr: '' })
  })

  it('prints the OpenAPI description as JSON, with the address that it serves at unless told otherwise', async () => {
    const { code, stdout, stderr } = await runMain(['openapi'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const document = openApiDocument('http://127.0.0.1:7387/v1')
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(document)))
    expect(JSON.parse(stdout)).toMatchObject({ openapi: /^3\.1/, info: { version: '1.0.0' } })
  })

  it('prints a script for completion, and nothing else', async () => {
    const { code, stdout, stderr } = await runMain(['completion'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^###-begin-petstore-sandbox-completions-###/)
    expect(stdout).toContain('petstore-sandbox completion >>')
    expect(stdout).toMatch(/###-end-petstore-sandbox-completions-###\s*$/)
  })

  it.each([
    { words: [''], found: ['serve', 'gaps', 'openapi', 'completion'] },
    { words: ['--rate'], found: ['--rate-limit', '--port', '--gap'] },
    { words: ['serve', '--p'], found: ['--port', '--port-file', '--pets'] },
    { words: ['--log', ''], found: ['pretty', 'json', 'silent'] },
    { words: ['--port', '0', '--rate-limit', ''], found: ['enforced', 'reported'] },
  ])('completes $words', async ({ words, found }) => {
    const args = ['--get-yargs-completions', 'petstore-sandbox', ...words]
    const { code, stdout, stderr } = await runMain(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining(found))
  })
})
