import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeReasonOf } from '../files/reason-of.ts'
import { targetOf } from '../files/replace-file.ts'
import { beginningOf } from '../processes/running-process.ts'
import { CliError } from '../terminal/cli-error.ts'

/** What a process says of itself, in a file of its own beside the state: its id is in the name. */
interface Claim {
  readonly name: string
  readonly pid: number
  /** When the process began; `''` if that isn't known. */
  readonly beginning: string
  /** Whether the process has the state; before, it only asks for it. */
  readonly isHeld: boolean
}

const held = 'held'

/** How often to look again at a process that asks, too. */
const pollEveryMs = 20

/** How long to look. */
const patienceMs = 2_000

/**
 * Has a state file for this process alone, until it gives the file back or ends; what dead processes have left is removed.
 *
 * A process first says that it asks for the file, and then looks who else does: of two, at least one sees the other. If
 * the other has the file, or its name comes first, the process gives up; else it waits until the other has the file, or
 * has given up. Nobody writes or removes what a living process says of itself.
 *
 * @returns What gives the file back.
 * @throws {@link CliError} naming the process that has it.
 */
export async function lockState(file: string): Promise<() => void> {
  try {
    return await claim(targetOf(file))
  } catch (error) {
    throw new CliError(`Cannot keep the state in ${file}: ${writeReasonOf(error)}`, 1)
  }
}

async function claim(target: string): Promise<() => void> {
  const [folder, prefix] = [dirname(target), `.${basename(target)}.`]
  const name = `${prefix}${randomBytes(8).toString('hex')}.${process.pid}.lock`
  const path = join(folder, name)
  const giveBack = (): void => {
    process.off('exit', giveBack)
    try {
      rmSync(path, { force: true })
    } catch {
      // On a disk that has become read-only, say: what stays there is a dead process's, and in nobody's way.
    }
  }
  process.on('exit', giveBack)
  try {
    writeFileSync(path, `${beginningOf(process.pid)}\n`, { flag: 'wx', mode: 0o600 })
    const other = await winnerBeside(name, () => claimsIn(folder, prefix))
    if (other !== undefined) {
      throw new Error(`process ${other.pid} has it; stop that one, or use another file`)
    }
    appendFileSync(path, held)
    return giveBack
  } catch (error) {
    giveBack()
    throw error
  }
}

/** Waits until it is clear whether the file is for another process; gives that one's claim. */
async function winnerBeside(own: string, look: () => readonly Claim[]): Promise<Claim | undefined> {
  for (let waitedMs = 0; ; waitedMs += pollEveryMs) {
    const others = look().filter(({ name }) => name !== own)
    const winner = others.find(({ isHeld, name }) => isHeld || name < own)
    if (winner !== undefined || others.length === 0) return winner
    // One that was stopped, maybe, before it could look around.
    if (waitedMs >= patienceMs) return others[0]
    await pause(pollEveryMs)
  }
}

/** The claims of the processes that run; removes those of others. */
function claimsIn(folder: string, prefix: string): Claim[] {
  const claims = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => claimOf(folder, name, name.slice(prefix.length)) ?? [])
  for (const one of claims) if (!isOfLiving(one)) rmSync(join(folder, one.name), { force: true })
  return claims.filter(isOfLiving)
}

/** Reads a claim; `undefined` for another file, and for one that has just gone. */
function claimOf(folder: string, name: string, rest: string): Claim | undefined {
  const [, pid] = /^[\da-f]{16}\.(\d+)\.lock$/.exec(rest) ?? []
  if (pid === undefined) return undefined
  try {
    const [beginning = '', state] = readFileSync(join(folder, name), 'utf8').split('\n')
    // Until its first line is whole, it says nothing.
    const isKnown = state !== undefined
    return { name, pid: Number(pid), beginning: isKnown ? beginning : '', isHeld: state === held }
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isGone) return undefined
    throw error
  }
}

function isOfLiving({ pid, beginning }: Claim): boolean {
  const found = beginningOf(pid)
  return found === '' || (found !== undefined && ['', found].includes(beginning))
}
