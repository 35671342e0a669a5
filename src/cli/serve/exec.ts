import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { basePath } from '../../contract/endpoints.ts'
import { plans } from '../../contract/plans.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { ServeSettings } from './serve-settings.ts'
import { startServing } from './start-serving.ts'

/** Defaults of `exec`, which override variables and config files, since those are for `serve`, which may be running too. */
export const execDefaults = { port: '0', log: 'silent' } as const

/**
 * Runs a command with a sandbox, whose address and keys it gets in environment variables; stops that when the command
 * ends.
 *
 * @returns The command's exit code, or 128 plus the number of the signal that ended it, as in shells.
 * @throws {@link CliError} when the command can't be started, with the exit code of shells for that.
 */
export async function exec(
  settings: ServeSettings,
  [command = '', ...words]: readonly string[],
): Promise<number> {
  if (command === '') {
    throw new CliError('Cannot run exec: the command is missing; use exec [options] -- COMMAND', 2)
  }
  const { server, save, writePort, end } = await startServing(settings)
  await writePort()
  try {
    return await run(command, words, { ...process.env, ...variables(server) })
  } finally {
    await server.close()
    end()
    save?.()
  }
}

/**
 * The variables for the command; those without a value are removed, since they would be about the sandbox of an outer
 * `exec`.
 */
function variables({ url, sandbox, controlToken }: RunningServer): NodeJS.ProcessEnv {
  const keys = sandbox.keys.list().filter(({ state }) => state === 'active')
  const ofPlans = Object.keys(plans).map((name) => [
    `PETSTORE_${name.toUpperCase()}_KEY`,
    keys.find(({ plan }) => plan === name)?.key,
  ])
  return {
    PETSTORE_URL: `${url}${basePath}`,
    PETSTORE_CONTROL_URL: `${url}/_sandbox`,
    PETSTORE_CONTROL_TOKEN: controlToken,
    PETSTORE_KEY: keys[0]?.key,
    ...Object.fromEntries(ofPlans),
    // For this program's own commands.
    PETSTORE_SANDBOX_URL: url,
    PETSTORE_SANDBOX_CONTROL_TOKEN: controlToken,
  }
}

/** The signals that are passed on to the command, which decides what to do. */
const passedSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { env, stdio: 'inherit' })
    for (const signal of passedSignals) {
      process.on(signal, () => {
        // A terminal sends Ctrl+C to both.
        if (signal !== 'SIGINT' || !hasTerminal()) child.kill(signal)
      })
    }
    child.on('error', (error) => reject(startError(command, error)))
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}

function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
}

function startError(command: string, error: Error): CliError {
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
