import { defaultGaps, withValues } from '../mock/api/gaps.ts'
import type {
  AdapterName,
  ApiRequest,
  Arrivals,
  Arrived,
  Handler,
  Outcome,
} from '../mock/api/message.ts'
import { handle } from '../mock/engine/handle.ts'
import { definedOf } from '../mock/input/record.ts'
import { readInput } from '../mock/input/schema.ts'
import type { LoggedRequest } from '../mock/log/logged-request.ts'
import { Recording } from '../mock/log/recording.ts'
import { Redactor } from '../mock/log/redactor.ts'
import { defaultMaxRequests, isLogged, type SandboxEvent } from '../mock/log/request-log.ts'
import { SharedMemory } from '../mock/log/shared-memory.ts'
import {
  type ReadSandboxOptions,
  type SandboxConfig,
  type SandboxOptions,
  sandboxOptions,
} from '../mock/state/beginning.ts'
import { systemClock } from '../mock/state/clock.ts'
import { sandboxLimits } from '../mock/state/limits.ts'
import { freshState, readSnapshot, restoringStep } from '../mock/state/state.ts'
import { underCondition } from './conditions.ts'
import { createControls, type SandboxControls } from './controls/controls.ts'
import type { ControlResponse } from './controls/http/route.ts'
import { UnderWay } from './controls/under-way.ts'
import type { WhatIfOptions } from './controls/what-if.ts'
import { withExploredGaps } from './replay/explored-gaps.ts'
import { defaultSeed } from './seed/default-seed.ts'

/** Modules that a sandbox loads on first use. */
export const sandboxParts = {
  control: () => import('./controls/http/handle-control.ts'),
  replays: () => import('./sandbox-replays.ts'),
} as const

/** An isolated pet store with all its controls. */
export interface Sandbox extends SandboxControls {
  /** Handles an API request, under `/v1`. */
  readonly handle: Handler
  /**
   * Callbacks with which adapters record the arrival of requests and the end of responses.
   *
   * @internal For adapters.
   */
  readonly arrivals: Arrivals
  /**
   * Handles a control request, under `/_sandbox`.
   *
   * @param origin Base URL of the sandbox, for addresses in responses.
   * @param signal Aborts when the client disconnects, which ends an event stream.
   */
  handleControl(
    request: ApiRequest,
    origin?: string,
    signal?: AbortSignal,
  ): Promise<ControlResponse>
}

/**
 * Creates a sandbox: a pet store in memory, with its own pets, keys, quotas, clock and request log.
 *
 * @throws {@link InputError} for an invalid option.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { limits, ...read } = readInput(sandboxOptions, withExploredGaps(options))
  const sandbox = sandboxOf({ ...read, limits }, new SharedMemory(limits))
  // A sandbox without coverage is not one of a client's.
  if (read.coverage !== false) underCondition(sandbox)
  return sandbox
}

/** Creates a small sandbox with a stopped clock, for examples of responses. */
export function createExample(): Sandbox {
  return createSandbox({
    coverage: false,
    seed: {
      pets: [{ id: 1, name: 'Bella', categoryId: 1, status: 'available' }],
      keys: [{ key: 'free-key', plan: 'free' }],
    },
    clock: { now: '2027-01-15T08:00:20Z', mode: 'frozen' },
  })
}

/**
 * Creates a sandbox from parsed options.
 *
 * @param memory Memory that it shares with other sandboxes.
 * @param past Returns all events so far, for its findings; by default those in the request log.
 */
