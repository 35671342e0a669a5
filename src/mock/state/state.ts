import { type GapValues, savedGaps, withValues } from '../api/gaps.ts'
import { show } from '../input/input-error.ts'
import { list } from '../input/object.ts'
import { definedOf, isRecord, mapTable, namesOf } from '../input/record.ts'
import {
  type JsonSchema,
  readPart,
  refined,
  type Schema,
  ValidationError,
} from '../input/schema.ts'
import { custom } from '../input/values.ts'
import type { RecordedControl } from '../log/recording.ts'
import { RequestLog } from '../log/request-log.ts'
import { savedLog } from '../log/request-view.ts'
import {
  type RateLimitMode,
  rateLimitMode,
  type SandboxConfig,
  type SeedPart,
  seedSettings,
} from './beginning.ts'
import { Clock, savedClock } from './clock.ts'
import { Faults, savedFaults } from './faults.ts'
import { Keys, keySettings } from './keys.ts'
import { Pets, savedPets } from './pets.ts'
import { Quotas, savedQuotas } from './quotas.ts'
import { type AppliedScenario, savedScenarios } from './scenarios.ts'

/** A part of a sandbox's state. */
interface Part<Stored> {
  /** Creates the initial value of the part. */
  readonly fresh: (beginning: SandboxConfig) => Stored
  readonly describe: () => JsonSchema
  /** The state of a snapshot without the part: `broken`, or the part is `fresh`. */
  readonly absence: 'broken' | 'fresh'
  /** Copies what may change, and returns a function that encodes the copy as plain JSON. */
  readonly save: (stored: Stored) => () => unknown
  /** @throws {@link ValidationError} with the place in the snapshot. */
  readonly restore: (saved: unknown, beginning: SandboxConfig) => Stored
}

/** Creates the row of a part that is saved unchanged. */
function plainPart<Stored>(
  fresh: (beginning: SandboxConfig) => Stored,
  schema: Schema<unknown, Stored>,
): Part<Stored> {
  return part({ fresh, schema, save: (stored) => stored, restore: (stored) => stored })
}

function part<Stored, Given, Saved>(row: {
  readonly absence?: 'fresh'
  readonly fresh: (beginning: SandboxConfig) => Stored
  readonly schema: Schema<Given, Saved>
  readonly save: (stored: Stored) => Saved | undefined
  readonly restore: (saved: Saved, beginning: SandboxConfig) => Stored
}): Part<Stored> {
  const { absence = 'broken', fresh, schema, save, restore } = row
  return {
    absence,
    fresh,
    describe: schema.jsonSchema,
    save(stored) {
      const saved = save(stored)
      return () => (saved === undefined ? undefined : schema.encode(saved))
    },
    restore: (saved, beginning) => restore(schema.parse(saved), beginning),
  }
}

function newLog({ maxRequests, redactor }: SandboxConfig): RequestLog {
  return new RequestLog(maxRequests, (text, token) => redactor.hide(text, token))
}

/** The parts of the state; each row creates, saves and restores one. */
const rows = {
  /** The rate-limit mode: `enforce` or `report-only`. */
  rateLimits: plainPart<RateLimitMode>(({ rateLimits }) => rateLimits, rateLimitMode),
  /** The mode and the time of the clock. */
  clock: part({
    fresh: ({ clock }) => new Clock(clock),
    schema: savedClock,
    save: (clock) => clock.save(),
    restore: Clock.restore,
  }),
  /** The value of each gap. */
  gaps: plainPart<GapValues>(
    ({ gaps }) => gaps,
    refined(
      savedGaps,
      (read) => withValues(read),
      (chosen) => chosen,
    ),
  ),
  /** The seed of a `replaceSeed()`, which replaces the one in the options. */
  seed: part<SeedPart | undefined, unknown, SeedPart>({
    absence: 'fresh',
    fresh: () => undefined,
    schema: seedSettings,
    save: (seed) => seed,
    restore: (seed) => seed,
  }),
  /** The keys: plan, limits, expiry and revocation. */
  keys: part({
    fresh: ({ seed, limits, redactor }) => new Keys(seed.keys, limits.keys, redactor),
    schema: list(keySettings),
    save: (keys) => keys.all(),
    restore: (keys, { limits, redactor }) => new Keys(keys, limits.keys, redactor),
  }),
  /** The requests counted in each window, and the bans. */
  quotas: part({
    fresh: () => new Quotas(),
    schema: savedQuotas,
    save: (quotas) => quotas.save(),
    restore: Quotas.restore,
  }),
  /** The faults, and the state of their random numbers. */
  faults: part({
    fresh: (beginning) => new Faults(beginning.randomSeed),
    schema: savedFaults,
    save: (faults) => faults.save(),
    restore: Faults.restore,
  }),
  /** The pets, the known categories and the next id. */
  pets: part({
    fresh: ({ seed, randomSeed, limits, gaps, memory }) =>
      new Pets(seed.pets, randomSeed, limits, gaps.idSequence, memory),
    schema: savedPets,
    save: (pets) => pets.save(),
    restore: (saved, { limits, memory }) => Pets.restore(saved, limits, memory),
  }),
  /** The scenarios that were set up and not stopped. */
  scenarios: part<readonly AppliedScenario[], unknown, readonly AppliedScenario[]>({
    absence: 'fresh',
    fresh: () => [],
    schema: savedScenarios,
    save: (scenarios) => (scenarios.length === 0 ? undefined : scenarios),
    restore: (scenarios) => scenarios,
  }),
  /** The requests in the log, and the state changes between them. */
  requests: part({
    fresh: newLog,
    schema: savedLog,
    save: (log) => log.save(),
    restore(saved, beginning) {
      const log = newLog(beginning)
      log.restore(saved)
      return log
    },
  }),
} as const

