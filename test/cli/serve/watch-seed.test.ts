import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readServeSettings } from '../../../src/cli/serve/serve-settings.ts'
import { watchSeed } from '../../../src/cli/serve/watch-seed.ts'
import { createSandbox } from '../../../src/sandbox.ts'
import { callControl } from '../../kit/call-control.ts'
import { type Cli, nodePrograms, runCli, serveCli, testFolder } from '../../kit/cli-process.ts'

/** The text of a seed with so many pets. */
function seedText(count: number): string {
  return JSON.stringify({ pets: petsOf(count) })
}

function petsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Pet ${index + 1}`,
    categoryId: 1,
  }))
}

/** Serves a seed file of one pet, and watches it. */
async function watchedFile(options: readonly string[] = [], node = process.execPath) {
  const cwd = testFolder()
  const file = join(cwd, 'seed.json')
  writeFileSync(file, seedText(1))
  const all = ['--watch', '--seed-file', 'seed.json', ...options]
  return { ...(await serveCli(all, { cwd, node })), cwd, file }
}

/** Gives the next line that a process writes to standard error. */
async function nextLine(cli: Cli): Promise<string> {
  const [line] = await cli.printed(/^.*\n/, 'stderr')
  cli.stderr = cli.stderr.slice(line.length)
  return line.trimEnd()
}

/** How many pets a sandbox has. */
async function petCount(url: string): Promise<number> {
  const { answer } = await callControl(url, 'GET', '/pets')
  return (answer as readonly unknown[]).length
}

function reloaded(pets: number, { path = 'seed.json', keys = 9 } = {}): string {
  return `petstore-sandbox: Reloaded ${path}: ${pets} pets, ${keys} keys`
}

describe('watchSeed()', () => {
  it.each(nodePrograms())(
    'takes the seed again when its file is written, and resets to it (Node $version)',
    async ({ path }) => {
      const { cli, url, file } = await watchedFile([], path)
      expect(await petCount(url)).toBe(1)
      writeFileSync(file, seedText(2))
      expect(await nextLine(cli)).toBe(reloaded(2))
      expect(await petCount(url)).toBe(2)
      await callControl(url, 'DELETE', '/pets')
      await callControl(url, 'POST', '/reset')
      expect(await petCount(url)).toBe(2)
      expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' })
    },
  )

  it('takes it again when another file is put in its place, each time', async () => {
    const { cli, url, file, cwd } = await watchedFile()
    for (const count of [2, 3, 4]) {
      writeFileSync(join(cwd, '.seed.json.swp'), seedText(count))
      renameSync(join(cwd, '.seed.json.swp'), file)
      expect(await nextLine(cli)).toBe(reloaded(count))
      expect(await petCount(url)).toBe(count)
    }
  })

  it('has the last of several writes in a row', async () => {
    const { cli, url, file } = await watchedFile()
    for (let count = 2; count <= 40; count++) writeFileSync(file, seedText(count))
    while ((await nextLine(cli)) !== reloaded(40));
    expect(await petCount(url)).toBe(40)
  })

  it('has all of a file that is written in several steps', async () => {
    const { cli, url, file } = await watchedFile()
    const text = seedText(500)
    truncateSync(file)
    for (let from = 0; from < text.length; from += 1_000) {
      appendFileSync(file, text.slice(from, from + 1_000))
      await new Promise(setImmediate)
    }
    while ((await nextLine(cli)) !== reloaded(500));
    expect(await petCount(url)).toBe(500)
  })

  it('keeps the old seed while the file is gone, and takes the new one when it is back', async () => {
    const { cli, url, file } = await watchedFile()
    rmSync(file)
    expect(await nextLine(cli)).toBe(
      'petstore-sandbox: Kept the old seed: Cannot read seed.json: it does not exist',
    )
    expect(await petCount(url)).toBe(1)
    writeFileSync(file, seedText(3))
    expect(await nextLine(cli)).toBe(reloaded(3))
    expect(await petCount(url)).toBe(3)
  })

  it('begins while the file is gone', async () => {
    const path = join(testFolder(), 'seed.json')
    const [sandbox, settings] = [createSandbox(), await readServeSettings({}, {})]
    const told = new Promise((tell) => {
      onTestFinished(watchSeed({ path, settings, sandbox, tell }))
    })
    writeFileSync(path, seedText(3))
    expect(await told).toBe(`Reloaded ${path}: 3 pets, 9 keys`)
  })

  it.each([
    { text: '{ "pets": [\n  {]', why: 'seed.json:2:4: Cannot read the file: it is not valid JSON' },
    { text: '', why: 'seed.json:1:1: Cannot read the file: it is not valid JSON' },
    { text: '{\n "pets": 5 }', why: 'seed.json:2:10: Cannot set seed.pets: found 5; use an array' },
    {
      text: '{ "pets": [\n  { "id": 1, "name": "A", "categoryId": 1 },\n  { "id": 2 }\n] }',
      why: 'seed.json:3:3: Cannot set seed.pets[1].name: it is missing',
    },
    {
      text: '{ "keys": [\n  { "key": "a", "plan": "gold" }\n] }',
      why: 'seed.json:2:25: Cannot set seed.keys[0].plan: found "gold"',
    },
    {
      text: '{ "pet": [] }',
      why: 'seed.json:1:10: Cannot set seed.pet: unknown property; use pets, keys',
    },
  ])('keeps the old seed and says why: $why', async ({ text, why }) => {
    const { cli, url, file } = await watchedFile()
    await callControl(url, 'POST', '/pets', { name: 'Rex', categoryId: 1 })
    writeFileSync(file, text)
    expect(await nextLine(cli)).toContain(`petstore-sandbox: Kept the old seed: ${why}`)
    expect(await petCount(url)).toBe(2)
    await callControl(url, 'POST', '/reset')
    expect(await petCount(url)).toBe(1)
    writeFileSync(file, seedText(3))
    expect(await nextLine(cli)).toBe(reloaded(3))
  })

  it('leaves the clock, quotas, faults and the journal as they are', async () => {
    const { cli, url, file } = await watchedFile(['--clock', '2030-01-01', '--frozen'])
    await callControl(url, 'POST', '/faults', { fault: 'timeout', key: 'nobody' })
    const headers = { Authorization: 'Bearer free-key' }
    await fetch(`${url}/v1/pets`, { headers })
    writeFileSync(file, seedText(2))
    await nextLine(cli)
    const reply = await fetch(`${url}/v1/pets`, { headers })
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('58')
    expect(reply.headers.get('date')).toBe('Tue, 01 Jan 2030 00:00:00 GMT')
    expect(await callControl(url, 'GET', '/faults')).toMatchObject({ answer: [{ id: 1 }] })
    const { answer } = await callControl(url, 'GET', '/requests')
    expect(answer).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('leaves named sandboxes the seed that the process began with', async () => {
    const { cli, url, file } = await watchedFile(['--sandbox', 'alice'])
    writeFileSync(file, seedText(2))
    await nextLine(cli)
    await callControl(`${url}/sandboxes/alice`, 'POST', '/reset')
    expect(await petCount(`${url}/sandboxes/alice`)).toBe(1)
    await callControl(url, 'POST', '/sandboxes', { name: 'bob' })
    expect(await petCount(`${url}/sandboxes/bob`)).toBe(1)
    expect(await petCount(url)).toBe(2)
  })

  it('leaves the generated pets beside a file of keys', async () => {
    const cwd = testFolder()
    const file = join(cwd, 'seed.json')
    writeFileSync(file, '{"keys":[]}')
    const options = ['--watch', '--seed-file', 'seed.json', '--pets', '12']
    const { cli, url } = await serveCli(options, { cwd })
    const before = await callControl(url, 'GET', '/pets')
    writeFileSync(file, '{"keys":[{"key":"new","plan":"free"}]}')
    expect(await nextLine(cli)).toBe(reloaded(12, { keys: 1 }))
    expect(await callControl(url, 'GET', '/pets')).toEqual(before)
    writeFileSync(file, seedText(1))
    expect(await nextLine(cli)).toBe(
      'petstore-sandbox: Kept the old seed: Cannot use --pets: seed.json has pets too; use one of them',
    )
  })

  it('watches the two files of a folder, and no other', async () => {
    const cwd = testFolder()
    const folder = join(cwd, 'seed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(1)))
    const { cli, url } = await serveCli(['--watch', '--seed-file', 'seed'], { cwd })
    writeFileSync(join(folder, 'notes.txt'), 'not a seed')
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(2)))
    expect(await nextLine(cli)).toBe(reloaded(2, { path: 'seed' }))
    writeFileSync(join(folder, 'keys.json'), '[{"key":"mine","plan":"pro"}]')
    expect(await nextLine(cli)).toBe(reloaded(2, { path: 'seed', keys: 1 }))
    rmSync(join(folder, 'pets.json'))
    expect(await nextLine(cli)).toBe(reloaded(30, { path: 'seed', keys: 1 }))
    expect(await petCount(url)).toBe(30)
    expect(cli.stderr).toBe('')
  })

  it('goes on when the folder itself is taken away and made anew', async () => {
    const cwd = testFolder()
    const folder = join(cwd, 'seed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(1)))
    const { cli } = await serveCli(['--watch', '--seed-file', 'seed'], { cwd })
    rmSync(folder, { recursive: true })
    expect(await nextLine(cli)).toBe(
      'petstore-sandbox: Kept the old seed: Cannot read seed: it does not exist',
    )
    mkdirSync(join(cwd, 'new'))
    writeFileSync(join(cwd, 'new', 'pets.json'), JSON.stringify(petsOf(2)))
    renameSync(join(cwd, 'new'), folder)
    expect(await nextLine(cli)).toBe(reloaded(2, { path: 'seed' }))
  })

  it('sees what a link leads to: a file that is written, and another one', async () => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'elsewhere'))
    const one = join(cwd, 'elsewhere', 'one.json')
    const other = join(cwd, 'elsewhere', 'other.json')
    writeFileSync(one, seedText(1))
    symlinkSync(one, join(cwd, 'seed.json'))
    const { cli } = await serveCli(['--watch', '--seed-file', 'seed.json'], { cwd })
    writeFileSync(one, seedText(2))
    expect(await nextLine(cli)).toBe(reloaded(2))
    writeFileSync(other, seedText(3))
    symlinkSync(other, join(cwd, 'new.json'))
    renameSync(join(cwd, 'new.json'), join(cwd, 'seed.json'))
    expect(await nextLine(cli)).toBe(reloaded(3))
  })

  it.each([{ form: 'variable' }, { form: 'config file' }])(
    'is asked for by a $form',
    async ({ form }) => {
      const cwd = testFolder()
      const file = join(cwd, 'seed.json')
      writeFileSync(file, seedText(1))
      const env = { PETSTORE_SANDBOX_WATCH: '1', PETSTORE_SANDBOX_SEED_FILE: 'seed.json' }
      const config = JSON.stringify({ watch: true, 'seed-file': 'seed.json' })
      if (form === 'config file') writeFileSync(join(cwd, 'petstore-sandbox.config.json'), config)
      const { cli } = await serveCli([], { cwd, ...(form === 'variable' ? { env } : {}) })
      writeFileSync(file, seedText(2))
      expect(await nextLine(cli)).toMatch(/seed\.json: 2 pets, 9 keys$/)
    },
  )
})

describe('petstore-sandbox --watch', () => {
  it('is wrong usage without a seed file, before anything begins', async () => {
    const cwd = testFolder()
    const options = ['--port', '0', '--port-file', 'port.txt', '--state', 'state.json', '--watch']
    expect(await runCli(options, { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'petstore-sandbox: Cannot use --watch: there is no seed file to watch; add --seed-file\n',
    })
    expect(existsSync(join(cwd, 'port.txt'))).toBe(false)
  })

  it('ends when the port file cannot be written', async () => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'seed.json'), seedText(1))
    const options = ['--port', '0', '--port-file', 'none/port.txt', '--watch', '--seed-file']
    expect(await runCli([...options, 'seed.json'], { cwd })).toMatchObject({
      code: 1,
      stderr: 'petstore-sandbox: Cannot write none/port.txt: its folder does not exist\n',
    })
  })
})
