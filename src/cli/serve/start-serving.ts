import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { InputError } from '../../input/input-error.ts'
import { Refusal, readInput } from '../../input/schema.ts'
import { printable } from '../../reports/text.ts'
import type { Sandbox } from '../../sandbox.ts'
import { SandboxPool } from '../../sandbox-pool.ts'
import { defaultSeed } from '../../seed/default-seed.ts'
import { serverLimits } from '../../server/server-options.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/start-server.ts'
import { tlsFiles } from '../../server/tls.ts'
import {
  type Seed,
  type SharedSandboxOptions,
  seedKeys,
  seedPets,
  seedSettings,
} from '../../state/beginning.ts'
import { sandboxLimits } from '../../state/limits.ts'
import { CliError } from '../cli-error.ts'
import {
  clearPortFile,
  isFolder,
  readBytes,
  readJsonFile,
  removePortFile,
  writePortFile,
} from '../files.ts'
import { limitsIn } from '../settings.ts'
import type { StateLock } from '../state-file.ts'
import { report } from '../terminal.ts'
import { createLog, type Log } from './log.ts'
import type { ServeOptions, ServeSettings } from './serve-settings.ts'

/** A server, with what its options add. */
interface Serving {
  readonly server: RunningServer
  readonly log: Log | undefined
  /** Writes the port file, if one is asked for; closes the server if that fails. */
  readonly writePort: () => Promise<void>
  /** Ends everything besides the server: the watch and the port file. */
  readonly end: () => void
  /** Saves the state for the last time, if there is a file for it, and gives that back; writes the capture. */
  readonly finish: () => Promise<void>
}

/**
 * Starts a server with the options; resolves once it listens.
 *
 * @throws {@link CliError} when it can't start.
 */
export async function startServing(settings: ServeSettings): Promise<Serving> {
  stopPretenuring()
  const { state, watch, 'seed-file': seedFile } = settings
  if (watch && seedFile === undefined) {
    throw new CliError('Cannot use --watch: there is no seed file to watch; add --seed-file', 2)
  }
  if (settings.static !== undefined && !isFolder(settings.static)) {
    throw new CliError(`Cannot serve ${settings.static}: it is not a folder`, 1)
  }
  // Loaded late, here and below, since most processes keep, capture and open nothing.
  const lock =
    state === undefined ? undefined : await (await import('../state-file.ts')).lockState(state)
  try {
    return await startLocked(settings, lock)
  } catch (error) {
    await lock?.release()
    throw error
  }
}

async function startLocked(settings: ServeSettings, lock: StateLock | undefined): Promise<Serving> {
  const { 'port-file': portFile } = settings
  if (portFile !== undefined) clearPortFile(portFile)
  const { sandbox, pool } = await createSandboxes(settings)
  const save = lock && (await saverOf(lock, sandbox, pool))
  const capture =
    settings.capture &&
    (await import('../replay/captures.ts')).captureAtEnd(settings.capture, sandbox)
  const log =
    settings.log === 'silent'
      ? undefined
      : createLog(settings.log, process.stdout, { sandbox, pool })
  const server = await listen(settings, { sandbox, pool, save, onExchange: log?.add })
  if (settings.open) (await import('../processes.ts')).openPage(`${server.url}/_sandbox/ui/`)
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
  const finish = async (): Promise<void> => {
    try {
      save?.()
    } finally {
      await lock?.release()
      if (capture) await capture()
    }
  }
  return { server, log, writePort, end, finish }
}

async function saverOf(lock: StateLock, sandbox: Sandbox, pool: SandboxPool): Promise<() => void> {
  const { saveState } = await import('../state-file.ts')
  return () => {
    lock.expectHeld()
    saveState(lock.file, sandbox, pool)
  }
}

