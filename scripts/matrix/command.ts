import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'

/** How to run a command. */
export interface CommandOptions {
  readonly cwd: string
  /** A folder whose programs go before those of PATH. */
  readonly programs?: string
}

/** How a command ended. */
export interface CommandResult {
  readonly code: number
  /** What it wrote, on standard output first. */
  readonly output: string
}

/** The environment without what would let a program find other modules, or colour what it writes. */
export function plainEnvironment(programs?: string): NodeJS.ProcessEnv {
  const { NODE_PATH: _, NODE_OPTIONS: __, FORCE_COLOR: ___, PATH = '', ...rest } = process.env
  return {
    ...rest,
    NO_COLOR: '1',
    PATH: programs === undefined ? PATH : programs + delimiter + PATH,
  }
}

/** Runs a command to its end, whatever that is. */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, programs }: CommandOptions,
): Promise<CommandResult> {
  const options = { cwd, env: plainEnvironment(programs), maxBuffer: 64 * 2 ** 20 }
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = child.exitCode ?? 1
      // Where it could not be started, or wrote too much.
      if (error !== null && typeof error.code === 'string') reject(error)
      else resolve({ code, output: stdout + stderr })
    })
    child.stdin?.end()
  })
}

/**
 * Runs a command that has to succeed, and gives what it wrote.
 *
 * @throws Error with that, when it does not.
 */
export async function demand(
  command: readonly [string, ...string[]],
  options: CommandOptions,
): Promise<string> {
  const { code, output } = await runCommand(command, options)
  if (code === 0) return output
  throw new Error(`Cannot run ${command.join(' ')}: it ended with ${code}\n${output.trim()}`)
}
