import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Finding } from '../../checks/audit/finding.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { InputError } from '../../mock/input/input-error.ts'
import type { StateChange } from '../../mock/log/request-view.ts'
import { withoutBodies } from '../../mock/log/show-request.ts'
import type { RequestQuery } from '../../sandbox/controls/requests.ts'
import { type KeyOf, keyNamer } from '../model/filter-entries.ts'
import type { ConsoleClient, ConsoleEvent } from './console-client.ts'
import { Throttle } from './throttle.ts'

type ResultOf<Control extends (...given: never[]) => Promise<unknown>> = Awaited<
  ReturnType<Control>
>

/** State of a sandbox. */
export type Status = ResultOf<ConsoleClient['status']>

/** A key and its remaining quota. */
export type KeyView = ResultOf<ConsoleClient['keys']['list']>[number]

/** An active fault. */
export type Fault = ResultOf<ConsoleClient['faults']['list']>[number]

/** Returns whether a fault may be applied again. */
export function isWaiting({ times, applied }: Pick<Fault, 'times' | 'applied'>): boolean {
  return times === undefined || times === null || applied < times
}

/** The value of each gap. */
export type Gaps = ResultOf<ConsoleClient['gaps']>

/** A scenario, and the steps that undo it. */
export type ScenarioView = ResultOf<ConsoleClient['scenarios']>[number]

/** A request that waits for its response. */
export type UnderWayRequest = Extract<ConsoleEvent, { kind: 'under-way' }>['requests'][number]

/** Most likely reason why a response can't be shown. */
export const unknownShape =
  'what the sandbox says is not as this page knows it, perhaps of a newer version; reload the page'

/** Maximum number of requests that the console keeps; the oldest are dropped. */
export const maxEntries = 1_000

/** Number of requests loaded first. */
const firstEntries = 100

