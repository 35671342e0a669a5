import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { basePath } from '../mock/api/endpoints.ts'
import type { GapSettings } from '../mock/api/gaps.ts'
import { plans } from '../mock/api/plans.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { CliError } from './cli-error.ts'
import { report } from './terminal.ts'

/** Sandbox that a command runs beside. */
interface SandboxBeside {
  /** Address of its server, without `/v1`. */
  readonly url: string
  readonly sandbox: Sandbox
  readonly controlToken: string | undefined
  /** Gap values that sandboxes of the command's own start with, too. */
  readonly gaps: GapSettings
}

/**
 * Returns the environment variables of a command; those without a value are to be removed, since they would belong to
 * the sandbox of an outer command.
 */
export function commandVariables(beside: SandboxBeside): NodeJS.ProcessEnv {
  const { url, sandbox, controlToken, gaps } = beside
  const all = sandbox.keys.list()
  const active = all.filter(({ state }) => state === 'active')
  // A scenario such as minute-exhausted leaves none.
  const keys = active.length > 0 ? active : all
  const ofPlans = Object.keys(plans).map((name) => [
    `PETSTORE_${name.toUpperCase()}_KEY`,
    keys.find(({ plan }) => plan === name)?.key,
  ])
  const choices = Object.entries(gaps).map(([name, choice]) => `${name}=${choice}`)
  return {
    PETSTORE_API_URL: `${url}${basePath}`,
    PETSTORE_CONTROL_URL: `${url}/_sandbox`,
    PETSTORE_CONTROL_TOKEN: controlToken,
    PETSTORE_KEY: keys[0]?.key,
    ...Object.fromEntries(ofPlans),
    // For this program's own commands.
    PETSTORE_SANDBOX_URL: url,
    PETSTORE_SANDBOX_CONTROL_TOKEN: controlToken,
    // For sandboxes within the command's own processes.
    PETSTORE_SANDBOX_GAPS: choices.length === 0 ? undefined : choices.join(','),
    PETSTORE_SANDBOX_CONDITION: undefined,
  }
}

/** Commands that open an address in the user's browser, by platform. */
const openers: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  // The empty text is the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens a page in the browser; only reports a failure. */
export function openPage(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const fail = (why: string): void => report(`Cannot open ${url}: ${why}; open it by hand`)
  // Detached, so that the browser doesn't end with this process.
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => fail(`${command} can't be started`))
  child.on('exit', (code) => {
    if (code !== null && code !== 0) fail(`${command} ended with ${code}`)
  })
  child.unref()
}

/** Returns whether a process with this id is running; the id may have been reused. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(id)
}

/** Whether a process has ended without having been reaped by its parent; detected only on Linux. */
function isZombie(id: number): boolean {
  try {
    // The name before the state, in parentheses, may contain anything (proc(5)).
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Whether a command can have a process group of its own, which gets signals as a whole. */
export const hasGroups: boolean = process.platform !== 'win32'

/** Sends a signal to a detached command and all its child processes. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (hasGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // The whole group has ended.
  }
}

/** Explains why a command can't be started, with the exit code of shells for that. */
export function startError(command: string, error: Error): CliError {
  if (!exists(command)) {
    return new CliError(`Cannot run ${command}: command not found`, 127)
  }
  const code = 'code' in error ? error.code : undefined
  const isProgram = code !== 'EACCES' && code !== 'ENOENT'
  const why = isProgram ? error.message : 'it is not executable, or this user may not run it'
  return new CliError(`Cannot run ${command}: ${why}`, 126)
}

/** Whether a command's file exists, since the system's error may be about a folder in PATH. */
function exists(command: string): boolean {
  const folders = command.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, command)))
}

/** Time after the first signal in which another one counts as the same, since npm and a terminal both send one. */
const sameSignalMs = 2_000

/** Waits for a stop signal; another one after two seconds ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (): void => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > sameSignalMs) {
        process.exit(1)
      }
    }
    // SIGHUP is sent when a terminal is closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  })
}
