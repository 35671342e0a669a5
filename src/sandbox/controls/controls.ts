import { type GapSettings, type GapView, parseGaps, viewGaps } from '../../mock/api/gaps.ts'
import { list, object, optional } from '../../mock/input/object.ts'
import { mapTable } from '../../mock/input/record.ts'
import { described, type Input, named, readInput, type Schema } from '../../mock/input/schema.ts'
import { nameIn } from '../../mock/input/values.ts'
import type { SharedMemory } from '../../mock/log/shared-memory.ts'
import {
  type RateLimitMode,
  rateLimitMode,
  type Seed,
  seedSettings,
} from '../../mock/state/beginning.ts'
import {
  makeState,
  parts,
  type Snapshot,
  type State,
  snapshotDocument,
  takeSnapshot,
} from '../../mock/state/state.ts'
import { type ControlContext, markChange, recorded } from './access.ts'
import {
  type AuditControls,
  auditControls,
  type CoverageControls,
  coverageControls,
  type DirectAudit,
} from './audit.ts'
import type { Capture } from './captures.ts'
import { type ClockControls, clockControls } from './clock.ts'
import { type FaultControls, faultControls } from './faults.ts'
import { maxDocumentBytes, orNothing, routesOn } from './http/route.ts'
import { type KeyControls, keyChanger, keyControls } from './keys.ts'
import { type PetControls, petControls } from './pets.ts'
import { type RequestControls, requestControls } from './requests.ts'
import { type ScenarioControls, scenarioControls } from './scenarios.ts'
import { type Status, takeStatus } from './status.ts'
import { type TestControls, testControls } from './tests.ts'
import type { WhatIf, WhatIfOptions } from './what-if.ts'

const { seed: _seed, scenarios: _scenarios, ...resettable } = parts

/** A part of the state that can be reset alone. */
export const resetPart = nameIn(resettable)

