import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { basePath } from '../contract/endpoints.ts'
import type { RunningServer } from '../server/start-server.ts'
import { CliError } from './cli-error.ts'
import { reasonOf } from './read-json-file.ts'

/**
 * Runs a command beside a server, whose address and keys it gets by environment variables, and stops the server
 * when the command has ended.
 *
 * @returns The command's exit code; 128 and the signal's number for one that a signal ended, as shells have it.
 * @throws {@link CliError} when the command can't be started.
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

/** What the command is told: `PETSTORE_URL`, `PETSTORE_CONTROL_URL`, `PETSTORE_KEY`, and a key for each plan. */
function variables({ url, sandbox, controlToken }: RunningServer): Record<string, string> {
  const keys = sandbox.keys.list().filter(({ state }) => state === 'active')
  const ofPlans = keys
    .toReversed()
    .map(({ plan, key }) => [`PETSTORE_${plan.toUpperCase()}_KEY`, key] as const)
  const [first] = keys
  return {
    PETSTORE_URL: `${url}${basePath}`,
    PETSTORE_CONTROL_URL: `${url}/_sandbox`,
    ...(controlToken === undefined ? {} : { PETSTORE_CONTROL_TOKEN: controlToken }),
    ...(first === undefined ? {} : { PETSTORE_KEY: first.key }),
    ...Object.fromEntries(ofPlans),
  }
}

function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { env, stdio: 'inherit' })
    const pass = (signal: NodeJS.Signals): void => {
      child.kill(signal)
    }
    // The terminal sends Ctrl+C to both; the command decides what becomes of it.
    process.on('SIGINT', () => {})
    process.on('SIGTERM', pass)
    child.on('error', (error) => {
      reject(new CliError(`Cannot run ${command}: ${reasonOf(error)}`, 1))
    })
    child.on('exit', (code, signal) => {
      process.off('SIGTERM', pass)
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}
