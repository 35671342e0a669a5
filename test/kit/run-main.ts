import { onTestFinished } from 'vitest'
import { childEnvironment } from './child-environment.ts'
import { ChildHost } from './child-host.ts'
import { type CliOptions, type CliResult, testFolder } from './cli-process.ts'

let host: ChildHost | undefined

/**
 * Runs the built program to its end in a process that all such runs share, which saves most of the time of `runCli()`.
 *
 * It is for what ends by itself once it has printed something; what has to do with signals, exit, streams or other
 * processes is for a process of its own.
 */
export async function runMain(
  args: readonly string[],
  { cwd = testFolder(), env = {} }: Pick<CliOptions, 'cwd' | 'env'> = {},
): Promise<CliResult> {
  const shared = host?.isRunning ? host : new ChildHost('cli-host.js', { node: process.execPath })
  host = shared
  let isOver = false
  onTestFinished(() => {
    // It serves, perhaps, and nobody would end it.
    if (!isOver) shared.kill()
  })
  const result = await shared.ask({ args, cwd, env: { ...childEnvironment, ...env } })
  isOver = true
  return result as CliResult
}