/** Options of a reset. */
export const resetOptions = object(
  {
    /**
     * Parts to reset; by default everything. The part `keys` also ends all bans, and resets the count of rejections
     * that led to them; the usage of a key belongs to `quotas`.
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

/** Options of `reset()`. */
type ResetOptions = Input<typeof resetOptions>

/** Controls of a sandbox, which inspect and change it directly, bypassing the API; over HTTP, under `/_sandbox`. */
export interface Controls extends AuditControls, CoverageControls, ScenarioControls {
  /** Clock of the sandbox. */
  readonly clock: ClockControls
  /** Pets, to read and change directly. */
  readonly pets: PetControls
  /** API keys. */
  readonly keys: KeyControls
  /** Faults: injected failures. */
  readonly faults: FaultControls
  /** Request log: the latest requests, each with its response and the reason for it. */
  readonly requests: RequestControls
  /** Announcements of tests, so that findings don't combine requests of different tests. */
  readonly tests: TestControls
  /** Values of the gaps, which the spec leaves open. */
  readonly gaps: GapView
  /** Rate limit mode: `enforce` or `report-only`. */
  readonly rateLimits: RateLimitMode
  /**
   * Sets the values of some gaps; the others stay.
   *
   * @throws {@link InputError} for an unknown gap, or a value that the gap doesn't have.
   */
  setGaps(settings: GapSettings): GapView
  /**
   * Sets the rate limit mode; `report-only` counts requests and sends the headers, but rejects nothing.
   *
   * @throws {@link InputError} for another mode.
   */
  setRateLimits(mode: RateLimitMode): RateLimitMode
  /** Resets the sandbox to its seed at once; requests in progress end in the old state. */
  reset(options?: ResetOptions): void
  /**
   * Replaces the seed, and with it all pets and keys; all else stays.
   *
   * @throws {@link InputError} with the path, for an invalid seed.
   */
  replaceSeed(seed: Seed): void
  /** Returns a summary of the current state: clock, limits, keys, faults, changed gaps and the latest requests. */
  status(): Status
  /** Returns the whole state as plain JSON, for `restore()`; it contains complete keys. */
  snapshot(): Snapshot
  /**
   * Replays the requests in a copy of the sandbox with other gap values, and returns which responses these would have
   * changed, for all requests or for one. Only the latest 2,500 to 5,000 steps are replayed; `dropped` describes the others.
   *
   * @throws {@link NotFoundError} for a `request` that isn't in the log.
   * @throws {@link InputError} for an invalid gap value, or if the log no longer has the steps before the request.
   */
  whatIf(options?: WhatIfOptions): Promise<WhatIf>
  /**
   * Returns a capture, which another sandbox can replay: the options of this one, and all requests and controls so far,
   * with keys renamed. It contains only the latest 2,500 to 5,000 steps; `dropped` describes the others.
   */
  capture(): Promise<Capture>
  /**
   * Continues from a snapshot: further requests get the responses that the original sandbox would have sent.
   *
   * @throws {@link InputError} with the path, for anything but a result of `snapshot()`.
   */
  restore(snapshot: unknown): void
}

/** Controls of a sandbox, with internal ones for adapters, servers and replays. */
export interface SandboxControls extends Controls, DirectAudit {
  /**
   * Returns the responses that other gap values would have changed.
   *
   * @param signal Aborts when the client no longer needs the result.
   * @throws {@link NotFoundError} for a `request` that isn't in the log.
   * @throws {@link InputError} for an invalid gap value, or if the log no longer has the steps before the request.
   */
  whatIf(options?: WhatIfOptions, signal?: AbortSignal): Promise<WhatIf>
  /**
   * Abbreviates the keys in a text, and a token that was sent.
   *
   * @internal For logs.
   */
  hideKeys(text: string, token?: string): string
  /**
   * Returns the current state, for reading only.
   *
   * @internal For replays.
   */
  state(): State
  /**
   * Redacts a text in all output from now on, like a key.
   *
   * @internal For servers, whose control token a client may send in the wrong place.
   */
  keepSecret(text: string): void
  /**
   * Makes it share memory budgets with other sandboxes.
   *
   * @internal For servers.
   */
  shareMemory(memory: SharedMemory): void
}

/** Controls that need only the state. */
export type StateControls = Omit<SandboxControls, 'capture' | 'whatIf'>

/** Creates the controls of a sandbox that need only its state. */
export function createControls(access: ControlContext): StateControls {
  const { state } = access
  const observed = recorded(access)
  const replace = (next: State): void => {
    const { clock } = state()
    access.replace(next)
    if (next.clock !== clock) clock.end()
  }
  const audit = auditControls(access)
  const controls: StateControls = {
    ...audit,
    ...coverageControls(access, audit),
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
    scenario: observed('scenario', (name, options) => scenario(name, options)),
    stopScenario: observed('stopScenario', (name, options) => stopScenario(name, options)),
    scenarios: (options) => scenarios(options),
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
    state,
    hideKeys: (text, token) => state().keys.hideIn(text, token),
    shareMemory: access.shareMemory,
    keepSecret: access.keepSecret,
  }
  const { scenario, stopScenario, scenarios } = scenarioControls(state, {
    clock: controls.clock,
    faults: controls.faults,
    setGaps: controls.setGaps,
    changeKeys: keyChanger(access),
    petsChanged: () => markChange(access, 'pets-changed'),
    keep: (applied) => replace({ ...state(), scenarios: applied }),
  })
  return controls
}

const rateLimits = named(
  'RateLimit',
  object({ mode: rateLimitMode }, { title: 'rateLimits', example: '{ "mode": "report-only" }' }),
)

/** Snapshot schema that accepts any input, such as JSON from a file. */
const anySnapshot: Schema<unknown, Snapshot> = named('Snapshot', snapshotDocument)

const route = routesOn<{ readonly controls: Controls }>('sandbox')

/** Routes of a sandbox as a whole. */
export const sandboxRoutes = {
  reset: route('reset', {
    summary: 'Reset to the seed, fully or in part',
    description:
      'Brings the sandbox back to what it began with, at once; `only` names the parts. Waiting requests end at once.',
    body: orNothing(named('ResetOptions', resetOptions)),
    run: ({ controls, body }) => controls.reset(body),
  }),
  replaceSeed: route('replaceSeed', {
    summary: 'Replace the seed, and with it all pets and keys',
    description:
      'The pets and keys of the seed replace all others, and a reset returns to them. The rest stays.',
    body: named('Seed', seedSettings),
    maxBytes: maxDocumentBytes,
    run: ({ controls, body }) => controls.replaceSeed(body),
  }),
  snapshot: route('snapshot', {
    summary: 'Get the whole state as one document, keys included',
    run: ({ controls }) => controls.snapshot(),
  }),
  restore: route('restore', {
    summary: 'Restore a saved state',
    description: 'Further requests get the responses that the original sandbox would have given.',
    body: anySnapshot,
    maxBytes: maxDocumentBytes,
    run: ({ controls, body }) => controls.restore(body),
  }),
  capture: route('capture', {
    summary: 'Get everything that was done to the sandbox, to replay it',
    description:
      'Returns how the sandbox began and each request and control since, with its keys renamed. After 5,000 steps it begins in the middle, as `dropped` says.',
    run: ({ controls }) => controls.capture(),
  }),
  rateLimits: route('rateLimits', {
    summary: 'Get the rate limit mode',
    description:
      '`enforce`, or `report-only`: quota is counted and shown, and nothing is rejected.',
    run: ({ controls }) => ({ mode: controls.rateLimits }),
  }),
  setRateLimits: route('setRateLimits', {
    summary:
      'Set the rate limit mode: enforce, or report-only (quota is counted and shown, nothing is rejected)',
    body: rateLimits,
    run: ({ controls, body }) => ({ mode: controls.setRateLimits(body.mode) }),
  }),
} as const
