import type { CoverageReport } from '../../checks/coverage/coverage-report.ts'
import { list, object, optional } from '../input/object.ts'
import { mapTable } from '../input/record.ts'
import { described, type Input, named, readInput, type Schema } from '../input/schema.ts'
import { nameIn } from '../input/values.ts'
import type { SharedMemory } from '../log/byte-budget.ts'
import { type GapSettings, type GapView, parseGaps, viewGaps } from '../spec/gaps.ts'
import { type RateLimitMode, rateLimitMode, type Seed, seedSettings } from '../state/beginning.ts'
import {
  makeState,
  parts,
  type Snapshot,
  type State,
  snapshotDocument,
  takeSnapshot,
} from '../state/state.ts'
import { type ControlContext, markChange, recorded } from './access.ts'
import { type AuditControls, auditControls, type DirectAudit } from './audit.ts'
import { type ClockControls, clockControls } from './clock.ts'
import { type FaultControls, faultControls } from './faults.ts'
import { maxDocumentBytes, nothing, orNothing, routesOn } from './http/route.ts'
import { type KeyControls, keyChanger, keyControls } from './keys.ts'
import { type PetControls, petControls } from './pets.ts'
import { type Capture, captureFile, type WhatIf, type WhatIfOptions } from './reports.ts'
import { type RequestControls, requestControls } from './requests.ts'
import {
  applyScenario,
  listScenarios,
  type ScenarioName,
  type ScenarioOptions,
  type ScenarioView,
} from './scenarios.ts'
import { type Status, takeStatus } from './status.ts'
import { type TestControls, testControls } from './tests.ts'

const { seed: _seed, ...resettable } = parts

/** A part that can be reset alone. */
export const resetPart = nameIn(resettable)

/** What to reset. */
export const resetOptions = object(
  {
    /**
     * Only these parts; by default everything. `keys` also ends all bans, and forgets the refusals that led to them;
     * what a key has used belongs to `quotas`.
     */
    only: optional(
      described(
        'Only these parts; by default everything. `keys` also ends all bans; what a key has used belongs to `quotas`.',
        list(resetPart),
      ),
    ),
  },
  { title: 'reset', example: '{ "only": ["quotas"] }' },
)

type ResetOptions = Input<typeof resetOptions>

/** Everything that can be done to a sandbox behind the API's back; over HTTP, under `/_sandbox`. */
export interface Controls extends AuditControls {
  /** The time of the sandbox, and how it passes. */
  readonly clock: ClockControls
  /** The pets, to be changed directly. */
  readonly pets: PetControls
  /** The API keys. */
  readonly keys: KeyControls
  /** What goes wrong on purpose. */
  readonly faults: FaultControls
  /** The requests so far, each with its reply and the reason for it. */
  readonly requests: RequestControls
  /** Announces tests, so that nothing is concluded across them. */
  readonly tests: TestControls
  /** The choices where the interface leaves something open. */
  readonly gaps: GapView
  /** How limits act: `enforce` or `report-only`. */
  readonly rateLimits: RateLimitMode
  /** Changes some choices where the interface leaves something open; the others stay. */
  setGaps(settings: GapSettings): GapView
  /** Sets how limits act: `enforce`; or `report-only`, which switches them off: it counts and sends the headers, but refuses nothing. */
  setRateLimits(mode: RateLimitMode): RateLimitMode
  /** Sets up a ready-made situation, on top of the present state; for all keys, or for one: `{ key: 'free-key' }`. */
  scenario(name: ScenarioName, options?: ScenarioOptions): void
  /** Lists the scenarios with whether each is in force, for all keys or for one, and the controls that undo it. */
  scenarios(options?: ScenarioOptions): ScenarioView[]
  /** Goes back to the seed at once; requests in progress end in the old state. */
  reset(options?: ResetOptions): void
  /** Replaces the seed, and with it all pets and keys; the rest stays. */
  replaceSeed(seed: Seed): void
  /** Where it stands: clock, limits, keys, faults, changed gaps and the latest exchanges, of one moment. */
  status(): Status
  /** The whole state as plain JSON. */
  snapshot(): Snapshot
  /**
   * Replays the requests in a copy of the sandbox with other gap values, and returns which responses they would have
   * changed: those of all requests, or that of one. Beyond 8 MiB only the latest requests are replayed, as `dropped` says.
   *
   * @throws {@link NotFoundError} for a `request` that the log doesn't have.
   * @throws {@link InputError} for an invalid gap value, or when the log no longer has what came before the request.
   */
  whatIf(options?: WhatIfOptions): Promise<WhatIf>
  /**
   * Writes down how the sandbox began and everything that was done to it, with other names for its keys, so that it can
   * be done again elsewhere; beyond 8 MiB from the middle on, as `dropped` says.
   */
  capture(): Promise<Capture>
  /**
   * Continues from a snapshot: further requests are answered as the original would have answered them.
   *
   * @throws {@link InputError} with the place, for anything that `snapshot()` has not made.
   */
  restore(snapshot: unknown): void
  /**
   * What clients were exposed to since the sandbox was created, resets included, and how to cover the rest. Unless the
   * option `coverage` is on, the first call starts to count, with the requests in the log, but not their gap values.
   */
  coverage(): Promise<CoverageReport>
}

