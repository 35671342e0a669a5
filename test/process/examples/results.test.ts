import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

const folder = fileURLToPath(new URL('../../../examples/client/', import.meta.url))

/** Checks a script of the client to copy, in which a text is replaced. */
async function checkScript(
  command: readonly string[],
  only: string,
  replaced: Readonly<Record<string, string>> = {},
) {
  const cwd = testFolder()
  cpSync(folder, cwd, { recursive: true })
  for (const [text, other] of Object.entries(replaced)) {
    const file = join(cwd, 'pet-client.ts')
    const source = readFileSync(file, 'utf8')
    expect(source).toContain(text)
    writeFileSync(file, source.replace(text, other))
  }
  const words = ['check', '--only', `baseline,${only}`, '--report', 'json', '--', ...command]
  const { code, stdout } = await runMain(words, { cwd })
  const items: readonly { grade: string; what: string; text: string }[] = JSON.parse(stdout).items
  return { code, items: items.filter(({ grade }) => grade !== 'info') }
}

const typescript = [process.execPath, 'smoke.ts']

describe('the results of a script', () => {
  it.each([
    { language: 'TypeScript', command: typescript },
    { language: 'Python', command: ['python3', 'smoke.py'] },
    { language: 'TypeScript, one call', command: [...typescript, 'createPet'] },
  ])('are those of the responses, of the client to copy in $language', async ({ command }) => {
    const only = 'day-limit,key-expired,outage,lost-response,invalid-json,large-ids'
    expect(await checkScript(command, only)).toEqual({ code: 0, items: [] })
  })

  it.each([
    {
      mutant: 'reads ids as numbers',
      replaced: { 'isId(key) ? BigInt(value)': 'isId(key) ? BigInt(Number(value))' },
      only: 'large-ids',
      what: 'returns another id',
      text: /^createPet returned the id 9007199254740992; the service sent 9007199254740993\.$/,
    },
    {
      mutant: 'drops a pet of a list',
      replaced: {
        'return await this.#request(`/pets?limit':
          'return (await this.#request<Pet[]>(`/pets?limit',
        "{ method: 'GET' })": "{ method: 'GET' })).slice(1)",
      },
      only: 'slow',
      what: 'returns another list',
      text: /^listPets returned 29 pets \(2, 3, .*the service sent 30 \(1, 2, /,
    },
    {
      mutant: 'adds a pet again without a look',
      replaced: { 'mayBeAdded ? await find?.()': 'false ? await find?.()' },
      only: 'lost-response',
      what: 'adds a pet twice',
      text: /^1 call of createPet added 2 pets: 31, 32\.$/,
    },
    {
      mutant: 'takes a failure for an empty list',
      replaced: { "{ method: 'GET' })": "{ method: 'GET' }).catch(() => [])" },
      only: 'outage',
      what: 'reports a false success',
      text: /^listPets reported success; the service sent: 503, 503, 503, 503\.$/,
    },
    {
      mutant: 'takes what it cannot read for an empty list',
      replaced: {
        'if (ok && content !== undefined) return content': 'if (ok) return content ?? []',
      },
      only: 'invalid-json',
      what: 'reports a false success',
      text: /^listPets reported success; the service sent: 200\.$/,
    },
    {
      mutant: 'confuses statuses',
      replaced: {
        'const { ok, status } = response':
          'const { ok } = response\n    const status = response.status === 503 ? 404 : response.status',
      },
      only: 'outage',
      what: 'reports another error',
      text: /^\w+ reported not-found; the service sent: 503\.$/,
    },
  ])('name a client that $mutant', async ({ replaced, only, what, text }) => {
    const { code, items } = await checkScript(typescript, only, replaced)
    expect(code).toBe(4)
    expect(items).toContainEqual({
      ...items.find((one) => one.what === what),
      grade: 'fix',
      what,
      text: expect.stringMatching(text),
    })
  })
})
