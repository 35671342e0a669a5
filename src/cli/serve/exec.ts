import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { ExecAudit } from '../audit/exec-audit.ts'
import { commandVariables } from '../processes/command-variables.ts'
import { startError } from '../processes/start-error.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { ServeSettings } from './serve-settings.ts'
import { startServing } from './start-serving.ts'

/**
 * Runs a command with a sandbox, whose address and keys it gets in environment variables; stops that when the command
 * ends.
 *
 * @param audit What judges the command, if anything does.
 * @returns The command's exit code, or 128 plus the number of the signal that ended it, as in shells.
 * @throws {@link CliError} when the command can't be started, with the exit code of shells for that.
 */
export async function exec(
  settings: ServeSettings,
  [command = '', ...words]: readonly string[],
  audit?: ExecAudit,
): Promise<number> {
  if (command === '') {
    throw new CliError('Cannot run exec: the command is missing; use exec [options] -- COMMAND', 2)
  }
  const { server, writePort, end, finish } = await startServing(settings)
  await writePort()
  const conclude = await audit?.begin(server)
  let code: number
  try {
    const beside = { ...server, gaps: settings.gap }
    code = await run(command, words, { ...process.env, ...commandVariables(beside) })
  } finally {
    await server.close()
    end()
    await finish()
  }
  return conclude?.(code) ?? code
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
