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
import { sandboxOptions } from '../../../src/cli/serve/sandbox-options.ts'
import { readServeSettings } from '../../../src/cli/serve/serve-settings.ts'
import { watchSeed } from '../../../src/cli/serve/watch-seed.ts'
import type { Reply } from '../../../src/contract/message.ts'
import { createSandbox } from '../../../src/sandbox.ts'
import { callControl } from '../../kit/call-control.ts'
import { nodePrograms, serveCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'
import { send } from '../../kit/send.ts'

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

/** How many pets a sandbox has. */
async function petCount(url: string): Promise<number> {
  const { answer } = await callControl(url, 'GET', '/pets')
  return (answer as readonly unknown[]).length
}

/** A sandbox that is made of a seed, and goes with its changes. */
async function watched(path: string, texts: Readonly<Record<string, string>> = {}) {
  const settings = await readServeSettings({ 'seed-file': path, ...texts }, {})
  const sandbox = createSandbox(await sandboxOptions(settings))
  const lines: string[] = []
  onTestFinished(watchSeed({ path, settings, sandbox, tell: (line) => void lines.push(line) }))
  const nextLine = async (): Promise<string> => {
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    return lines.shift() ?? ''
  }
  return { sandbox, lines, nextLine }
}

/** A sandbox of a seed file of one pet. */
async function watchedFile() {
  const cwd = testFolder()
  const file = join(cwd, 'seed.json')
  writeFileSync(file, seedText(1))
  return { ...(await watched(file)), cwd, file }
}

function reloaded(path: string, pets: number, keys = 9): string {
  return `Reloaded ${path}: ${pets} pets, ${keys} keys`
}

describe('watchSeed()', () => {
  it.each(nodePrograms())(
    'takes the seed again when its file is written, and resets to it (Node $version)',
    async ({ path }) => {
      const cwd = testFolder()
      const file = join(cwd, 'seed.json')
      writeFileSync(file, seedText(1))
      const options = ['--watch', '--seed-file', 'seed.json', '--sandbox', 'alice']
      const { cli, url } = await serveCli(options, { cwd, node: path })
      writeFileSync(file, seedText(2))
      const [line] = await cli.printed(/^.*\n/, 'stderr')
      expect(line).toBe(`petstore-sandbox: ${reloaded('seed.json', 2)}\n`)
      expect(await petCount(url)).toBe(2)
      await callControl(url, 'DELETE', '/pets')
      await callControl(url, 'POST', '/reset')
      expect(await petCount(url)).toBe(2)
      // Named ones keep the seed that the process began with.
      await callControl(`${url}/sandboxes/alice`, 'POST', '/reset')
      expect(await petCount(`${url}/sandboxes/alice`)).toBe(1)
      expect(await cli.stop()).toMatchObject({ code: 0, stderr: line })
    },
  )

  it('takes it again when another file is put in its place, each time', async () => {
    const { sandbox, nextLine, file, cwd } = await watchedFile()
    for (const count of [2, 3, 4]) {
      writeFileSync(join(cwd, '.seed.json.swp'), seedText(count))
      renameSync(join(cwd, '.seed.json.swp'), file)
      expect(await nextLine()).toBe(reloaded(file, count))
      expect(sandbox.pets.size).toBe(count)
    }
  })

  it('has the last of several writes in a row', async () => {
    const { sandbox, nextLine, file } = await watchedFile()
    for (let count = 2; count <= 40; count++) writeFileSync(file, seedText(count))
    while ((await nextLine()) !== reloaded(file, 40));
    expect(sandbox.pets.size).toBe(40)
  })

  it('has all of a file that is written in several steps', async () => {
    const { sandbox, nextLine, file } = await watchedFile()
    const text = seedText(500)
    truncateSync(file)
    for (let from = 0; from < text.length; from += 1_000) {
      appendFileSync(file, text.slice(from, from + 1_000))
      await new Promise(setImmediate)
    }
    while ((await nextLine()) !== reloaded(file, 500));
    expect(sandbox.pets.size).toBe(500)
  })

  it('keeps the old seed while the file is gone, and takes the new one when it is back', async () => {
    const { sandbox, nextLine, file } = await watchedFile()
    rmSync(file)
    expect(await nextLine()).toBe(`Kept the old seed: Cannot read ${file}: it does not exist`)
    expect(sandbox.pets.size).toBe(1)
    writeFileSync(file, seedText(3))
    expect(await nextLine()).toBe(reloaded(file, 3))
    expect(sandbox.pets.size).toBe(3)
  })

  it('begins while the file is gone', async () => {
    const path = join(testFolder(), 'seed.json')
    const [sandbox, settings] = [createSandbox(), await readServeSettings({}, {})]
    const told = new Promise((tell) => {
      onTestFinished(watchSeed({ path, settings, sandbox, tell }))
    })
    writeFileSync(path, seedText(3))
    expect(await told).toBe(reloaded(path, 3))
  })

  it.each([
    { text: '{ "pets": [\n  {]', why: '2:4: Cannot read the file: it is not valid JSON' },
    { text: '', why: '1:1: Cannot read the file: it is not valid JSON' },
    { text: '{\n "pets": 5 }', why: '2:10: Cannot set seed.pets: found 5; use an array' },
    {
      text: '{ "pets": [\n  { "id": 1, "name": "A", "categoryId": 1 },\n  { "id": 2 }\n] }',
      why: '3:3: Cannot set seed.pets[1].name: it is missing',
    },
    {
      text: '{ "keys": [\n  { "key": "a", "plan": "gold" }\n] }',
      why: '2:25: Cannot set seed.keys[0].plan: found "gold"',
    },
    {
      text: '{ "pet": [] }',
      why: '1:10: Cannot set seed.pet: unknown property; use pets, keys',
    },
  ])('keeps the old seed and says why: $why', async ({ text, why }) => {
    const { sandbox, nextLine, file } = await watchedFile()
    sandbox.pets.create({ name: 'Rex', categoryId: 1 })
    writeFileSync(file, text)
    expect(await nextLine()).toContain(`Kept the old seed: ${file}:${why}`)
    expect(sandbox.pets.size).toBe(2)
    sandbox.reset()
    expect(sandbox.pets.size).toBe(1)
    writeFileSync(file, seedText(3))
    expect(await nextLine()).toBe(reloaded(file, 3))
  })

  it('leaves the clock, quotas, faults and the journal as they are', async () => {
    const { sandbox, nextLine, file } = await watchedFile()
    sandbox.clock.freeze()
    sandbox.clock.set('2030-01-01')
    sandbox.faults.add({ fault: 'timeout', key: 'nobody' })
    await send(sandbox)
    writeFileSync(file, seedText(2))
    await nextLine()
    const { headers } = (await send(sandbox)) as Reply
    expect(headers).toMatchObject({
      'x-ratelimit-remaining': '58',
      date: 'Tue, 01 Jan 2030 00:00:00 GMT',
    })
    expect(sandbox.faults.list()).toMatchObject([{ id: 1 }])
    expect(sandbox.journal.entries()).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('leaves the generated pets beside a file of keys', async () => {
    const file = join(testFolder(), 'seed.json')
    writeFileSync(file, '{"keys":[]}')
    const { sandbox, nextLine } = await watched(file, { pets: '12' })
    const before = sandbox.pets.list()
    writeFileSync(file, '{"keys":[{"key":"new","plan":"free"}]}')
    expect(await nextLine()).toBe(reloaded(file, 12, 1))
    expect(sandbox.pets.list()).toEqual(before)
    writeFileSync(file, seedText(1))
    expect(await nextLine()).toBe(
      `Kept the old seed: Cannot use --pets: ${file} has pets too; use one of them`,
    )
  })

  it('watches the two files of a folder, and no other', async () => {
    const folder = join(testFolder(), 'seed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(1)))
    const { sandbox, lines, nextLine } = await watched(folder)
    writeFileSync(join(folder, 'notes.txt'), 'not a seed')
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(2)))
    expect(await nextLine()).toBe(reloaded(folder, 2))
    writeFileSync(join(folder, 'keys.json'), '[{"key":"mine","plan":"pro"}]')
    expect(await nextLine()).toBe(reloaded(folder, 2, 1))
    rmSync(join(folder, 'pets.json'))
    expect(await nextLine()).toBe(reloaded(folder, 30, 1))
    expect(sandbox.pets.size).toBe(30)
    expect(lines).toEqual([])
  })

  it('goes on when the folder itself is taken away and made anew', async () => {
    const cwd = testFolder()
    const folder = join(cwd, 'seed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(petsOf(1)))
    const { nextLine } = await watched(folder)
    rmSync(folder, { recursive: true })
    expect(await nextLine()).toBe(`Kept the old seed: Cannot read ${folder}: it does not exist`)
    mkdirSync(join(cwd, 'new'))
    writeFileSync(join(cwd, 'new', 'pets.json'), JSON.stringify(petsOf(2)))
    renameSync(join(cwd, 'new'), folder)
    expect(await nextLine()).toBe(reloaded(folder, 2))
  })

  it('sees what a link leads to: a file that is written, and another one', async () => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'elsewhere'))
    const one = join(cwd, 'elsewhere', 'one.json')
    const other = join(cwd, 'elsewhere', 'other.json')
    const link = join(cwd, 'seed.json')
    writeFileSync(one, seedText(1))
    symlinkSync(one, link)
    const { nextLine } = await watched(link)
    writeFileSync(one, seedText(2))
    expect(await nextLine()).toBe(reloaded(link, 2))
    writeFileSync(other, seedText(3))
    symlinkSync(other, join(cwd, 'new.json'))
    renameSync(join(cwd, 'new.json'), link)
    expect(await nextLine()).toBe(reloaded(link, 3))
  })
})

describe('petstore-sandbox --watch', () => {
  it('is wrong usage without a seed file, before anything begins', async () => {
    const cwd = testFolder()
    const options = ['--port', '0', '--port-file', 'port.txt', '--state', 'state.json', '--watch']
    expect(await runMain(options, { cwd })).toEqual({
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
    expect(await runMain([...options, 'seed.json'], { cwd })).toMatchObject({
      code: 1,
      stderr: 'petstore-sandbox: Cannot write none/port.txt: its folder does not exist\n',
    })
  })
})
