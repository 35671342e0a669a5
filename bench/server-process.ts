import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchRequest, send } from './send.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number
  /** From the start of the process to its first 200. */
  readonly startMs: number
  /** What it has had of the processors, all threads and the system's work for it; `NaN` but on Linux. */
  cpuMs(): number
  stop(): Promise<void>
}

/** How to start a server. */
export interface ServerCommand {
  /** The Node to run it on; by default the benchmark's own. */
  readonly node?: string
  /** The script and its arguments. */
  args(port: number): readonly string[]
  /** The file that it writes its standard output to; by default nobody reads that. */
  readonly output?: string
  /** What to ask until it answers 200. */
  readonly probe: BenchRequest
}

const patienceMs = 30_000
const probeEveryMs = 1

/**
 * Starts a server on a free port and waits until it answers.
 *
 * @throws Error with what it wrote to stderr, when it ends or does not answer in time.
 */
export async function startProcess(command: ServerCommand): Promise<ServerProcess> {
  const port = await freePort()
  const args = command.args(port)
  const beginAt = performance.now()
  const output = command.output === undefined ? undefined : openSync(command.output, 'w')
  const child = spawn(command.node ?? process.execPath, args, {
    stdio: ['ignore', output ?? 'ignore', 'pipe'],
  })
  if (output !== undefined) closeSync(output)
  const stop = stopperOf(child)
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk}`.slice(-2000)
  })
  while (!(await isServing(port, command.probe))) {
    if (isOver(child) || performance.now() - beginAt > patienceMs) {
      await stop()
      throw new Error(`Cannot start ${args.join(' ')}: ${complaints || 'it does not answer'}`)
    }
    await wait(probeEveryMs)
  }
  const startMs = performance.now() - beginAt
  return { port, startMs, cpuMs: () => cpuMsOf(child), stop }
}

async function isServing(port: number, probe: BenchRequest): Promise<boolean> {
  try {
    return (await send(port, probe)).status === 200
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return false
    throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Gives what stops a process; until then it is stopped when this one ends. */
function stopperOf(child: ChildProcess): () => Promise<void> {
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  return async () => {
    process.off('exit', kill)
    if (isOver(child)) return
    const ended = once(child, 'exit')
    child.kill()
    const timer = setTimeout(kill, 2000)
    await ended
    clearTimeout(timer)
  }
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Linux counts in hundredths of a second. */
const tickMs = 10

function cpuMsOf({ pid }: ChildProcess): number {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return Number.NaN
  // Fields 14 and 15; the second one, in parentheses, is a name that may have spaces.
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}
