import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSeedFile } from '../../../../src/cli/serve/start-serving.ts'
import { testFolder } from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'
import { serveHere } from '../../../kit/serve-here.ts'

const headers = { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' }

/** Makes a folder with files of some text in it. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = testFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Seed files that are rejected. */
const wrongFiles = [
  '{ "pets": [\n',
  '[]',
  '{ "pet": [] }',
  '{ "pets": {} }',
  '{ "pets": [\n  { "id": 1, "categoryId": 1 }\n] }',
  '{ "pets": [\n  { "id": 1, "name": "a", "categoryId": 1 },\n  { "id": 2, "name": 5, "categoryId": 1 }\n] }',
  '{ "pets": [{ "id": 1.5, "name": "a", "categoryId": 1 }] }',
  '{ "pets": [{ "id": 9223372036854775808, "name": "a", "categoryId": 1 }] }',
  '{ "pets": [{ "id": 1, "name": "a", "categoryId": 1, "status": "lost" }] }',
  '{ "pets": [\n{ "id": 1, "name": "a", "categoryId": 1 },\n{ "id": 1, "name": "b", "categoryId": 1 }] }',
  '{ "keys": [{ "key": "a" }] }',
  '{ "keys": [{ "key": "a", "plan": "gold" }] }',
  '{ "keys": [{ "key": "a b", "plan": "free" }] }',
  '{ "keys": [{ "key": "a", "plan": "enterprise" }] }',
  '{ "keys": [{ "key": "a", "plan": "free" },\n{ "key": "a", "plan": "pro" }] }',
]

describe('readSeedFile()', () => {
  it('reads pets and keys from a file, int64 digit for digit', async () => {
    const pets = '[{ "id": 9007199254740993, "name": "Żuk", "categoryId": -9223372036854775808 }]'
    const keys = '[{ "key": "own-key", "plan": "pro", "limits": { "minute": 7 } }]'
    const cwd = folderOf({ 'seed.json': `{ "pets": ${pets}, "keys": ${keys} }` })
    const { url } = await serveHere({ 'seed-file': join(cwd, 'seed.json') })
    const own = { ...headers, Authorization: 'Bearer own-key' }
    const list = await fetch(`${url}/v1/pets`, { headers: own })
    expect(await list.text()).toBe(
      '[{"id":9007199254740993,"name":"Żuk","categoryId":-9223372036854775808}]',
    )
    expect(list.headers.get('x-ratelimit-limit')).toBe('7')
    const body = '{"name":"Next","categoryId":1}'
    const created = await fetch(`${url}/v1/pets`, { method: 'POST', headers: own, body })
    expect(await created.text()).toContain('"id":9007199254740994,')
    expect(await fetch(`${url}/v1/pets`, { headers })).toMatchObject({ status: 401 })
  })

  it('takes what a file leaves out from its own seed', async () => {
    const cwd = folderOf({ 'seed.json': '{ "pets": [] }' })
    const { banner, url } = await serveHere({ 'seed-file': join(cwd, 'seed.json') })
    expect(banner).toMatch(/Pets +0\n/)
    expect(await (await fetch(`${url}/v1/pets`, { headers })).json()).toEqual([])
  })

  it('reads a folder with pets.json, keys.json or both', async () => {
    const pets = '[{ "id": 5, "name": "Żuk", "categoryId": 1 }]'
    const cwd = testFolder()
    mkdirSync(join(cwd, 'seed'))
    writeFileSync(join(cwd, 'seed', 'pets.json'), `\ufeff${pets}`)
    const petsOnly = await serveHere({ 'seed-file': join(cwd, 'seed') })
    expect(petsOnly.banner).toMatch(/Pets +1\n[\s\S]*free-key/)
    writeFileSync(join(cwd, 'seed', 'keys.json'), '[{ "key": "own-key", "plan": "free" }]')
    const both = await serveHere({ 'seed-file': join(cwd, 'seed') })
    expect(both.banner).toMatch(/Pets +1\n[\s\S]*own-key/)
    expect(both.banner).not.toContain('free-key')
  })

  it('generates pets beside the keys of a file', async () => {
    const cwd = folderOf({ 'seed.json': '{ "keys": [{ "key": "own-key", "plan": "free" }] }' })
    const { banner } = await serveHere({ 'seed-file': join(cwd, 'seed.json'), pets: '5' })
    expect(banner).toMatch(/Pets +5\n[\s\S]*own-key/)
  })

  it('generates no pets if the file has some', async () => {
    const cwd = folderOf({ 'seed.json': '{ "pets": [] }' })
    const result = await runMain(['--seed-file', 'seed.json', '--pets', '5'], { cwd })
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: 'petstore-sandbox: Cannot use --pets: seed.json has pets too; use one of them\n',
    })
  })

  it('rejects a wrong file, and says where and why', async () => {
    const said: string[] = []
    for (const text of wrongFiles) {
      const file = join(folderOf({ 'seed.json': text }), 'seed.json')
      const error = await readSeedFile(file).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ exitCode: 2 })
      const { message } = error as Error
      expect(message.slice(0, file.length)).toBe(file)
      said.push(text, `  ${message.slice(file.length + 1)}`)
    }
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('wrong-seed-files.txt')
  })

  it('says where in a file of a folder', async () => {
    const cwd = folderOf({ 'pets.json': '[\n  { "id": 1, "name": "a", "categoryId": "one" }\n]' })
    await expect(readSeedFile(cwd)).rejects.toThrow(
      `${join(cwd, 'pets.json')}:2:41: Cannot set pets[0].categoryId: found "one"`,
    )
  })

  it.each([
    { path: 'x'.repeat(300), message: `Cannot read ${'x'.repeat(300)}: its name is too long` },
    { path: 'missing.json', message: 'Cannot read missing.json: it does not exist' },
    { path: '.', message: 'Cannot read .: the folder has neither pets.json nor keys.json' },
  ])('rejects the path $path', async ({ path, message }) => {
    const cwd = folderOf({ 'a.json': '{}' })
    expect(await runMain(['--seed-file', path], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: `petstore-sandbox: ${message}\n`,
    })
  })
})