/** Merges new requests into those kept, without duplicates and in order; drops the oldest. */
function mergeEntries(
  kept: readonly RequestView[],
  come: readonly RequestView[],
): readonly RequestView[] {
  const byId = new Map([...kept, ...come].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((one, other) => one.id - other.id).slice(-maxEntries)
}

/** Minimum time between updates of the display, in milliseconds: users can't read faster. */
const showEveryMs = 250

/** The same in a flood, in which each update replaces all rows. */
const showFloodEveryMs = 1_000

/** Number of new requests in an update that makes a flood: the rows shown first. */
const manyRequests = 50

/** Minimum time between loads of the state while requests arrive, in milliseconds. */
const refreshEveryMs = 1_000

/** The console's copy of a sandbox: signals that the events of the sandbox keep current. */
export class LiveStore {
  readonly client: ConsoleClient
  readonly time = new SandboxTime()
  /** Documents rendered by the server, by name; loaded on demand. */
  readonly documents = new Map<string, Promise<Document | null>>()
  /**
   * Number of findings from before a reset that the user has cleared; the sandbox still lists them, the earliest first.
   */
  readonly cleared = signal(0)
  /** Whether the requests have been loaded; before that, an empty list means nothing. */
  readonly isLoaded = signal(false)
  /** The latest requests, oldest first, without their bodies. */
  readonly entries: Signal<readonly RequestView[]> = signal([])
  /** Clock, limits, counts; set together with the signals below. */
  readonly status = signal<Status | undefined>(undefined)
  readonly keys: Signal<readonly KeyView[]> = signal([])
  readonly faults: Signal<readonly Fault[]> = signal([])
  readonly gaps = signal<Gaps | undefined>(undefined)
  readonly findings: Signal<readonly Finding[]> = signal([])
  /** The latest events, oldest first. */
  readonly marks: Signal<readonly StateChange[]> = signal([])
  readonly scenarios: Signal<readonly ScenarioView[]> = signal([])
  readonly underWay: Signal<readonly UnderWayRequest[]> = signal([])
  /** Whether the sandbox has older requests than those kept here. */
  readonly hasOlder = signal(false)
  /** Date of the sandbox's clock, such as 2026-11-21. */
  readonly day: ReadonlySignal<string | undefined> = computed(() => {
    const now = this.time.now.value
    return now === undefined ? undefined : new Date(now).toISOString().slice(0, 10)
  })
  readonly link = signal<Link>('connecting')
  /** Error of the latest load; `undefined` if it succeeded. */
  readonly problem = signal<unknown>(undefined)
  readonly #showing = new Throttle(showEveryMs, () => this.#showChanges())
  readonly #reloads = new Throttle(showEveryMs, () => this.#loadAll())
  readonly #refreshes = new Throttle(refreshEveryMs, () => this.#loadState())
  /** New requests that aren't shown yet. */
  #come: RequestView[] = []
  /** Whether the state has changed since the last load. */
  #hasChanged = false
  /** Whether the list is being reloaded; the old one stays until then. */
  #isStale = false

  /** Findings since the last reset. */
  readonly current: ReadonlySignal<readonly Finding[]> = computed(() =>
    this.findings.value.filter(({ beforeReset }) => beforeReset !== true),
  )

  /** Ids of the requests that findings refer to. */
  readonly found: ReadonlySignal<ReadonlySet<number>> = computed(
    () => new Set(this.current.value.flatMap(({ requests }) => requests)),
  )

  /** Names the keys of requests. */
  readonly keyOf: ReadonlySignal<KeyOf> = computed(() => keyNamer(this.keys.value))

  constructor(client: ConsoleClient) {
    this.client = client
  }

  /** Starts to follow the sandbox; returns a function that stops it. */
  start(): () => void {
    const left = new AbortController()
    this.client.follow((event) => this.#apply(event), left.signal)
    return () => {
      left.abort()
      for (const throttle of [this.#showing, this.#reloads, this.#refreshes]) throttle.stop()
      this.time.stop()
    }
  }

  /** Loads the state of the sandbox: status, keys, faults, gaps, events, findings, scenarios. */
  refresh(): Promise<void> {
    return this.#refreshes.now()
  }

  #apply(event: ConsoleEvent): void {
    switch (event.kind) {
      case 'request':
        this.#come.push(withoutBodies(event.entry))
        this.#showing.soon()
        break
      case 'under-way':
        this.underWay.value = event.requests
        break
      case 'changed':
        this.#hasChanged = true
        this.#showing.soon()
        break
      case 'lost':
        this.#come = []
        this.#reload()
        break
      case 'live':
        this.link.value = 'live'
        this.#reload()
        break
      case 'waiting':
        this.link.value = 'waiting'
        this.underWay.value = []
        break
      case 'rejected':
        this.link.value = 'rejected'
        this.problem.value = event.error
        break
      default:
        event satisfies never
    }
  }

  #reload(): void {
    this.#isStale = true
    this.#reloads.soon()
  }

  async #loadAll(): Promise<void> {
    const [entries] = await Promise.all([this.#list({ limit: firstEntries }), this.refresh()])
    batch(() => {
      this.#isStale = false
      this.isLoaded.value = true
      if (entries !== undefined) {
        this.entries.value = entries
        this.hasOlder.value = entries.length === firstEntries
      }
      this.#showChanges()
    })
  }

  /** Loads older requests than those kept. */
  async loadOlder(): Promise<void> {
    const [first] = this.entries.peek()
    if (first === undefined || !this.hasOlder.peek()) return
    this.hasOlder.value = false
    const limit = maxEntries - this.entries.peek().length
    if (limit > 0) this.add((await this.#list({ limit, before: first.id })) ?? [])
  }

  /** Hides the first findings from before a reset. */
  clear(count: number): void {
    this.cleared.value = count
  }

  /** Adds requests that were loaded elsewhere. */
  add(entries: readonly RequestView[]): void {
    const known = new Set(this.entries.peek().map(({ id }) => id))
    const others = entries.filter(({ id }) => !known.has(id)).map(withoutBodies)
    if (others.length > 0) this.entries.value = mergeEntries(this.entries.peek(), others)
  }

  /** Loads requests without their bodies; an older server sends them with bodies. */
  async #list(query: RequestQuery): Promise<readonly RequestView[] | undefined> {
    try {
      return await this.client.requests.list({ ...query, bodies: false })
    } catch (error) {
      if (!(error instanceof InputError) || error.reason !== 'unknown-property') {
        return this.#ask(Promise.reject(error))
      }
      const { before: _, ...known } = query
      const entries = await this.#ask(this.client.requests.list(known))
      return entries?.map(withoutBodies)
    }
  }

  async #loadState(): Promise<void> {
    const { client } = this
    this.#hasChanged = false
    // Once rejected, the console doesn't try again.
    if (this.link.peek() === 'rejected') return
    const [status, ...others] = await Promise.all([
      this.#ask(client.status()),
      this.#ask(client.keys.list(), false),
      this.#ask(client.faults.list(), false),
      this.#ask(client.gaps(), false),
      this.#ask(client.requests.changes(), false),
      this.#ask(client.foundSoFar(), false),
      this.#ask(client.scenarios(), false),
    ])
    if (status === undefined) return
    if (status.clock === undefined) {
      this.problem.value = new Error(`Cannot show the sandbox: ${unknownShape}`)
      return
    }
    const [keys, faults, gaps, marks, findings, scenarios] = others
    batch(() => {
      this.time.show(status.clock)
      this.status.value = status
      this.problem.value = undefined
      if (this.link.peek() === 'connecting') this.link.value = 'live'
      showIfOther(this.keys, keys)
      showIfOther(this.faults, faults)
      if (gaps !== undefined) this.gaps.value = gaps
      showIfOther(this.marks, marks)
      showIfOther(this.findings, findings)
      showIfOther(this.scenarios, scenarios)
    })
  }

  /**
   * Returns a response, or `undefined` if the call failed.
   *
   * @param isVital Whether the sandbox can't be shown without it; then `problem` is set to the error.
   */
  async #ask<Result>(result: Promise<Result>, isVital = true): Promise<Result | undefined> {
    try {
      return await result
    } catch (error) {
      if (isVital) this.problem.value = error
      return undefined
    }
  }

  /** Shows everything new in one update, so that nothing is rendered or loaded twice. */
  #showChanges(): void {
    if (this.#isStale) return
    const come = this.#come
    this.#come = []
    this.#showing.everyMs = come.length > manyRequests ? showFloodEveryMs : showEveryMs
    if (come.length > 0) this.entries.value = mergeEntries(this.entries.peek(), come)
    if (this.#hasChanged) void this.refresh()
    else if (come.length > 0) this.#refreshes.soon()
  }
}

/** Sets a signal only if its list differs, since a change reloads whatever depends on it. */
function showIfOther<Item>(shown: Signal<readonly Item[]>, list?: readonly Item[]): void {
  if (list === undefined) return
  if (JSON.stringify(shown.peek()) !== JSON.stringify(list)) shown.value = list
}

/** Returns the system time, in Unix milliseconds. */
export function systemNow(): number {
  return performance.timeOrigin + performance.now()
}

/** Time between updates of a running clock, in milliseconds. */
const tickMs = 250

/** The sandbox's clock, extrapolated between two readings. */
class SandboxTime {
  /** Unix milliseconds on the sandbox's clock; `undefined` until it is known. */
  readonly now = signal<number | undefined>(undefined)
  #timer: ReturnType<typeof setInterval> | undefined

  /** Sets the time to a reading, and continues from there if the clock runs. */
  show({ now, mode, speed }: Status['clock']): void {
    this.stop()
    const readAt = Date.parse(now)
    const shownAt = performance.now()
    const pace = mode === 'frozen' ? 0 : mode === 'scaled' ? speed : 1
    this.now.value = readAt
    if (pace === 0) return
    this.#timer = setInterval(() => {
      this.now.value = Math.floor(readAt + (performance.now() - shownAt) * pace)
    }, tickMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** State of the stream of events. */
export type Link = 'connecting' | 'live' | 'waiting' | 'rejected'