export function sandboxOf(
  options: ReadSandboxOptions,
  memory: SharedMemory,
  past?: () => SandboxEvent[],
): Sandbox {
  const secrets = new Set<string>()
  const redactor = new Redactor()
  let beginning = beginningOf(options, { redactor, secrets, memory })
  let state = freshState(beginning)
  const memoryUser = {
    remembered: () => ({
      requests: state.requests.bytes,
      tokens: state.quotas.tokens + state.requests.tokens,
      names: state.pets.nameCharacters,
    }),
    forgetOldest: (kind: 'requests' | 'tokens') => {
      if (kind === 'requests') state.requests.forgetOldest()
      else if (state.quotas.tokens > state.requests.tokens) state.quotas.forgetOldestToken()
      else state.requests.forgetOldestToken()
    },
  }
  const updateMemory = (): void => beginning.memory.update(memoryUser)
  state.requests.watch(updateMemory)
  const record = state.requests.recordIn((kept) => new Recording(kept, () => restoringStep(state)))
  const underWay = new UnderWay()
  const controls = createControls({
    state: () => state,
    underWay,
    keepSecret(text) {
      secrets.add(text)
      redactor.add(text)
    },
    observer: {
      execute(call, run) {
        const result = record.execute(call, run)
        updateMemory()
        return result
      },
    },
    past: past ?? (() => state.requests.past()),
    replace: (next) => {
      if (next.requests !== state.requests) next.requests.takeOver(state.requests)
      state = next
    },
    shareMemory: (next) => {
      beginning.memory.leave(memoryUser)
      beginning = { ...beginning, memory: next }
      next.update(memoryUser)
    },
    fresh: (seed = state.seed) => freshState(beginning, seed),
    restored: (snapshot) =>
      readInput({ parse: (found) => readSnapshot(found, beginning) }, snapshot, 'snapshot'),
    coverage: options.coverage,
  })
  const handleNow = (
    request: ApiRequest,
    arrived: LoggedRequest,
    signal?: AbortSignal,
  ): Promise<Outcome> => {
    const run = (): Promise<Outcome> => handle(request, state, arrived, signal)
    if (!underWay.isWatched) return run()
    return underWay.watch(request, state.clock.now(), (text) => controls.hideKeys(text), run)
  }
  /** Handles a request that comes without an adapter; its response is complete when it is returned. */
  const handleDirectly = async (request: ApiRequest, signal?: AbortSignal): Promise<Outcome> => {
    const arrived = state.requests.arrive('direct', undefined)
    try {
      return await handleNow(request, arrived, signal)
    } finally {
      state.requests.close(arrived)
    }
  }
  const sandbox = Object.assign(controls, {
    handle: (request: ApiRequest, signal?: AbortSignal, arrived?: Arrived) =>
      isLogged(arrived) ? handleNow(request, arrived, signal) : handleDirectly(request, signal),
    arrivals: {
      arrive: (adapter: AdapterName, connection?: number, connectedMs?: number) =>
        state.requests.arrive(adapter, connection, connectedMs),
      close: (arrived: Arrived) => {
        if (isLogged(arrived)) state.requests.close(arrived)
      },
      abort: (arrived: Arrived) => {
        if (isLogged(arrived)) state.requests.abort(arrived)
      },
    },
    async handleControl(
      request: ApiRequest,
      origin = 'http://localhost',
      signal: AbortSignal | undefined = undefined,
    ) {
      // Loaded on first use, since browsers seldom need it.
      const { handleControl } = await sandboxParts.control()
      return await handleControl(request, { controls: sandbox, origin, signal, createExample })
    },
    async whatIf(options: WhatIfOptions = {}, signal: AbortSignal | undefined = undefined) {
      const { known } = record
      const { whatIf, whatIfOptions } = await loadReplays()
      const wanted = readInput(whatIfOptions, options)
      if (wanted.request !== undefined) controls.requests.get(wanted.request)
      return await beginning.memory.ask(() => whatIf({ beginning, known }, wanted, signal))
    },
    async capture() {
      const { known } = record
      const { makeCapture } = await loadReplays()
      const plainKeys = defaultSeed.keys.map(({ key }) => key)
      const play = { beginning, known, plainKeys }
      return await beginning.memory.ask(() => makeCapture(play))
    },
  })
  return sandbox
}

/** Loads the code of replays, which pages seldom need. */
async function loadReplays(): Promise<typeof import('./sandbox-replays.ts').replays> {
  const { replays } = await sandboxParts.replays()
  return replays
}

function beginningOf(
  options: ReadSandboxOptions,
  own: Pick<SandboxConfig, 'redactor' | 'secrets' | 'memory'>,
): SandboxConfig {
  const { seed, gaps, limits = sandboxLimits.parse({}), coverage: _, ...rest } = options
  return {
    randomSeed: 1,
    clock: systemClock,
    rateLimits: 'enforce',
    maxRequests: defaultMaxRequests,
    ...definedOf(rest),
    seed: { ...defaultSeed, ...definedOf(seed ?? {}) },
    gaps: gaps === undefined ? defaultGaps : withValues(gaps),
    limits,
    ...own,
  }
}
