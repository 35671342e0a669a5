import type { AuditResult } from '../checks/audit/auditor.ts'
import type { Coverage } from '../checks/coverage/coverage.ts'
import type { CoverageReport } from '../checks/coverage/coverage-report.ts'
import { ownEnvironment, withExploredGaps } from '../checks/replay/explored-gaps.ts'
import { createControls, type SandboxControls } from './controls/controls.ts'
import type { ControlResponse } from './controls/http/route.ts'
import type { WhatIfOptions } from './controls/reports.ts'
import { UnderWay } from './controls/under-way.ts'
import { handle } from './engine/handle.ts'
import { definedOf } from './input/record.ts'
import { readInput } from './input/schema.ts'
import { SharedMemory } from './log/byte-budget.ts'
import type { LoggedRequest } from './log/logged-request.ts'
import { Recording } from './log/recording.ts'
import { Redactor } from './log/redactor.ts'
import { defaultMaxRequests, isLogged, type SandboxEvent } from './log/request-log.ts'
import { defaultSeed } from './seed/default-seed.ts'
import { defaultGaps, withValues } from './spec/gaps.ts'
import type {
  AdapterName,
  ApiRequest,
  Arrivals,
  Arrived,
  Handler,
  Outcome,
} from './spec/message.ts'
import { Breaks } from './spec/real-time.ts'
import {
  type ReadSandboxOptions,
  type SandboxConfig,
  type SandboxOptions,
  sandboxOptions,
} from './state/beginning.ts'
import { systemClock } from './state/clock.ts'
import { sandboxLimits } from './state/limits.ts'
import { begin, freshState, readSnapshot, restoringStep, type State } from './state/state.ts'

/** What a sandbox loads when it is used for the first time. */
export const sandboxParts = {
  control: () => import('./controls/http/handle-control.ts'),
  coverage: () => import('../checks/coverage/coverage.ts'),
  replays: () => import('./sandbox-replays.ts'),
} as const

/** One isolated pet store, with all its controls. */
export interface Sandbox extends SandboxControls {
  /** Answers an API request, under `/v1`. */
  readonly handle: Handler
  /**
   * Notes of adapters on the way of requests in and of responses out.
   *
   * @internal For adapters.
   */
  readonly arrivals: Arrivals
  /**
   * Answers a control request, under `/_sandbox`.
   *
   * @param origin Where the sandbox is served, for addresses in replies.
   * @param owner Aborts when the client leaves; then an event stream ends.
   */
  handleControl(request: ApiRequest, origin?: string, owner?: AbortSignal): Promise<ControlResponse>
}

/**
 * Makes a sandbox; it shares nothing with any other.
 *
 * @throws {@link InputError} naming the option, what was found and what to use.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { limits, ...read } = readInput(sandboxOptions, withExploredGaps(options))
  return sandboxOf({ ...read, limits }, new SharedMemory(limits))
}

/** What a sandbox is judged by where it is only shown. */
interface Shown {
  /** All that has happened; by default what its journal has. */
  readonly past?: () => SandboxEvent[]
  /** The verdict, where nothing has happened that could be judged. */
  readonly judgement?: AuditResult
}

/**
 * Makes a sandbox with parsed options.
 *
 * @param memory What it shares with other sandboxes.
 */
