import { readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { Random } from '../../../src/mock/state/random.ts'
import { callControl } from '../../kit/call-control.ts'
import { type Cli, serveCli, testFolder } from '../../kit/cli-process.ts'
import { draws } from '../../kit/draws.ts'

/** How many pets the state has: enough that saving it takes a while. */
const petCount = 10_000

const rounds = draws(2)

/** What the moments are drawn from. */
const seed = inject('testSeed')

/** What was asked of a process, and what it has confirmed. */
interface Progress {
  added: number
  saved: number
}

/** Adds a pet and saves, again and again, until the process is gone. */
async function addAndSave(url: string, progress: Progress): Promise<void> {
  try {
    for (;;) {
      await callControl(url, 'POST', '/pets', { name: 'Rex', categoryId: 1 })
      const { added } = progress
      progress.added++
      await callControl(url, 'POST', '/state/save')
      progress.saved = added + 1
    }
  } catch (error) {
    // What fetch says of a connection that broke.
    if (!(error instanceof TypeError)) throw error
  }
}

/** How many pets were added to the state in a file, which has to be whole. */
function addedIn(file: string, which: string): number {
  const text = readFileSync(file, 'utf8')
  expect(() => JSON.parse(text), `the state of ${which} is whole`).not.toThrow()
  const { petstoreSandbox, pets, sandboxes } = JSON.parse(text)
  expect({ petstoreSandbox, sandboxes }, which).toEqual({ petstoreSandbox: 1, sandboxes: {} })
  return pets.list.length - petCount
}

/** Kills a process as soon as it has begun to write a state down. */
function killAtWriting({ process }: Cli, folder: string): void {
  const changes = watch(folder, (_kind, name) => {
    if (name?.endsWith('.part')) process.kill('SIGKILL')
  })
  onTestFinished(() => changes.close())
}

/** Kills a process after so many turns of this one's event loop. */
function killAfter(cli: Cli, turns: number): void {
  if (turns === 0) cli.process.kill('SIGKILL')
  else setImmediate(() => killAfter(cli, turns - 1))
}

describe('saveState() in a process that is killed', () => {
  it.each([
    { moment: 'when it begins to write', kill: killAtWriting },
    {
      moment: 'at any moment',
      kill: (cli: Cli, _folder: string, random: Random) => killAfter(cli, random.next() % 100_000),
    },
  ])(
    'leaves the old state or the new one, never half of one: $moment',
    { timeout: 180_000 },
    async ({ kill }) => {
      const random = new Random(seed)
      const cwd = testFolder()
      const file = join(cwd, 'state.json')
      const progress: Progress = { added: 0, saved: 0 }
      for (let round = 0; round < rounds; round++) {
        const pets = round === 0 ? ['--pets', String(petCount)] : []
        const { cli, url } = await serveCli(['--state', 'state.json', ...pets], { cwd })
        if (round === 0) await callControl(url, 'POST', '/state/save')
        // What the last one has left is gone.
        expect(readdirSync(cwd)).toEqual(['state.json', 'state.json.pid'])
        kill(cli, cwd, random)
        await addAndSave(url, progress)
        await cli.ended()
        const which = `round ${round} with TEST_SEED=${seed}`
        const added = addedIn(file, which)
        expect(added, which).toBeGreaterThanOrEqual(progress.saved)
        expect(added, which).toBeLessThanOrEqual(progress.added)
        progress.added = added
        progress.saved = added
      }
    },
  )
})
