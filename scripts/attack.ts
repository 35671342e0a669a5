/** Attacks the built server in a process with a small heap, and tells what held; `--short` does less of each. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack/attack.ts'
import { attacksOfClients } from './attack/of-clients.ts'
import { attacksOfControls } from './attack/of-controls.ts'
import { attacksOfKeys } from './attack/of-keys.ts'
import { heapMiB, Target } from './attack/target.ts'

/** How long a request may stop all others, in milliseconds of computing. */
const mostStopMs = 50

/** What became of an attack. */
interface Outcome {
  readonly name: string
  readonly peakMiB: number
  readonly stopMs: number
  /** What went wrong, if anything. */
  readonly why: string
}

async function carryOut(attack: Attack, times: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-attack-'))
  try {
    return await carryOutIn(folder, attack, times)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function carryOutIn(
  folder: string,
  { name, options, run }: Attack,
  times: number,
): Promise<Outcome> {
  const target = await Target.start(typeof options === 'function' ? options(folder) : options)
  try {
    await run(target, times, folder)
    await target.expectServing()
    const { peakMiB, stopMs } = await target.gauge()
    const isLong = times > 1 && stopMs > mostStopMs
    return { name, peakMiB, stopMs, why: isLong ? `it stops for more than ${mostStopMs} ms` : '' }
  } catch (error) {
    const last = await target.gauge().catch(() => ({ peakMiB: Number.NaN, stopMs: Number.NaN }))
    // A server that dies ends its connections before it is known to be dead.
    await sleep(1_000)
    const death = target.death
    const why = error instanceof Error ? error.message : String(error)
    return { name, ...last, why: death ?? why }
  } finally {
    await target.stop()
  }
}

const isShort = process.argv.includes('--short')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const attacks = [...attacksOfClients, ...attacksOfControls, ...attacksOfKeys].filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
)
process.stdout.write(`Heap of ${heapMiB} MiB, Node ${process.version}\n\n`)
process.stdout.write('| attack | peak, MiB | longest stop, ms | held |\n|---|---|---|---|\n')
let failed = 0
for (const attack of attacks) {
  const { name, peakMiB, stopMs, why } = await carryOut(attack, isShort ? 1 : 10)
  if (why !== '') failed++
  const held = why === '' ? 'yes' : `**no**: ${why}`
  process.stdout.write(`| ${name} | ${peakMiB.toFixed(0)} | ${stopMs.toFixed(0)} | ${held} |\n`)
}
process.stdout.write(`\n${attacks.length} tried, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
