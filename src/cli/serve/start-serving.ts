import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { countText, printable } from '../../checks/reports/text.ts'
import { hostNow } from '../../mock/api/real-time.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { readInput, type Schema, ValidationError } from '../../mock/input/schema.ts'
import {
  type Seed,
  type SharedSandboxOptions,
  seedKeys,
  seedPets,
  seedSettings,
} from '../../mock/state/beginning.ts'
import { sandboxLimits } from '../../mock/state/limits.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { SandboxPool } from '../../sandbox/sandbox-pool.ts'
import { defaultSeed } from '../../sandbox/seed/default-seed.ts'
import { serverLimits } from '../../server/server-options.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/start-server.ts'
import { expiryProblem, tlsFiles } from '../../server/tls.ts'
import { CliError } from '../cli-error.ts'
import {
  clearPortFile,
  isFolder,
  readBytes,
  readJsonFile,
  removePortFile,
  writeFile,
} from '../files.ts'
import { limitsIn } from '../option-schemas.ts'
import { openPage } from '../processes.ts'
import type { StateClaim } from '../state-file.ts'
import { report } from '../terminal.ts'
import { createLog } from './log.ts'
import type { ServeOptions } from './serve-options.ts'
import type { ServeSettings } from './serve-settings.ts'

/** Server with everything that its options add. */
interface Serving {
  readonly server: RunningServer
  /** Stops the server and everything that was added, saves the state for the last time, and writes the capture. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a server with these options; resolves once it listens.
 *
 * @throws {@link CliError} if it can't start.
 */
export async function startServing(settings: ServeSettings): Promise<Serving> {
  stopPretenuring()
  const { state, watch, 'seed-file': seedFile } = settings
  if (watch && seedFile === undefined) {
    throw new CliError('Cannot use --watch without a seed file; add --seed-file', 2)
  }
  if (settings.static !== undefined && !isFolder(settings.static)) {
    throw new CliError(`Cannot serve ${settings.static}: it is not a folder`, 2)
  }
  // Loaded late, here and below, since most servers save, capture and open nothing.
  const file =
    state === undefined ? undefined : (await import('../state-file.ts')).claimState(state)
  try {
    return await startWith(settings, file)
  } catch (error) {
    file?.release()
    throw error
  }
}

async function startWith(settings: ServeSettings, file: StateClaim | undefined): Promise<Serving> {
  const { 'port-file': portFile, 'seed-file': seedFile } = settings
  if (portFile !== undefined) clearPortFile(portFile)
  const { sandbox, pool } = await createSandboxes(settings, file)
  const save = file && (() => file.save(sandbox, pool))
  const capture =
    settings.capture === undefined
      ? undefined
      : (await import('../replay/captures.ts')).captureAtEnd(settings.capture, sandbox)
  const log =
    settings.log === 'silent'
      ? undefined
      : createLog(settings.log, process.stdout, { sandbox, pool })
  const server = await listen(settings, { sandbox, pool, save, onRequest: log?.add })
  // An error that ends the process must not hide the requests before it.
  const flush = (): void => log?.flush()
  process.once('exit', flush)
  try {
    if (portFile !== undefined) writeFile(portFile, String(server.port), 0o666)
  } catch (error) {
    await server.close()
    throw error
  }
  if (settings.open) openPage(`${server.url}/_sandbox/ui/`)
  const stopWatching =
    settings.watch && seedFile !== undefined
      ? watchSeed(seedFile, settings, sandbox, report)
      : undefined
  const stop = async (): Promise<void> => {
    stopWatching?.()
    if (portFile !== undefined) removePortFile(portFile, server.port)
    await server.close()
    process.off('exit', flush)
    flush()
    try {
      save?.()
    } finally {
      file?.release()
      await capture?.()
    }
  }
  return { server, stop }
}

async function createSandboxes(
  settings: ServeSettings,
  file: StateClaim | undefined,
): Promise<{ readonly sandbox: Sandbox; readonly pool: SandboxPool }> {
  const defaults = await sandboxOptions(settings)
  const pool = new SandboxPool({
    maxSandboxes: settings['max-sandboxes'],
    autoCreate: settings['auto-create'],
    limits: { requestLogBytes: settings['request-log-bytes'] },
    defaults,
  })
  const sandbox = pool.createUnnamed()
  if (settings.coverage || process.env.PETSTORE_CHECK_DIR) await beginCoverage(sandbox)
  for (const name of settings.scenario) sandbox.scenario(name)
  await file?.load(sandbox, pool)
  for (const name of settings.sandbox) if (!pool.names().includes(name)) pool.create({ name })
  return { sandbox, pool }
}

/** Starts recording before coverage is requested, so that no request waits for it or fails because of a folder. */
async function beginCoverage(sandbox: Sandbox): Promise<void> {
  try {
    await sandbox.coverage()
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), 1)
  }
}

