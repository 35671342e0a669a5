import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadState, saveState } from '../../../src/cli/state-file.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox/sandbox-pool.ts'
import { callControl } from '../../kit/call-control.ts'
import { serveCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'
import { requestOf, send, sendMany } from '../../kit/send.ts'
import { stateOf } from '../../kit/state-of.ts'

const frozen = { now: '2027-03-01T12:00:30Z', mode: 'frozen' } as const

/** A state with something in every part of it. */
async function busyState() {
  const sandbox = createSandbox({
    clock: frozen,
    gaps: { idSequence: 'random', listOrder: 'shuffled' },
  })
  const pool = new SandboxPool({ defaults: { clock: frozen } })
  sandbox.pets.create({ id: 2n ** 63n - 1n, name: 'Max', categoryId: -(2n ** 63n), status: 'sold' })
  sandbox.keys.update('pro-key', { ban: '10m', limits: { minute: 7 } })
  sandbox.keys.issue({ key: 'own', plan: 'free', expiresAt: '2027-03-02', remaining: { day: 3 } })
  sandbox.faults.add({ fault: 'status', status: 503, times: 3, probability: 0.5, key: 'own' })
  // Some of them are struck.
  for (let count = 0; count < 12; count++) await sandbox.handle(requestOf({ key: 'own' }))
  await sendMany(sandbox, 65)
  await send(sandbox, { key: null })
  const alice = pool.create({ name: 'alice', rateLimits: 'report-only' }).sandbox
  await send(alice, { json: '{"name":"Rex","categoryId":9007199254740993}' })
  alice.clock.advance('1d')
  pool.create({ name: 'bob' }).sandbox.pets.clear()
  return { sandbox, pool }
}

/** A new sandbox and pool, as a process has them before it loads a state. */
function freshState() {
  return { sandbox: createSandbox(), pool: new SandboxPool() }
}

/** Everything that the sandboxes remember. */
function contentOf({ sandbox, pool }: ReturnType<typeof freshState>) {
  return {
    default: stateOf(sandbox),
    named: pool.names().map((name) => [name, stateOf(pool.getOrCreate(name))]),
  }
}

describe('loadState()', () => {
  it('goes on from what saveState() wrote: pets, windows, bans, faults, request logs, named sandboxes', async () => {
    const file = join(testFolder(), 'state.json')
    const old = await busyState()
    saveState(file, old.sandbox, old.pool)
    const next = freshState()
    await loadState(file, next.sandbox, next.pool)
    expect(contentOf(next)).toEqual(contentOf(old))
    for (const key of ['free-key', 'own', 'pro-key', 'banned-key', null]) {
      const request = requestOf({ key, url: '/v1/pets?limit=100' })
      expect(await next.sandbox.handle(request)).toEqual(await old.sandbox.handle(request))
    }
    const create = { json: '{"name":"Rex","categoryId":1}', key: 'enterprise-key' }
    expect(await sendMany(next.sandbox, 3, create)).toEqual(await sendMany(old.sandbox, 3, create))
    expect(contentOf(next)).toEqual(contentOf(old))
  })

  it('has named sandboxes reset to what they were made with', async () => {
    const file = join(testFolder(), 'state.json')
    const seed = { pets: [{ id: 2n ** 62n, name: 'Max', categoryId: -(2n ** 62n) }] }
    const old = freshState()
    const gaps = { listOrder: 'shuffled' } as const
    old.pool.create({ name: 'own', seed, randomSeed: 7, gaps, maxRequests: 2, clock: frozen })
    old.pool.getOrCreate('own').pets.clear()
    saveState(file, old.sandbox, old.pool)
    const next = freshState()
    await loadState(file, next.sandbox, next.pool)
    saveState(file, next.sandbox, next.pool)
    const last = freshState()
    await loadState(file, last.sandbox, last.pool)
    const sandboxes = [old, next, last].map(({ pool }) => pool.getOrCreate('own'))
    for (const sandbox of sandboxes) {
      expect(sandbox.pets.size).toBe(0)
      sandbox.reset()
      expect(sandbox.pets.list()).toEqual(seed.pets)
      await sendMany(sandbox, 3)
      expect(sandbox.requests.list()).toHaveLength(2)
    }
    const [first, , third] = sandboxes.map(stateOf)
    expect(third).toEqual(first)
  })

  it('has named sandboxes hold as much as they were made for', async () => {
    const file = join(testFolder(), 'state.json')
    const old = freshState()
    const limits = { pets: 31 }
    old.pool.create({ name: 'own', limits })
    old.pool.getOrCreate('own').pets.create({ name: 'Max', categoryId: 1 })
    saveState(file, old.sandbox, old.pool)
    const next = freshState()
    await loadState(file, next.sandbox, next.pool)
    const { pets } = next.pool.getOrCreate('own')
    expect(pets.list().at(-1)?.name).toBe('Max')
    expect(() => pets.create({ name: 'Rex', categoryId: 1 })).toThrow('31 are allowed')
  })

  it('begins anew when there is no file', async () => {
    const folder = testFolder()
    const { sandbox, pool } = freshState()
    await loadState(join(folder, 'state.json'), sandbox, pool)
    expect([sandbox.pets.size, readdirSync(folder)]).toEqual([30, []])
  })

  it('removes what killed processes have left beside the file, and nothing else', async () => {
    const folder = testFolder()
    const id = randomUUID()
    const kept = [`.other.json.${id}.part`, '.state.json.part', `.state.json.1.${id}.part`]
    for (const name of [...kept, `.state.json.${id}.part`]) {
      writeFileSync(join(folder, name), '{"half')
    }
    const { sandbox, pool } = freshState()
    await loadState(join(folder, 'state.json'), sandbox, pool)
    expect(readdirSync(folder).sort()).toEqual(kept.sort())
  })
})

describe('saveState()', () => {
  it('replaces the file as a whole, readable for its owner alone', async () => {
    const folder = testFolder()
    const file = join(folder, 'state.json')
    const { sandbox, pool } = await busyState()
    writeFileSync(file, 'old')
    const before = statSync(file).ino
    saveState(file, sandbox, pool)
    const { ino, mode } = statSync(file)
    expect([ino === before, mode & 0o777]).toEqual([false, 0o600])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ petstoreSandbox: 1 })
    expect(readdirSync(folder)).toEqual(['state.json'])
  })

  it.each([
    { what: 'a link to a link', links: ['folder/link.json', '../target.json'], target: '{}' },
    {
      what: 'a link to no file yet',
      links: ['folder/link.json', '../target.json'],
      target: undefined,
    },
  ])('leaves $what in place and writes what it leads to', async ({ links, target }) => {
    const folder = testFolder()
    mkdirSync(join(folder, 'folder'))
    const [first = '', second] = links
    const file = join(folder, 'state.json')
    symlinkSync(first, file)
    if (second !== undefined) symlinkSync(second, join(folder, first))
    if (target !== undefined) writeFileSync(join(folder, 'target.json'), target)
    const { sandbox, pool } = freshState()
    saveState(file, sandbox, pool)
    expect(readlinkSync(file)).toBe(first)
    expect(lstatSync(join(folder, 'target.json')).isFile()).toBe(true)
    const text = readFileSync(join(folder, 'target.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ petstoreSandbox: 1 })
    expect(readdirSync(folder).sort()).toEqual(['folder', 'state.json', 'target.json'])
  })
})

/** What is in a folder, but for what says whose state it is while a process runs. */
function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.endsWith('.pid'))
}