/** The whole state of a sandbox, by part. */
export type State = {
  readonly [Name in keyof typeof rows]: ReturnType<(typeof rows)[Name]['fresh']>
}

type PartName = keyof State

/** The parts of the state. */
export const parts: { readonly [Name in PartName]: Part<State[Name]> } = rows

/** Creates a state from the parts that a function creates. */
export function makeState(make: <Name extends PartName>(name: Name) => State[Name]): State {
  // Each name has the part of its type.
  return Object.fromEntries(namesOf(parts).map((name) => [name, make(name)])) as State
}

/**
 * Creates the initial state of a sandbox.
 *
 * @param seed The seed of a `replaceSeed()`, which replaces the one in the options.
 */
export function freshState(beginning: SandboxConfig, seed?: SeedPart): State {
  const begun = { ...beginning, seed: { ...beginning.seed, ...definedOf(seed ?? {}) } }
  return { ...makeState((name) => parts[name].fresh(begun)), seed }
}

/** Returns the control call that restores everything as it is in a state; its snapshot is written when it is read. */
export function restoringStep(state: State): RecordedControl {
  // The requests in a log don't change any response.
  const saved = saveState({ ...state, requests: new RequestLog(0, (text) => text) })
  return {
    do: 'control',
    at: state.clock.now(),
    name: 'restore',
    get given() {
      return [writeSnapshot(saved)]
    },
  }
}

/**
 * Checks the invariants of a state, for random tests.
 *
 * @throws Error naming the violated invariant.
 */
export function checkState({ requests, pets }: State): void {
  requests.check()
  pets.check()
}

/** The version of snapshots; others are rejected. */
const version = 1

/** The whole state of a sandbox as plain JSON, by part; large int64 are decimal strings. */
export type Snapshot = {
  /** Version of the format: 1. */
  readonly petstoreSandbox: number
} & {
  // `State` keeps the comments of the rows, which editors show.
  readonly [Name in keyof State]?: unknown
}

/** Returns a snapshot of a state. */
export function takeSnapshot(state: State): Snapshot {
  return writeSnapshot(saveState(state))
}

/** Returns the immutable data of a snapshot, in the time that it takes to list the state's contents. */
export function saveState(state: State): SavedState {
  return mapTable(parts, (name) => savePart(name, state))
}

/** A saved state that isn't encoded yet: each part as a function that encodes it. */
export type SavedState = { readonly [Name in PartName]: () => unknown }

/** Encodes a saved state as a snapshot. */
export function writeSnapshot(saved: SavedState): Snapshot {
  const written = mapTable(parts, (name) => saved[name]())
  return { petstoreSandbox: version, ...definedOf(written) }
}

function savePart<Name extends PartName>(name: Name, state: State): () => unknown {
  return parts[name].save(state[name])
}

/**
 * Restores a state from a snapshot; optional parts that are missing start fresh.
 *
 * @throws {@link ValidationError} if it isn't a snapshot, or has another version.
 */
export function readSnapshot(found: unknown, beginning: SandboxConfig): State {
  const saved: Readonly<Record<string, unknown>> = snapshotDocument.parse(found)
  if (saved.petstoreSandbox !== version) {
    throw new ValidationError(
      `found a snapshot of version ${show(saved.petstoreSandbox)}; use one of version ${version}`,
    )
  }
  return makeState((name) => restorePart(name, saved[name], beginning))
}

/**
 * Restores a part of a snapshot.
 *
 * @param saved `undefined` if the snapshot lacks it.
 * @throws {@link ValidationError} with the place in the snapshot.
 */
function restorePart<Name extends PartName>(
  name: Name,
  saved: unknown,
  beginning: SandboxConfig,
): State[Name] {
  const { absence, fresh, restore } = parts[name]
  const isFresh = saved === undefined && absence === 'fresh'
  return isFresh ? fresh(beginning) : readPart(name, () => restore(saved, beginning))
}

/** A snapshot as a document; the sandbox that continues from it parses its parts. */
export const snapshotDocument: Schema<Snapshot> = {
  ...custom('a snapshot of petstore-sandbox', isSnapshot),
  title: 'snapshot',
  jsonSchema: () => ({
    type: 'object',
    required: [
      'petstoreSandbox',
      ...namesOf(parts).filter((name) => parts[name].absence === 'broken'),
    ],
    properties: {
      petstoreSandbox: { type: 'integer', const: version },
      ...mapTable(parts, (name) => parts[name].describe()),
    },
  }),
}

function isSnapshot(found: unknown): found is Snapshot {
  return isRecord(found) && typeof found.petstoreSandbox === 'number'
}