/** The controls, and what logs and refusals need of a sandbox beyond them. */
export interface SandboxControls extends Controls, DirectAudit {
  /** @param owner Aborts when nobody waits for it any more. */
  /** @param owner Aborts when nobody waits for it any more. */
  whatIf(options?: WhatIfOptions, owner?: AbortSignal): Promise<WhatIf>
  /**
   * Abbreviates each key that stands in a text, and a token that was sent.
   *
   * @internal For logs.
   */
  hideKeys(text: string, token?: string): string
  /**
   * All that it remembers, to be read.
   *
   * @internal For replays.
   */
  state(): State
  /**
   * Hides a text from now on as if it were a key, wherever it turns up.
   *
   * @internal For processes, whose control token may be sent in the wrong place.
   */
  keepSecret(text: string): void
  /**
   * Lets it share memory with other sandboxes.
   *
   * @internal For processes.
   */
  shareMemory(memory: SharedMemory): void
}

/** The controls that need nothing but the state. */
export type StateControls = Omit<SandboxControls, 'capture' | 'whatIf'>

/** Makes the controls of a sandbox that need nothing but its state. */
export function createControls(access: ControlContext): StateControls {
  const { state } = access
  const observed = recorded(access)
  const replace = (next: State): void => {
    const { clock } = state()
    access.replace(next)
    if (next.clock !== clock) clock.end()
  }
  const controls: StateControls = {
    ...auditControls(access),
    clock: clockControls(access),
    pets: petControls(access),
    keys: keyControls(access),
    faults: faultControls(access),
    requests: requestControls(access),
    tests: testControls(access),
    get gaps() {
      return viewGaps(state().gaps)
    },
    get rateLimits() {
      return state().rateLimits
    },
    setGaps: observed('setGaps', (settings) => {
      const gaps = parseGaps(settings, state().gaps)
      replace({ ...state(), gaps })
      markChange(access, 'gaps-changed')
      return viewGaps(gaps)
    }),
    setRateLimits: observed('setRateLimits', (mode) => {
      replace({ ...state(), rateLimits: readInput(rateLimitMode, mode, 'rateLimits') })
      markChange(access, 'rate-limits-changed')
      return mode
    }),
    scenario: observed('scenario', (name, options = {}) => {
      const { clock, faults, gaps } = controls
      const keys = state()
        .keys.all()
        .map(({ key }) => key)
      applyScenario(name, options, { clock, faults, gaps, keys, changeKeys: keyChanger(access) })
    }),
    scenarios(options) {
      // Its keys alone, since a seed may have many pets.
      const seeded = access.fresh({ pets: [], keys: state().seed?.keys })
      return listScenarios(state(), seeded.keys.all(), options)
    },
    reset: observed('reset', (options = {}) => {
      const { only } = readInput(resetOptions, options)
      const fresh = access.fresh()
      const isReset = mapTable(parts, (name) => only?.some((one) => one === name) ?? true)
      if (isReset.keys) state().quotas.unbanAll()
      replace(makeState((name) => (isReset[name] ? fresh : state())[name]))
      markChange(access, 'reset')
    }),
    replaceSeed: observed('replaceSeed', (settings) => {
      const seed = readInput(seedSettings, settings)
      const { pets, keys } = access.fresh(seed)
      replace({ ...state(), seed, pets, keys })
      markChange(access, 'reset')
    }),
    status: () => takeStatus(state(), controls.resultSoFar()),
    snapshot: () => takeSnapshot(state()),
    restore: observed('restore', (snapshot) => {
      replace(access.restored(snapshot))
      markChange(access, 'restored')
    }),
    coverage: () => access.coverage(),
    state,
    hideKeys: (text, token) => state().keys.hideIn(text, token),
    shareMemory: access.shareMemory,
    keepSecret: access.keepSecret,
  }
  return controls
}

