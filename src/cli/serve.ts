import { writeFileSync } from 'node:fs'
import { createSandbox } from '../sandbox.ts'
import { type RunningServer, startServer } from '../server/start-server.ts'
import { banner } from './banner.ts'
import { CliError } from './cli-error.ts'
import { createLog, type LogFormat } from './log.ts'
import { reasonOf } from './read-json-file.ts'
import { type SandboxArguments, sandboxOptions } from './serve-options.ts'

/** The options of `serve`, as yargs gives them. */
export interface ServeArguments extends SandboxArguments {
  readonly port: number
  readonly host: string
  readonly log: LogFormat
  readonly portFile?: string | undefined
}

/**
 * Serves a sandbox until the process is told to stop.
 *
 * @throws {@link CliError} when it can't start.
 */
export async function serve(options: ServeArguments, version: string): Promise<void> {
  const sandbox = createSandbox(await sandboxOptions(options))
  const log = options.log === 'silent' ? undefined : createLog(options.log, process.stdout)
  const server = await startServer({
    port: options.port,
    host: options.host,
    sandbox,
    ...(log === undefined ? {} : { onExchange: log.add }),
  }).catch((error: unknown) => {
    throw listenError(error, options)
  })
  if (options.portFile !== undefined) await writePortFile(options.portFile, server)
  if (options.log === 'pretty')
    process.stdout.write(banner(server.url, sandbox, version, process.stdout))
  if (options.log === 'json') process.stdout.write(`${JSON.stringify({ listening: server.url })}\n`)
  await stopSignal()
  await server.close()
  log?.flush()
}

async function writePortFile(file: string, server: RunningServer): Promise<void> {
  try {
    writeFileSync(file, String(server.port))
  } catch (error) {
    await server.close()
    throw new CliError(`Cannot write ${file}: ${reasonOf(error)}`, 1)
  }
}

/** Turns an error of Node's about an address into words; others stay as they are. */
function listenError(error: unknown, { host, port }: ServeArguments): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const cannot = `Cannot listen on ${host}:${port}`
  if (code === 'EADDRINUSE') {
    return new CliError(
      `${cannot}: the port is in use; stop what uses it, or choose another with --port (0 for any)`,
      1,
    )
  }
  if (code === 'EACCES') {
    return new CliError(`${cannot}: this user may not; choose a port from 1024 up with --port`, 1)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new CliError(`${cannot}: this machine has no such address; choose one with --host`, 1)
  }
  return error
}

/** How long after the first signal another one is taken for the same: npm and a terminal both send it. */
const sameSignalMs = 2_000

/** Waits for SIGINT or SIGTERM; one more after two seconds ends the process at once. */
function stopSignal(): Promise<void> {
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
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
