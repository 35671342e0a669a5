/**
 * Measures what the tests notice: changes the source at random places, one at a time, and runs the tests on each.
 *
 * `npm run mutate -- --rooms engine,state --count 50 --seed 1` prints the changes that no test has noticed. With `--out`
 * it goes on from an earlier run; `--tests` says which are run beside the nearest ones: `near` for none, `quick`, `slow`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findMutants, type Mutant } from './mutation/find-mutants.ts'
import { rooms } from './mutation/rooms.ts'
import { sample } from './mutation/sample.ts'
import type { Verdict } from './mutation/test-mutants.ts'

/** How long all tests may take without a change, and how long they may take on one: it may never end. */
const patienceMs = { all: 900_000, one: 300_000 }

const { values } = parseArgs({
  options: {
    rooms: { type: 'string', default: Object.keys(rooms).join(',') },
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: 'quick' },
    out: { type: 'string', default: '' },
  },
})

interface Result extends Mutant {
  readonly room: string
  readonly verdict: string
}

/** What is known already goes into the count, so that a run can be continued with a larger one. */
const results: Result[] = existsSync(values.out) ? JSON.parse(readFileSync(values.out, 'utf8')) : []
let tester: ChildProcess | undefined
let isChecked = false

for (const room of values.rooms.split(',')) {
  const all = globSync([...(rooms[room] ?? [])])
    .toSorted()
    .flatMap(findMutants)
  const chosen = sample(all, Number(values.count), `${values.seed} ${room}`)
  say(`${room}: ${chosen.length} of ${all.length} changes`)
  for (const mutant of chosen) {
    const known = results.findIndex((one) => isSame(one, mutant))
    if (known >= 0 && results[known]?.verdict !== 'survived') continue
    const verdict = await judge(mutant)
    results.splice(known < 0 ? results.length : known, 1, { ...mutant, room, verdict })
    if (verdict === 'survived' || verdict === 'timeout') say(`  ${verdict}: ${lineOf(mutant)}`)
    if (values.out !== '') writeFileSync(values.out, JSON.stringify(results, undefined, 1))
  }
  const ofRoom = results.filter((one) => one.room === room)
  const killed = ofRoom.filter(({ verdict }) => verdict !== 'survived')
  say(`${room}: ${killed.length} of ${ofRoom.length} killed`)
}
tester?.kill()

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Gives the test file that notices a mutant, `timeout`, or `survived`. */
async function judge(mutant: Mutant): Promise<string> {
  tester ??= await startTester()
  tester.send(mutant)
  const verdict = await answerOf(tester, patienceMs.one)
  if (verdict !== undefined) return verdict.killer ?? 'survived'
  tester.kill('SIGKILL')
  tester = undefined
  return 'timeout'
}

/** Starts what runs the tests; the first time, they are run without a change, and have to pass. */
async function startTester(): Promise<ChildProcess> {
  const child = fork(new URL('mutation/test-mutants.ts', import.meta.url), [values.tests])
  await answerOf(child, patienceMs.all)
  if (isChecked) return child
  child.send('none')
  const killer = (await answerOf(child, patienceMs.all))?.killer
  if (killer !== undefined) throw new Error(`Cannot measure: ${killer} fails without a change`)
  isChecked = true
  return child
}

/** What the tester says; `undefined` if it says nothing for too long, or has ended. */
function answerOf(child: ChildProcess, ms: number): Promise<Verdict | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(undefined), ms)
    const end = (verdict: Verdict | undefined): void => {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', leave)
      resolve(verdict)
    }
    const hear = (verdict: unknown): void => end(verdict as Verdict)
    const leave = (): void => end(undefined)
    child.once('message', hear)
    child.once('exit', leave)
  })
}

function isSame(one: Mutant, other: Mutant): boolean {
  const idOf = ({ path, start, end, text }: Mutant): string => `${path} ${start} ${end} ${text}`
  return idOf(one) === idOf(other)
}

function lineOf({ path, line, operator, before, text }: Mutant): string {
  const short = (code: string): string => code.replace(/\s+/g, ' ').slice(0, 70)
  return `${path}:${line} ${operator}: ${short(before)} -> ${short(text)}`
}
