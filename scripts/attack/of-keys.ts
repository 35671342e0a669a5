import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, expect, fillJournal, repeat } from './attack.ts'
import type { Target } from './target.ts'

const quiet = ['--rate-limit', 'reported']

function keysOf(prefix: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    key: `${prefix}-${index}-${(index * 7_919).toString(36)}`,
    plan: 'free',
  }))
}

/** Waits until a server has a key. */
async function waitForKey(target: Target, key: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const { status } = await target.ask('GET', `/_sandbox/keys/${key}`)
    if (status === 200) return
    await sleep(50)
  }
  throw new Error(`it never has the key ${key}`)
}

/** What many keys can do that come and go. */
export const attacksOfKeys: readonly Attack[] = [
  {
    name: 'many keys that are replaced by others, reset and restored, while the journal is full',
    options: quiet,
    async run(target, times) {
      for (const prefix of ['one', 'other']) {
        await fillJournal(target, 60 * times)
        await target.control('PUT', '/seed', { keys: keysOf(prefix, 5_000 * times) })
      }
      for (const body of [{ only: ['keys'] }, undefined]) {
        await fillJournal(target, 30 * times)
        await target.control('POST', '/reset', body)
      }
      // A text in which the end of a key may be missing, and one that isn't known.
      await target.ask('GET', '/v1/pets/other-4711-ab...', undefined, 'other-1-63z')
      await target.control('PUT', '/snapshot', await target.control('GET', '/snapshot'))
      await fillJournal(target, 30 * times)
      await target.control('PUT', '/seed', { keys: [] })
    },
  },
  {
    name: 'keys that are deleted one by one, beside many others, while the journal is full',
    options: [...quiet, '--limit', 'keys=100000'],
    async run(target, times) {
      await target.control('PUT', '/seed', { keys: keysOf('stay', 5_000 * times) })
      const keys = keysOf('gone', 300 * times)
      await repeat(keys.length, (index) => target.control('POST', '/keys', keys[index]))
      await fillJournal(target, 60 * times)
      await repeat(keys.length, (index) => target.control('DELETE', `/keys/${keys[index]?.key}`))
    },
  },
  {
    name: 'sandboxes made on use, each with all the keys that the process began with',
    options(folder) {
      const file = join(folder, 'seed.json')
      writeFileSync(file, JSON.stringify({ keys: keysOf('usual', 20_000) }))
      return [...quiet, '--auto-create', '--seed-file', file]
    },
    async run(target) {
      for (const name of ['a', 'b', 'c']) {
        const { status } = await target.ask(
          'GET',
          `/sandboxes/${name}/v1/pets/nobody...`,
          undefined,
          'usual-1-63z',
        )
        expect(status === 404, `a pet that is not there gets ${status}`)
      }
    },
  },
  {
    name: 'a watched seed of many keys and pets, replaced, and broken, while the journal is full',
    options(folder) {
      const file = join(folder, 'seed.json')
      writeFileSync(file, JSON.stringify({ keys: keysOf('first', 10) }))
      return [...quiet, '--watch', '--seed-file', file]
    },
    async run(target, times, folder) {
      const file = join(folder, 'seed.json')
      const pets = Array.from({ length: 10_000 * times }, (_, index) => ({
        ...{ id: index + 1, name: 'Rex', categoryId: 1 },
      }))
      for (const prefix of ['one', 'other']) {
        await fillJournal(target, 60 * times)
        const text = JSON.stringify({ keys: keysOf(prefix, 5_000 * times), pets })
        writeFileSync(file, text)
        await waitForKey(target, `${prefix}-1-63z`)
        writeFileSync(file, text.slice(0, -1))
        await sleep(1_500)
        writeFileSync(file, `${text.slice(0, -2)},{"id":"none"}]}`)
        await sleep(1_500)
      }
    },
  },
]
