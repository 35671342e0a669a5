import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { runCli, serveCli, testFolder } from '../kit/cli-process.ts'
import { send } from '../kit/send.ts'
import { testServer } from '../kit/test-server.ts'

/** A script that lists pets with a key, once. */
const script = `
const headers = { authorization: 'Bearer free-key' }
const { status } = await fetch(process.env.PETSTORE_API_URL + '/pets', { headers })
console.log('got', status)`

/** A client that sends again too early what got 503, three times at most. */
const rudeScript = `
const headers = { authorization: 'Bearer free-key' }
for (let tries = 0; tries < 3; tries++) {
  const { status } = await fetch(process.env.PETSTORE_API_URL + '/pets', { headers })
  if (status !== 503) break
  await new Promise((resolve) => setTimeout(resolve, 300))
}`

/** Makes a folder with both scripts. */
function scriptFolder(): string {
  const cwd = testFolder()
  writeFileSync(join(cwd, 'list.mjs'), script)
  writeFileSync(join(cwd, 'rude.mjs'), rudeScript)
  return cwd
}

describe('each command, as a process', { tags: ['everyday'] }, () => {
  it.each([
    { line: 'status', prints: /free-key/ },
    { line: 'requests', prints: /GET +\/v1\/pets/ },
    { line: 'findings', prints: /nothing/i },
    { line: 'clock', prints: /frozen/ },
    { line: 'clock advance 61s', prints: /2027-03-01/ },
    { line: 'keys', prints: /free-key/ },
    { line: 'keys ban free-key 10m', prints: /banned/ },
    { line: 'pets', prints: /Bella/ },
    { line: 'faults add status status=503', prints: /503/ },
    { line: 'scenario', prints: /banned/ },
    { line: 'gaps banAfter=3', prints: /banAfter/ },
    { line: 'sandboxes create mine', prints: /mine/ },
    { line: 'snapshot', prints: /"petstoreSandbox": ?1/ },
    { line: 'reset', prints: /at the start/ },
  ])('$line', async ({ line, prints }) => {
    const sandbox = createSandbox({
      clock: { now: '2027-03-01T12:00:00Z', mode: 'frozen' },
      seed: { pets: [{ id: 1, name: 'Bella', categoryId: 1, status: 'available' }] },
    })
    await send(sandbox, {})
    const { url } = await testServer({ sandbox })
    const result = await runCli([...line.split(' '), '--url', url])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toMatch(prints)
  })

  it.each([
    { line: 'openapi', prints: /openapi/ },
    { line: 'agents', prints: /petstore-sandbox/ },
    { line: 'completion', prints: /petstore-sandbox/ },
    { line: '--help', prints: /serve/ },
    { line: '--version', prints: /^\d+\.\d+\.\d+\n$/ },
  ])('$line', async ({ line, prints }) => {
    const result = await runCli([line])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toMatch(prints)
  })

  it('capture, and replay of it', async () => {
    const cwd = testFolder()
    const { cli, url } = await serveCli(['--clock', '2027-03-01T12:00:00Z'], { cwd })
    await fetch(`${url}/v1/pets`, { headers: { authorization: 'Bearer free-key' } })
    expect(await runCli(['capture', 'run.json', '--url', url], { cwd })).toMatchObject({ code: 0 })
    await cli.stop()
    expect(JSON.parse(readFileSync(join(cwd, 'run.json'), 'utf8'))).toHaveProperty('steps')
    const replayed = await runCli(['replay', 'run.json'], { cwd })
    expect(replayed).toMatchObject({ code: 0, stderr: '' })
    expect(replayed.stdout).toMatch(/match/)
  })

  it('exec runs a command beside a sandbox', async () => {
    const result = await runCli(['exec', '--', 'node', 'list.mjs'], { cwd: scriptFolder() })
    expect(result).toMatchObject({ code: 0, stdout: 'got 200\n' })
  })

  it('check has nothing to fix in a client that does nothing wrong', async () => {
    const result = await runCli(['check', '--', 'node', 'list.mjs'], { cwd: scriptFolder() })
    expect(result.code).toBe(0)
    expect(result.stdout + result.stderr).toMatch(/nothing to fix/)
  })

  it('check --full names what a client does wrong when the service is overloaded', async () => {
    const args = ['check', '--full', '--only', 'retry-after', '--', 'node', 'rude.mjs']
    const result = await runCli(args, { cwd: scriptFolder() })
    expect(result.code).toBe(4)
    expect(result.stdout + result.stderr).toMatch(/retry-too-early/)
  })
})