export function sandboxOf(
  options: ReadSandboxOptions,
  memory: SharedMemory,
  { past, judgement }: Shown = {},
): Sandbox {
  const secrets = new Set<string>()
  const redactor = new Redactor()
  let beginning = beginningOf(options, { redactor, secrets, memory })
  let state = freshState(beginning)
  const coverage = new SandboxCoverage(
    () => state,
    options.coverage,
    () => controls,
  )
  begin(state, memory)
  const record = new Recording(memory.replays, () => restoringStep(state))
  state.requests.recordIn(record)
  const underWay = new UnderWay()
  const controls = createControls({
    state: () => state,
    underWay,
    keepSecret(text) {
      secrets.add(text)
      redactor.add(text)
    },
    observer: record,
    past: past ?? (() => state.requests.past()),
    shown: judgement,
    replace: (next) => {
      begin(next, beginning.memory, state)
      state = next
    },
    shareMemory: (next) => {
      beginning = { ...beginning, memory: next }
      state.requests.useBudget(next.requests)
      record.useBudget(next.replays)
    },
    fresh: (seed = state.seed) => freshState(beginning, seed),
    restored: (snapshot) =>
      readInput({ parse: (found) => readSnapshot(found, beginning) }, snapshot, 'snapshot'),
    coverage: () => coverage.report(),
  })
  const answer = (
    request: ApiRequest,
    arrived: LoggedRequest,
    owner?: AbortSignal,
  ): Promise<Outcome> => {
    const run = (): Promise<Outcome> =>
      coverage.watch((watched) => handle(request, watched, arrived, owner))
    if (!underWay.isWatched) return run()
    return underWay.watch(request, state.clock.now(), (text) => controls.hideKeys(text), run)
  }
  /** Answers a request that comes through no adapter: its answer has arrived when it is returned. */
  const answerDirectly = async (request: ApiRequest, owner?: AbortSignal): Promise<Outcome> => {
    const arrived = state.requests.arrive('direct', undefined)
    try {
      return await answer(request, arrived, owner)
    } finally {
      state.requests.close(arrived)
    }
  }
  const sandbox = Object.assign(controls, {
    handle: (request: ApiRequest, owner?: AbortSignal, arrived?: Arrived) =>
      isLogged(arrived) ? answer(request, arrived, owner) : answerDirectly(request, owner),
    arrivals: {
      arrive: (adapter: AdapterName, connection?: number) =>
        state.requests.arrive(adapter, connection),
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
      owner: AbortSignal | undefined = undefined,
    ) {
      // Loaded on first use, since browsers seldom need it.
      const { handleControl } = await sandboxParts.control()
      return await handleControl(request, { controls: sandbox, origin, owner })
    },
    async whatIf(options: WhatIfOptions = {}, owner: AbortSignal | undefined = undefined) {
      const { known } = record
      const { whatIf, whatIfOptions } = await loadReplays()
      const wanted = readInput(whatIfOptions, options)
      if (wanted.request !== undefined) controls.requests.get(wanted.request)
      return await beginning.memory.ask(() => whatIf({ beginning, known }, wanted, owner))
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

/** Loads what replays a sandbox, which pages seldom need. */
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

/** The coverage of one sandbox, loaded on first use: pages seldom need it. */
class SandboxCoverage {
  /** Folder in which `check` collects coverage and findings of all processes; `undefined` if there is none. */
  readonly #folder: string | undefined
  /** Whether it counts from the first request on. */
  readonly #isOn: boolean
  readonly #state: () => State
  readonly #controls: () => Judged
  #made: Coverage | undefined
  /** What has happened and isn't counted yet; `undefined` until it counts. */
  #waiting: SandboxEvent[] | undefined
  /** The name of the test that runs. */
  #test: string | undefined

  /**
   * @param isOn By default whether there is a folder that collects it.
   * @param controls The controls of the sandbox, once it has some.
   */
  constructor(state: () => State, isOn: boolean | undefined, controls: () => Judged) {
    this.#state = state
    this.#controls = controls
    this.#folder = isOn === false ? undefined : ownEnvironment().PETSTORE_CHECK_DIR || undefined
    this.#isOn = isOn ?? this.#folder !== undefined
    if (this.#isOn) this.#listen([])
  }

  /** Has a request answered, and counts the gap values that it meets. */
  watch<Result>(answer: (state: State) => Promise<Result>): Promise<Result> {
    if (this.#made !== undefined) return this.#made.watch(this.#state(), answer)
    if (!this.#isOn) return answer(this.#state())
    return this.#make().then((made) => made.watch(this.#state(), answer))
  }

  /** Reports what has been covered, at first by the requests in the log. */
  async report(): Promise<CoverageReport> {
    if (this.#waiting === undefined) this.#listen(this.#state().requests.past())
    return (await this.#make()).report()
  }

  /** @param past What has happened before. */
  #listen(past: SandboxEvent[]): void {
    this.#waiting = past
    this.#state().requests.watch((event) => {
      if (this.#made !== undefined && past.length === 0) this.#record(event, this.#made)
      else past.push(event)
    })
  }

  #record(event: SandboxEvent, made: Coverage): void {
    if (!('mark' in event)) {
      made.add(event)
    } else if (event.mark.kind === 'test-started') {
      this.#test = event.mark.name
    } else if (event.mark.kind === 'test-ended') {
      this.#test = undefined
      made.flush()
    }
  }

  async #make(): Promise<Coverage> {
    const { Coverage } = await sandboxParts.coverage()
    const isFirst = this.#made === undefined
    this.#made ??= new Coverage(() => this.#test, this.#folder)
    const made = this.#made
    const waiting = this.#waiting ?? []
    const breaks = new Breaks()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      this.#record(next, made)
      await breaks.take()
    }
    if (isFirst && this.#folder !== undefined) {
      const controls = this.#controls()
      controls.onFinding(() => made.setFindings(controls.resultSoFar()?.findings ?? []))
      // From now on the auditor is there, and hears of each request at once.
      await controls.findings()
    }
    return made
  }
}

/** The controls that tell findings. */
type Judged = Pick<SandboxControls, 'findings' | 'resultSoFar' | 'onFinding'>
