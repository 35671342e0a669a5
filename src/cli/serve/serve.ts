import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { SandboxPool } from '../../sandbox-pool.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/start-server.ts'
import { clearPortFile, removePortFile, writePortFile } from '../files/port-file.ts'
import { loadState, saveState } from '../files/state-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { banner } from './banner.ts'
import { createLog, type Log } from './log.ts'
import { parentGone } from './parent-gone.ts'
import { readSeed, sandboxOptions } from './sandbox-options.ts'
import type { ServeSettings } from './serve-options.ts'
import { stopPretenuring } from './stop-pretenuring.ts'
import { watchSeed } from './watch-seed.ts'

/**
 * Serves a sandbox until the process is told to stop.
 *
 * @throws {@link CliError} when it can't start, or can't save its state at the end.
 */
export async function serve(options: ServeSettings, version: string): Promise<void> {
  // From the start, since the parent may go while the server begins.
  const orphaned = parentGone(process.env)
  const { server, log, save, tellPort, end } = await begin(options)
  // Before anybody can know of the server, and stop it.
  const stopped = Promise.race([stopSignal(), orphaned])
  await tellPort()
  const { url, sandbox, pool, controlToken } = server
  if (options.log === 'pretty') {
    const facts = { url, sandbox, pool, controlToken, version }
    process.stdout.write(banner(facts, process.stdout))
  }
  if (options.log === 'json') {
    // A token that was made up is known from here alone.
    const token = options['control-token'] === undefined ? { controlToken } : {}
    process.stdout.write(`${JSON.stringify({ listening: url, ...token })}\n`)
  }
  await stopped
  end()
  await server.close()
  save?.()
  log?.flush()
  // What nobody reads would keep the process from ending.
  setTimeout(() => process.exit(), flushMs).unref()
}

/** A server with what its options put around it. */
export interface BegunServer {
  readonly server: RunningServer
  readonly log: Log | undefined
  /** Writes the state to its file, where there is one. */
  readonly save: (() => void) | undefined
  /** Writes the port file, where there is one; closes the server if that fails. */
  readonly tellPort: () => Promise<void>
  /** Ends what goes on beside it. */
  readonly end: () => void
}

/**
 * Starts a server as the options say; it serves when this resolves.
 *
 * @throws {@link CliError} when it can't start.
 */
export async function begin(options: ServeSettings): Promise<BegunServer> {
  stopPretenuring()
  if (options.watch && options['seed-file'] === undefined) {
    throw new CliError('Cannot use --watch: there is no seed file to watch; add --seed-file', 2)
  }
  const portFile = options['port-file']
  if (portFile !== undefined) clearPortFile(portFile)
  const defaults = await sandboxOptions(options)
  const sandbox = createSandbox(defaults)
  const pool = new SandboxPool({
    maxSandboxes: options['max-sandboxes'],
    autoCreate: options['auto-create'],
    defaults,
  })
  for (const name of options.scenario) sandbox.scenario(name)
  const { state } = options
  if (state !== undefined) await loadState(state, sandbox, pool)
  for (const name of options.sandbox) if (!pool.names().includes(name)) pool.create({ name })
  const save = state === undefined ? undefined : () => saveState(state, sandbox, pool)
  const log = options.log === 'silent' ? undefined : createLog(options.log, process.stdout, sandbox)
  const onSave = save && { save }
  const server = await listen(options, { sandbox, pool, ...onSave }, log)
  const endWatch = watchFile(options, sandbox)
  const end = (): void => {
    endWatch()
    if (portFile !== undefined) removePortFile(portFile, server.port, tell)
  }
  const tellPort = async (): Promise<void> => {
    try {
      if (portFile !== undefined) writePortFile(portFile, server.port)
    } catch (error) {
      end()
      await server.close()
      throw error
    }
  }
  return { server, log, save, tellPort, end }
}

async function listen(
  options: ServeSettings,
  site: Pick<ServerOptions, 'sandbox' | 'pool' | 'save'>,
  log: Log | undefined,
): Promise<RunningServer> {
  const token = options['control-token']
  try {
    return await startServer({
      ...site,
      port: options.port,
      host: options.host,
      allowedHosts: options['allowed-host'],
      ...(token === undefined ? {} : { controlToken: token }),
      ...(log === undefined ? {} : { onExchange: log.add }),
    })
  } catch (error) {
    throw listenError(error, options)
  }
}

/** Watches the seed file if it is asked for; what it says goes to standard error, beside the log. */
function watchFile(options: ServeSettings, sandbox: Sandbox): () => void {
  const path = options['seed-file']
  if (!options.watch || path === undefined) return () => {}
  return watchSeed({
    path,
    sandbox,
    read: () => readSeed(options),
    tell,
  })
}

function tell(line: string): void {
  process.stderr.write(`petstore-sandbox: ${line}\n`)
}

/** How long the log's reader may take to read the rest. */
const flushMs = 500

/** Turns an error of Node's about an address into words; others stay as they are. */
function listenError(error: unknown, { host, port }: ServeSettings): unknown {
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