/**
 * Listens with these options.
 *
 * @throws {@link CliError} if it can't.
 */
export async function listen(settings: ServeOptions, site: ServerOptions): Promise<RunningServer> {
  const tls = await readTls(settings)
  try {
    return await startServer({
      ...site,
      tls,
      port: settings.port,
      host: settings.host,
      allowedHosts: settings['allowed-host'],
      controlToken: settings['control-token'],
      staticFolder: settings.static,
      limits: limitsIn(serverLimits, settings.limit),
    })
  } catch (error) {
    throw listenError(error, settings)
  }
}

/**
 * Reads the certificate and its key, if there are any.
 *
 * @throws {@link CliError} for one without the other, and for files that can't be used.
 */
async function readTls({
  'tls-cert': cert,
  'tls-key': key,
}: ServeOptions): Promise<ServerOptions['tls']> {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined) throw new CliError('Cannot use --tls-key: add --tls-cert FILE', 2)
  if (key === undefined) throw new CliError('Cannot use --tls-cert: add --tls-key FILE', 2)
  try {
    const tls = tlsFiles.parse({ cert: await readBytes(cert), key: await readBytes(key) })
    const problem = expiryProblem(tls.cert, hostNow())
    if (problem !== undefined) report(`Clients may reject the certificate ${cert}: ${problem}`)
    return tls
  } catch (thrown) {
    if (!(thrown instanceof ValidationError)) throw thrown
    throw new CliError(`Cannot use ${thrown.path[0] === 'key' ? key : cert}: ${thrown.message}`, 2)
  }
}

/** Explains Node's errors about addresses; returns other errors as they are. */
function listenError(error: unknown, { host, port }: ServeOptions): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why = listenErrors[code]
  return why === undefined ? error : new CliError(`Cannot listen on ${host}:${port}: ${why}`, 1)
}

const inUse = 'the port is in use; stop what uses it, or use another with --port (0 for any)'
const noAddress = 'this machine has no such address; set one with --host'

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: inUse,
  EACCES: "this user isn't allowed to; use a port from 1024 up with --port",
  EADDRNOTAVAIL: noAddress,
  EINVAL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
}

/**
 * Stops V8 from allocating objects directly in its old generation (bench/pretenuring.md).
 *
 * Otherwise V8 may come to allocate Node's record of each tick there, where only a full collection frees it. Until
 * then, each record keeps its request and everything that depends on it alive: twice the processor time, and pauses of
 * 40 ms.
 */
export function stopPretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/**
 * Interval of polling, and time for which files must be unchanged before they are read, since editors write in several
 * steps. Unlike notifications of the system, polling works with links, shares and mounts.
 */
const pollEveryMs = 100

/**
 * Reseeds a sandbox whenever its seed file, or a file in its seed folder, changes; an invalid file changes nothing.
 *
 * @param write Called with one line for each change.
 * @returns A function that ends the watch.
 */