async function createSandboxes(
  settings: ServeSettings,
): Promise<{ readonly sandbox: Sandbox; readonly pool: SandboxPool }> {
  const defaults = await sandboxOptions(settings)
  const pool = new SandboxPool({
    maxSandboxes: settings['max-sandboxes'],
    autoCreate: settings['auto-create'],
    limits: { journalBytes: settings['journal-bytes'] },
    defaults,
  })
  const sandbox = pool.createUnnamed()
  if (settings.coverage || process.env.PETSTORE_COVERAGE_DIR) await beginCoverage(sandbox)
  for (const name of settings.scenario) sandbox.scenario(name)
  if (settings.state !== undefined) {
    const { loadState } = await import('../state-file.ts')
    await loadState(settings.state, sandbox, pool)
  }
  for (const name of settings.sandbox) if (!pool.names().includes(name)) pool.create({ name })
  return { sandbox, pool }
}

/** Begins to count before anybody asks, so that no request waits for that, or fails where a folder can't be written. */
async function beginCoverage(sandbox: Sandbox): Promise<void> {
  try {
    await sandbox.coverage()
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), 1)
  }
}

/**
 * Listens as the options say.
 *
 * @throws {@link CliError} when it can't.
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
    return tlsFiles.read({ cert: await readBytes(cert), key: await readBytes(key) })
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    throw new CliError(`Cannot use ${thrown.path[0] === 'key' ? key : cert}: ${thrown.message}`, 1)
  }
}

/** Watches the seed file if asked to; reports on standard error, apart from the log. */
function watchFile(settings: ServeSettings, sandbox: Sandbox): () => void {
  const { watch, 'seed-file': path } = settings
  if (!watch || path === undefined) return () => {}
  return watchSeed({ path, settings, sandbox, tell: report })
}

/** Puts Node's errors about addresses into words; returns others as they are. */
function listenError(error: unknown, { host, port }: ServeOptions): unknown {
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

/**
 * Has V8 make all objects of the process where it looks for garbage first (decisions/010-no-pretenuring.md).
 *
 * Otherwise V8 may come to make Node's record of each tick where only a full collection looks. Until then each such
 * record keeps its request, and all that hangs on it, alive: twice the processor time, and pauses of 40 ms.
 */
export function stopPretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/**
 * How often to look at the files, and how long they must be unchanged before they are read, since editors write in
 * several steps. Unlike notifications of the system, polling works with links, shares and mounts.
 */
const pollEveryMs = 100

/** What to watch, and what to do on a change. */
export interface SeedWatch {
  /** The seed file, or the folder with `pets.json`, `keys.json` or both. */
  readonly path: string
  readonly settings: ServeSettings
  readonly sandbox: Sandbox
  /** Called with one line for each change. */
  readonly tell: (line: string) => void
}

/**
 * Reseeds a sandbox whenever its seed file, or a file in its seed folder, changes; an invalid one changes nothing.
 *
 * @returns A function that ends the watch.
 */
export function watchSeed({ path, settings, sandbox, tell }: SeedWatch): () => void {
  let isEnded = false
  let reloads = Promise.resolve()
  const generated = generatedOnce(settings)
  const reload = async (): Promise<void> => {
    try {
      const { pets, keys } = await readSeedFile(path)
      const isGenerated = hasGeneratedPets(settings, pets !== undefined)
      // As at the start: a part that the file leaves out is that of the default seed.
      const seed = {
        pets: isGenerated ? await generated() : (pets ?? [...defaultSeed.pets]),
        keys: keys ?? seedKeys.write([...defaultSeed.keys]),
      }
      if (isEnded) return
      sandbox.reseed(seed)
    } catch (error) {
      if (!(error instanceof CliError || error instanceof InputError)) throw error
      tell(printable(`Kept the old seed: ${error.message}`))
      return
    }
    tell(`Reloaded ${path}: ${sandbox.pets.size} pets, ${sandbox.state().keys.all().length} keys`)
  }
  let seen = stampOfSeed(path)
  let loaded = seen
  const timer = setInterval(() => {
    const now = stampOfSeed(path)
    const isSettled = now === seen
    seen = now
    if (!isSettled || now === loaded) return
    loaded = now
    // One after the other, so that the last report is true.
    reloads = reloads.then(reload)
  }, pollEveryMs)
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}

type SeedPets = Seed['pets']

/** Gives the generated pets, which are the same each time; `undefined` for those that the sandbox began with. */
function generatedOnce(settings: ServeSettings): () => Promise<SeedPets> {
  let pets: Promise<SeedPets> | undefined
  return async () => {
    // The file may have had some of its own by then.
    if (settings.petsFrom === 'seed-file') pets ??= generatedPets(settings)
    return await pets
  }
}

/** A text that changes when a seed does, be it a file or a folder; it may be gone for a while. */
function stampOfSeed(path: string): string {
  const files = isFolder(path) ? ['pets.json', 'keys.json'].map((name) => join(path, name)) : [path]
  return files.map(stampOf).join()
}

/** A stamp that differs after every change of a file, even to or from an unreadable one. */
function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch (error) {
    return String(error)
  }
}

