import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { basePath } from '../../contract/endpoints.ts'
import { plans } from '../../contract/plans.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { CliError } from '../terminal/cli-error.ts'

/**
 * Runs a command beside a server, whose address and keys it gets by environment variables, and stops the server
 * when the command has ended.
 *
 * @returns The command's exit code; 128 and the signal's number for one that a signal ended, as shells have it.
 * @throws {@link CliError} when the command can't be started, with the exit code that shells have for it.
 */
export async function execBeside(
  server: RunningServer,
  [command = '', ...words]: readonly string[],
): Promise<number> {
  try {
    return await run(command, words, { ...process.env, ...variables(server) })
  } finally {
    await server.close()
  }
}

/**
 * What the command is told; a variable for which there is nothing is taken out, since it would be about the sandbox
 * of an `exec` around this one.
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

/** The signals that are passed on to the command, which decides what becomes of them. */
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
  if (!isThere(command)) {
    return new CliError(`Cannot run ${command}: there is no such command`, 127)
  }
  const code = 'code' in error ? error.code : undefined
  const isProgram = code !== 'EACCES' && code !== 'ENOENT'
  const why = isProgram ? error.message : 'this user may not, or it is no program'
  return new CliError(`Cannot run ${command}: ${why}`, 126)
}

/** Whether there is a file for a command; the system's error may be about a folder of PATH. */
function isThere(command: string): boolean {
  const folders = command.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, command)))
}