/** Mounts a file system on a folder until the end of the test; tells whether this user and system can. */
function mounted(folder: string, options: string): boolean {
  mkdirSync(folder)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  if (status !== 0) return false
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', folder])
  })
  return true
}

/** Where a file can't grow past 64 KB: on a disk of that size, else by a limit of the shell's. */
function smallDisk() {
  const cwd = join(testFolder(), 'disk')
  if (mounted(cwd, 'size=64k')) return { cwd, reason: 'the disk is full' }
  const node = join(testFolder(), 'node')
  writeFileSync(node, `#!/bin/sh\nulimit -f 64\nexec '${process.execPath}' "$@"\n`)
  chmodSync(node, 0o755)
  return { cwd, node, reason: 'it would be too large for this disk' }
}

/** Keeps a process from writing a new file beside its state; says why. */
function sealFolder(folder: string, isMounted: boolean): string {
  if (isMounted) {
    expect(spawnSync('mount', ['-o', 'remount,ro', folder]).status).toBe(0)
    return 'the disk is read-only'
  }
  chmodSync(folder, 0o555)
  onTestFinished(() => chmodSync(folder, 0o755))
  return 'this user is not allowed to open it'
}

describe('petstore-sandbox --state', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('saves at %s, and goes on from there', async (signal) => {
    const cwd = testFolder()
    const options = ['--state', 'state.json', '--sandbox', 'alice']
    const first = await serveCli([...options, '--clock', '2030-01-01', '--frozen'], { cwd })
    await callControl(first.url, 'DELETE', '/pets')
    await fetch(`${first.url}/v1/pets`, { headers: { Authorization: 'Bearer free-key' } })
    await fetch(`${first.url}/sandboxes/alice/v1/pets/3`, {
      headers: { Authorization: 'Bearer pro-key' },
    })
    await callControl(first.url, 'POST', '/sandboxes', { name: 'bob' })
    const paths = ['', '/sandboxes/alice', '/sandboxes/bob']
    const contentAt = async (url: string) =>
      Promise.all(paths.map((path) => callControl(url + path, 'GET', '/snapshot')))
    const content = await contentAt(first.url)
    expect(await first.cli.stop(signal)).toMatchObject({ code: 0, stderr: '' })
    const second = await serveCli(options, { cwd })
    expect(await contentAt(second.url)).toEqual(content)
    expect(namesIn(cwd)).toEqual(['state.json'])
  })

  it('saves on request', async () => {
    const cwd = testFolder()
    const { cli, url } = await serveCli(['--state', 'state.json'], { cwd })
    const saved = () => JSON.parse(readFileSync(join(cwd, 'state.json'), 'utf8')).pets.list.length
    expect(namesIn(cwd)).toEqual([])
    expect(await callControl(url, 'POST', '/state/save')).toEqual({
      status: 204,
      answer: undefined,
    })
    expect(saved()).toBe(30)
    await callControl(url, 'DELETE', '/pets')
    await callControl(url, 'POST', '/state/save')
    expect(saved()).toBe(0)
    cli.process.kill('SIGKILL')
    await cli.ended()
    const next = await serveCli(['--state', 'state.json'], { cwd })
    expect(await callControl(next.url, 'GET', '/pets')).toEqual({ status: 200, answer: [] })
  })

  it.each([
    { text: '{"petstoreSandbox":1,', message: 'state.json:1:22: Cannot read the file: it is not' },
    {
      text: '{"petstoreSandbox":2}',
      message: 'Cannot set snapshot: found a snapshot of version 2; use one of version 1',
    },
    {
      text: '{"petstoreSandbox":1}',
      message: 'state.json:1:1: Cannot set snapshot.rateLimits: required; use one of',
    },
    {
      text: JSON.stringify({ ...createSandbox().snapshot(), sandboxes: [] }),
      message: 'Cannot set sandboxes: found an array of 0; use an object',
    },
    {
      text: JSON.stringify({ ...createSandbox().snapshot(), sandboxes: { a: null } }),
      message: 'Cannot set sandboxes.a: found null; use an object',
    },
    {
      text: JSON.stringify({ ...createSandbox().snapshot(), sandboxes: { a: { settings: 5 } } }),
      message: 'Cannot set sandboxes.a.settings: found 5; use an object',
    },
    {
      text: JSON.stringify({
        ...createSandbox().snapshot(),
        sandboxes: { 'a b': { settings: {} } },
      }),
      message: 'Cannot set sandbox.name: found "a b"; use 1 to 63 letters',
    },
  ])('ends with 2 for a file with $text, and leaves it as it is', async ({ text, message }) => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'state.json'), text)
    const result = await runMain(['--port', '0', '--state', 'state.json'], { cwd })
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain(message)
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(readFileSync(join(cwd, 'state.json'), 'utf8')).toBe(text)
    expect(namesIn(cwd)).toEqual(['state.json'])
  })

  it('says which named sandbox it cannot restore', async () => {
    const cwd = testFolder()
    const file = join(cwd, 'state.json')
    const { sandbox, pool } = await busyState()
    saveState(file, sandbox, pool)
    const whole = readFileSync(file, 'utf8')
    const broken = whole.replace(/"alice":\{"petstoreSandbox":1/, '\n"alice":{"petstoreSandbox":7')
    writeFileSync(file, broken)
    const arguments_ = ['--port', '0', '--state', 'state.json']
    const { code, stderr } = await runMain(arguments_, { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^petstore-sandbox: state\.json:2:9: Cannot set snapshot: found a snapshot of version 7/,
    )
    expect(readFileSync(file, 'utf8')).toBe(broken)
    writeFileSync(file, whole)
    expect(await runMain([...arguments_, '--max-sandboxes', '1'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'Cannot make sandbox "bob": there are 1 already, the most allowed',
      ),
    })
    expect(readFileSync(file, 'utf8')).toBe(whole)
  })

  it.each([
    { state: 'none/state.json', reason: 'its folder does not exist' },
    { state: 'folder', reason: 'it is a folder' },
    { state: 'pipe', reason: 'it is not a regular file' },
  ])('does not begin when it could not save to $state later', async ({ state, reason }) => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'folder'))
    spawnSync('mkfifo', [join(cwd, 'pipe')])
    expect(await runMain(['--port', '0', '--state', state], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: `petstore-sandbox: Cannot keep the state in ${state}: ${reason}\n`,
    })
    expect(namesIn(cwd).sort()).toEqual(['folder', 'pipe'])
  })

  it('keeps the old state when the disk is full, serves on, and ends with 1', async () => {
    const { reason, ...how } = smallDisk()
    const file = join(how.cwd, 'state.json')
    const { cli, url } = await serveCli(['--state', 'state.json'], how)
    await callControl(url, 'POST', '/state/save')
    const old = readFileSync(file, 'utf8')
    const pets = Array.from({ length: 2_000 }, () => ({ name: 'x'.repeat(50), categoryId: 1 }))
    await callControl(url, 'POST', '/pets', pets)
    const message = `Cannot save the state to state.json: ${reason}`
    expect(await callControl(url, 'POST', '/state/save')).toMatchObject({
      status: 500,
      answer: { code: 'internal_error', message },
    })
    expect([readFileSync(file, 'utf8') === old, namesIn(how.cwd)]).toEqual([true, ['state.json']])
    expect(await callControl(url, 'GET', '/health')).toMatchObject({ status: 200 })
    expect(await cli.stop()).toMatchObject({ code: 1, stderr: `petstore-sandbox: ${message}\n` })
    expect([readFileSync(file, 'utf8') === old, namesIn(how.cwd)]).toEqual([true, ['state.json']])
  })

  it('keeps the old state when its folder has become read-only, serves on, and ends with 1', async () => {
    const cwd = join(testFolder(), 'disk')
    const isMounted = mounted(cwd, 'size=1m')
    const file = join(cwd, 'state.json')
    const { cli, url } = await serveCli(['--state', 'state.json'], { cwd })
    await callControl(url, 'POST', '/state/save')
    const old = readFileSync(file, 'utf8')
    await callControl(url, 'DELETE', '/pets')
    const reason = sealFolder(cwd, isMounted)
    const message = `Cannot save the state to state.json: ${reason}`
    expect(await callControl(url, 'POST', '/state/save')).toMatchObject({
      status: 500,
      answer: { code: 'internal_error', message },
    })
    expect(await cli.stop()).toMatchObject({ code: 1, stderr: `petstore-sandbox: ${message}\n` })
    expect(readFileSync(file, 'utf8')).toBe(old)
  })
})