/**
 * Makes the options of a sandbox from those of `serve`.
 *
 * @throws {@link CliError} for an invalid seed file, or if one layer gives pets in two ways.
 */
export async function sandboxOptions(settings: ServeSettings): Promise<SharedSandboxOptions> {
  const { seed, gap, clock, frozen, scale } = settings
  return {
    seed: await readSeed(settings),
    randomSeed: seed,
    gaps: gap,
    clock: { now: clock, mode: frozen ? 'frozen' : undefined, scale },
    rateLimit: settings['rate-limit'],
    journalSize: settings['journal-size'],
    limits: limitsIn(sandboxLimits, settings.limit),
    coverage: settings.coverage ? true : undefined,
  }
}

/**
 * Reads the seed file, if any, and generates the pets asked for.
 *
 * @throws {@link CliError} for an invalid file, or if both give pets in the same layer.
 */
async function readSeed(settings: ServeSettings): Promise<Seed> {
  const file = settings['seed-file']
  const seed = file === undefined ? {} : await readSeedFile(file)
  const isGenerated = hasGeneratedPets(settings, seed.pets !== undefined)
  return isGenerated ? { ...seed, pets: await generatedPets(settings) } : seed
}

/**
 * Whether pets are generated.
 *
 * @param hasPets Whether the seed file has some.
 * @throws {@link CliError} if both give pets in the same layer.
 */
export function hasGeneratedPets(
  { pets, petsFrom, 'seed-file': file }: ServeSettings,
  hasPets: boolean,
): boolean {
  if (pets === undefined || (hasPets && petsFrom === 'seed-file')) return false
  if (!hasPets || petsFrom === 'pets') return true
  throw new CliError(`Cannot use --pets: ${file} has pets too; use one of them`, 2)
}

/** Generates pets with faker, which is loaded only now, since that takes a third as long as everything else. */
export async function generatedPets({ pets: count = 0, seed }: ServeSettings) {
  const { generatePets } = await import('../../seed/generate-pets.ts')
  return generatePets({ count, seed })
}

/**
 * Reads a seed: a file `{ "pets": [...], "keys": [...] }`, or a folder with `pets.json`, `keys.json` or both.
 *
 * @throws {@link CliError} with the place in the file.
 */
export async function readSeedFile(path: string): Promise<Seed> {
  if (!isFolder(path)) {
    const seed = await readJsonFile(path, (value) => readInput(seedSettings, value))
    return seedSettings.write(seed)
  }
  const [pets, keys] = [join(path, 'pets.json'), join(path, 'keys.json')]
  const hasPets = existsSync(pets)
  const hasKeys = existsSync(keys)
  if (!hasPets && !hasKeys) {
    throw new CliError(`Cannot read ${path}: the folder has neither pets.json nor keys.json`, 1)
  }
  return seedSettings.write({
    pets: hasPets
      ? await readJsonFile(pets, (found) => readInput(seedPets, found, 'pets'))
      : undefined,
    keys: hasKeys
      ? await readJsonFile(keys, (found) => readInput(seedKeys, found, 'keys'))
      : undefined,
  })
}