export function watchSeed(
  path: string,
  settings: ServeSettings,
  sandbox: Sandbox,
  write: (line: string) => void,
): () => void {
  let isEnded = false
  let reloads = Promise.resolve()
  const reload = async (): Promise<void> => {
    try {
      const seed = await readSeed(settings)
      if (isEnded) return
      // As at the start, a part that the file leaves out comes from the default seed.
      const pets = seed.pets ?? [...defaultSeed.pets]
      sandbox.replaceSeed({ pets, keys: seed.keys ?? seedKeys.encode([...defaultSeed.keys]) })
    } catch (error) {
      if (!(error instanceof CliError || error instanceof InputError)) throw error
      write(printable(`Kept the old seed: ${error.message}`))
      return
    }
    const counts = [
      countText(sandbox.pets.size, 'pet'),
      countText(sandbox.state().keys.all().length, 'key'),
    ]
    write(`Reloaded ${path}: ${counts.join(', ')}`)
  }
  let seen = stampOfSeed(path)
  let loaded = seen
  const timer = setInterval(() => {
    const now = stampOfSeed(path)
    const isSettled = now === seen
    seen = now
    if (!isSettled || now === loaded) return
    loaded = now
    // Reloads run one after the other, so that the last report is true.
    reloads = reloads.then(reload)
  }, pollEveryMs)
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}

/** Returns a text that changes when a seed file or folder does, which may be missing for a while. */
function stampOfSeed(path: string): string {
  const files = isFolder(path) ? ['pets.json', 'keys.json'].map((name) => join(path, name)) : [path]
  return files.map(stampOf).join()
}

/** Returns a stamp that differs after every change of a file, even to or from an unreadable one. */
function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch (error) {
    return String(error)
  }
}

/**
 * Converts the options of `serve` to those of a sandbox.
 *
 * @throws {@link CliError} for an invalid seed file, or if one layer sets pets in two ways.
 */
export async function sandboxOptions(settings: ServeSettings): Promise<SharedSandboxOptions> {
  const { gap, clock, frozen, 'clock-speed': speed } = settings
  return {
    seed: await readSeed(settings),
    randomSeed: settings['random-seed'],
    gaps: gap,
    clock: { now: clock, mode: frozen ? 'frozen' : undefined, speed },
    rateLimits: settings['rate-limits'],
    maxRequests: settings['max-requests'],
    limits: limitsIn(sandboxLimits, settings.limit),
    coverage: settings.coverage ? true : undefined,
  }
}

/**
 * Reads the seed file, if any, and generates pets if requested.
 *
 * @throws {@link CliError} for an invalid file, or if both contain pets in the same layer.
 */
async function readSeed({
  'seed-file': file,
  pets: count,
  petsFrom,
  'random-seed': randomSeed,
}: ServeSettings): Promise<Seed> {
  const seed = file === undefined ? {} : await readSeedFile(file)
  const hasPets = seed.pets !== undefined
  if (count === undefined || (hasPets && petsFrom === 'seed-file')) return seed
  if (hasPets && petsFrom === 'neither') {
    throw new CliError(`Cannot use --pets: ${file} has pets too; use one of them`, 2)
  }
  // Faker takes a third as long to load as everything else.
  const { generatePets } = await import('../../sandbox/seed/generate-pets.ts')
  return { ...seed, pets: generatePets({ count, seed: randomSeed }) }
}

/**
 * Reads a seed: a file `{ "pets": [...], "keys": [...] }`, or a folder with `pets.json`, `keys.json` or both.
 *
 * @throws {@link CliError} with the place in the file.
 */
export async function readSeedFile(path: string): Promise<Seed> {
  if (!isFolder(path)) {
    const seed = await readJsonFile(path, (value) => readInput(seedSettings, value))
    return seedSettings.encode(seed)
  }
  const part = async <Value>(name: string, schema: Schema<unknown, Value>) => {
    const file = join(path, `${name}.json`)
    if (!existsSync(file)) return undefined
    return await readJsonFile(file, (found) => readInput(schema, found, name))
  }
  const [pets, keys] = [await part('pets', seedPets), await part('keys', seedKeys)]
  if (pets === undefined && keys === undefined) {
    throw new CliError(`Cannot read ${path}: the folder has neither pets.json nor keys.json`, 2)
  }
  return seedSettings.encode({ pets, keys })
}
