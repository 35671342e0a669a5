import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { SandboxPool } from '../../sandbox-pool.ts'
import { defaultSeed } from '../../seed/default-seed.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/start-server.ts'
import type { Seed } from '../../state/beginning.ts'
import { keySettings } from '../../state/keys.ts'
import { isFolder } from '../files/is-folder.ts'
import { clearPortFile, removePortFile, writePortFile } from '../files/port-file.ts'
import { loadState, saveState } from '../files/state-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { report } from '../terminal/report.ts'
import { createLog, type Log } from './log.ts'
import { readSeed, sandboxOptions } from './sandbox-options.ts'
import type { ServeSettings } from './serve-settings.ts'
import { stopPretenuring } from './stop-pretenuring.ts'
import { watchSeed } from './watch-seed.ts'

/** A server, with what its options add. */
export interface Serving {
  readonly server: RunningServer
  readonly log: Log | undefined
  /** Writes the state to its file, if there is one. */
  readonly save: (() => void) | undefined
  /** Writes the port file, if one is asked for; closes the server if that fails. */
  readonly writePort: () => Promise<void>
  /** Ends everything besides the server: the watch and the port file. */
  readonly end: () => void
}

/**
 * Starts a server with the options; resolves once it listens.
 *
 * @throws {@link CliError} when it can't start.
 */
export async function startServing(settings: ServeSettings): Promise<Serving> {
  stopPretenuring()
  const { state, watch, 'seed-file': seedFile, 'port-file': portFile } = settings
  if (watch && seedFile === undefined) {
    throw new CliError('Cannot use --watch: there is no seed file to watch; add --seed-file', 2)
  }
  if (settings.static !== undefined && !isFolder(settings.static)) {
    throw new CliError(`Cannot serve ${settings.static}: it is not a folder`, 1)
  }
  if (portFile !== undefined) clearPortFile(portFile)
  const { sandbox, pool } = await createSandboxes(settings)
  const save = state === undefined ? undefined : () => saveState(state, sandbox, pool)
  let controlToken = settings['control-token']
  const secrets = { sandbox, pool, controlToken: () => controlToken }
  const log =
    settings.log === 'silent' ? undefined : createLog(settings.log, process.stdout, secrets)
  const server = await listen(settings, { sandbox, pool, save, onExchange: log?.add })
  controlToken = server.controlToken
  const stopWatching = watchFile(settings, sandbox)
  const end = (): void => {
    stopWatching()
    if (portFile !== undefined) removePortFile(portFile, server.port, report)
  }
  const writePort = async (): Promise<void> => {
    try {
      if (portFile !== undefined) writePortFile(portFile, server.port)
    } catch (error) {
      end()
      await server.close()
      throw error
    }
  }
  return { server, log, save, writePort, end }
}

async function createSandboxes(
  settings: ServeSettings,
): Promise<{ readonly sandbox: Sandbox; readonly pool: SandboxPool }> {
  const defaults = await sandboxOptions(settings)
  const sandbox = createSandbox(defaults)
  const pool = new SandboxPool({
    maxSandboxes: settings['max-sandboxes'],
    autoCreate: settings['auto-create'],
    defaults,
  })
  for (const name of settings.scenario) sandbox.scenario(name)
  if (settings.state !== undefined) await loadState(settings.state, sandbox, pool)
  for (const name of settings.sandbox) if (!pool.names().includes(name)) pool.create({ name })
  return { sandbox, pool }
}

async function listen(settings: ServeSettings, site: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer({
      ...site,
      port: settings.port,
      host: settings.host,
      allowedHosts: settings['allowed-host'],
      controlToken: settings['control-token'],
      staticFolder: settings.static,
    })
  } catch (error) {
    throw listenError(error, settings)
  }
}

/** Watches the seed file if asked to; reports on standard error, apart from the log. */
function watchFile(settings: ServeSettings, sandbox: Sandbox): () => void {
  const { watch, 'seed-file': path } = settings
  if (!watch || path === undefined) return () => {}
  // As at the start: a part that the file leaves out is that of the default seed.
  const usual = { ...defaultSeed, keys: defaultSeed.keys.map(keySettings.write) }
  const read = async (): Promise<Seed> => ({ ...usual, ...(await readSeed(settings)) })
  return watchSeed({ path, sandbox, read, tell: report })
}

/** Puts Node's errors about addresses into words; returns others as they are. */
function listenError(error: unknown, { host, port }: ServeSettings): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why = listenErrors[code]
  return why === undefined ? error : new CliError(`Cannot listen on ${host}:${port}: ${why}`, 1)
}

const inUse = 'the port is in use; stop what uses it, or choose another with --port (0 for any)'
const noAddress = 'this machine has no such address; choose one with --host'

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: inUse,
  EACCES: "this user isn't allowed to; choose a port from 1024 up with --port",
  EADDRNOTAVAIL: noAddress,
  EINVAL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
}