const rateLimits = named('RateLimit', object({ mode: rateLimitMode }, { title: 'rateLimits' }))

const snapshot = named('Snapshot', snapshotDocument)

/** What is to be a snapshot, such as JSON of a file. */
const anySnapshot: Schema<unknown, Snapshot> = snapshot

const route = routesOn<{ readonly controls: Controls }>('sandbox')

/** The controls of a sandbox as a whole over HTTP. */
export const sandboxRoutes = {
  reset: route('reset', {
    summary: 'Reset to the seed, fully or in part',
    description:
      'Brings the sandbox back to what it began with, at once; `only` names the parts. Waiting requests end at once.',
    body: orNothing(named('ResetOptions', resetOptions)),
    reply: nothing,
    run: ({ controls, body }) => controls.reset(body),
  }),
  replaceSeed: route('replaceSeed', {
    summary: 'Replace the seed, and with it all pets and keys',
    description:
      'The pets and keys of the seed replace all others, and a reset returns to them. The rest stays.',
    body: named('Seed', seedSettings),
    maxBytes: maxDocumentBytes,
    reply: nothing,
    run: ({ controls, body }) => controls.replaceSeed(body),
  }),
  snapshot: route('snapshot', {
    summary: 'Get the whole state',
    description: 'Returns the whole state as one document, keys included.',
    reply: snapshot,
    run: ({ controls }) => controls.snapshot(),
  }),
  restore: route('restore', {
    summary: 'Restore a saved state',
    description: 'Further requests get the responses that the original sandbox would have given.',
    body: anySnapshot,
    maxBytes: maxDocumentBytes,
    reply: nothing,
    run: ({ controls, body }) => controls.restore(body),
  }),
  capture: route('capture', {
    summary: 'Get everything that was done to the sandbox, to replay it',
    description:
      'Returns how the sandbox began and each request and control since, with its keys renamed. Beyond 8 MiB it begins in the middle, as `dropped` says.',
    reply: captureFile,
    run: ({ controls }) => controls.capture(),
  }),
  rateLimits: route('rateLimits', {
    summary: 'Get the rate limit mode',
    description:
      '`enforce`, or `report-only`: quota is counted and shown, and nothing is rejected.',
    reply: rateLimits,
    run: ({ controls }) => ({ mode: controls.rateLimits }),
  }),
  setRateLimits: route('setRateLimits', {
    summary:
      'Set the rate limit mode: enforce, or report-only (quota is counted and shown, nothing is rejected)',
    description: '`report-only` counts and shows quota, but rejects nothing.',
    body: rateLimits,
    reply: rateLimits,
    run: ({ controls, body }) => ({ mode: controls.setRateLimits(body.mode) }),
  }),
} as const
