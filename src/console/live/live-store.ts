import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Finding } from '../../checks/audit/finding.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { RequestQuery } from '../../mock/controls/requests.ts'
import { InputError } from '../../mock/input/input-error.ts'
import type { StateChange } from '../../mock/log/request-view.ts'
import { type KeyOf, keyNamer } from '../model/filter-entries.ts'
import type { ConsoleClient, ConsoleEvent } from './console-client.ts'
import { Throttle } from './throttle.ts'

type AnswerOf<Control extends (...given: never[]) => Promise<unknown>> = Awaited<
  ReturnType<Control>
>

/** Where a sandbox stands, as the console keeps it. */
export type Status = AnswerOf<ConsoleClient['status']>

/** A key, and what it has left. */
export type KeyView = AnswerOf<ConsoleClient['keys']['list']>[number]

/** A fault that is waiting for requests. */
export type Fault = AnswerOf<ConsoleClient['faults']['list']>[number]

/** The choice at each gap. */
export type Gaps = AnswerOf<ConsoleClient['gaps']>

/** A scenario, and how to undo it. */
export type ScenarioView = AnswerOf<ConsoleClient['scenarios']>[number]

/** A request that waits for its response. */
export type UnderWayRequest = Extract<ConsoleEvent, { kind: 'under-way' }>['requests'][number]

/** Why an answer can't be shown, most likely. */
export const unknownShape =
  'what the sandbox says is not as this page knows it, perhaps of a newer version; reload the page'

/** Maximum number of requests that the console keeps, the latest. */
export const maxEntries = 1_000

/** Number of requests asked for at first. */
const firstEntries = 100

/** Puts exchanges that have come among those that are kept, each once, in their order; the oldest go. */
function mergeEntries(
  kept: readonly RequestView[],
  come: readonly RequestView[],
): readonly RequestView[] {
  const byId = new Map([...kept, ...come].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((one, other) => one.id - other.id).slice(-maxEntries)
}

function withoutBodies(entry: RequestView): RequestView {
  const { request, outcome } = entry
  // One that isn't as this page knows them gets a row that says so.
  if (request === undefined || (request.body === '' && !('body' in outcome && outcome.body !== '')))
    return entry
  return {
    ...entry,
    request: { ...request, body: '' },
    outcome: 'body' in outcome ? { ...outcome, body: '' } : outcome,
  }
}

/** How long the stream may take to begin before all is asked for without it, in milliseconds. */
const patienceMs = 150

/** At most how often what has happened is shown: nobody reads faster. In milliseconds. */
const showEveryMs = 250

/** At most how often the state is asked for while requests come, in milliseconds. */
const refreshEveryMs = 1_000

/** What the console knows of a sandbox: signals, which the events of the sandbox keep true. */
export class LiveStore {
  readonly client: ConsoleClient
  readonly time = new SandboxTime()
  /** The documents that the server renders, once they are asked for. */
  readonly documents = new Map<string, Promise<Document | null>>()
  /** How many findings of before a reset were cleared: the sandbox goes on to tell of them, the earliest first. */
  readonly cleared = signal(0)
  /** The latest requests, oldest first, without their bodies. */
  readonly entries: Signal<readonly RequestView[]> = signal([])
  /** Clock, limits, counts; `undefined` until what follows is known, too. */
  readonly status = signal<Status | undefined>(undefined)
  readonly keys: Signal<readonly KeyView[]> = signal([])
  readonly faults: Signal<readonly Fault[]> = signal([])
  readonly gaps = signal<Gaps | undefined>(undefined)
  readonly findings: Signal<readonly Finding[]> = signal([])
  /** The latest marks, oldest first. */
  readonly marks: Signal<readonly StateChange[]> = signal([])
  readonly scenarios: Signal<readonly ScenarioView[]> = signal([])
  /** The requests that wait for their response. */
  readonly underWay: Signal<readonly UnderWayRequest[]> = signal([])
  /** Whether the sandbox has older requests than those that are kept. */
  readonly hasOlder = signal(false)
  /** The day of the sandbox's clock, as 2026-11-21. */
  readonly day: ReadonlySignal<string | undefined> = computed(() => {
    const now = this.time.now.value
    return now === undefined ? undefined : new Date(now).toISOString().slice(0, 10)
  })
  readonly link = signal<Link>('connecting')
  /** Why the sandbox can't be asked; `undefined` while it can. */
  readonly problem = signal<unknown>(undefined)
  readonly #showing = new Throttle(showEveryMs, () => this.#showNews())
  readonly #reloads = new Throttle(showEveryMs, () => this.#loadAll())
  readonly #refreshes = new Throttle(refreshEveryMs, () => this.#loadState())
  /** The latest exchanges that have come and aren't shown yet. */
  #come: RequestView[] = []
  /** Whether the state is another one than what is shown. */
  #hasChanged = false
  /** Whether the list is being asked for anew: until it is there, the old one stays. */
  #isStale = false

  /** The findings since the last reset. */
  readonly current: ReadonlySignal<readonly Finding[]> = computed(() =>
    this.findings.value.filter(({ beforeReset }) => beforeReset !== true),
  )

  /** The exchange ids that findings name. */
  readonly found: ReadonlySignal<ReadonlySet<number>> = computed(
    () => new Set(this.current.value.flatMap(({ requests }) => requests)),
  )

  /** Names the keys of exchanges. */
  readonly keyOf: ReadonlySignal<KeyOf> = computed(() => keyNamer(this.keys.value))

  constructor(client: ConsoleClient) {
    this.client = client
  }

  /** Begins to follow the sandbox, and returns what ends it. */
  start(): () => void {
    const left = new AbortController()
    // Another tab may hold the stream already, and say nothing of it.
    const alone = setTimeout(() => this.#reload(), patienceMs)
    this.client.follow((event) => {
      if (event.kind === 'live' || event.kind === 'refused') clearTimeout(alone)
      this.#hear(event)
    }, left.signal)
    return () => {
      left.abort()
      clearTimeout(alone)
      for (const throttle of [this.#showing, this.#reloads, this.#refreshes]) throttle.stop()
      this.time.stop()
    }
  }

  /** Asks where the sandbox stands: clock, limits, keys, faults, gaps, marks, findings. */
  refresh(): Promise<void> {
    return this.#refreshes.now()
  }

  #hear(event: ConsoleEvent): void {
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
      case 'refused':
        this.link.value = 'refused'
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
      if (entries !== undefined) {
        this.entries.value = entries
        this.hasOlder.value = entries.length === firstEntries
      }
      this.#showNews()
    })
  }

  /** Loads the requests before those that are kept. */
  async loadOlder(): Promise<void> {
    const [first] = this.entries.peek()
    if (first === undefined || !this.hasOlder.peek()) return
    this.hasOlder.value = false
    const limit = maxEntries - this.entries.peek().length
    if (limit > 0) this.add((await this.#list({ limit, before: first.id })) ?? [])
  }

  /** Shows the first findings of before a reset no more. */
  clear(count: number): void {
    this.cleared.value = count
  }

  /** Adds requests that were asked for elsewhere. */
  add(entries: readonly RequestView[]): void {
    const known = new Set(this.entries.peek().map(({ id }) => id))
    const others = entries.filter(({ id }) => !known.has(id)).map(withoutBodies)
    if (others.length > 0) this.entries.value = mergeEntries(this.entries.peek(), others)
  }

  /** Asks for requests without their bodies; of an older server with them. */
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
    // Once refused, it would be again.
    if (this.link.peek() === 'refused') return
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
   * Returns an answer, or `undefined` if there is none.
   *
   * @param isVital Whether the sandbox can't be shown without it: then `problem` says why.
   */
  async #ask<Answer>(answer: Promise<Answer>, isVital = true): Promise<Answer | undefined> {
    try {
      return await answer
    } catch (error) {
      if (isVital) this.problem.value = error
      return undefined
    }
  }

  /** Shows what has happened, all at once: however much it is, nothing is drawn or asked for twice. */
  #showNews(): void {
    if (this.#isStale) return
    const come = this.#come
    this.#come = []
    if (come.length > 0) this.entries.value = mergeEntries(this.entries.peek(), come)
    if (this.#hasChanged) void this.refresh()
    else if (come.length > 0) this.#refreshes.soon()
  }
}

/** What depends on a list is asked for anew when it changes, and so isn't while it is as it was. */
function showIfOther<Item>(shown: Signal<readonly Item[]>, list?: readonly Item[]): void {
  if (list === undefined) return
  if (JSON.stringify(shown.peek()) !== JSON.stringify(list)) shown.value = list
}

/** Returns the time of the page's machine, in Unix milliseconds. */
export function systemNow(): number {
  return performance.timeOrigin + performance.now()
}

/** How often a running clock is shown anew, in milliseconds. */
const tickMs = 250

/** The sandbox's clock, as it goes on between two readings. */
class SandboxTime {
  /** Unix milliseconds on the sandbox's clock; `undefined` until it is known. */
  readonly now = signal<number | undefined>(undefined)
  #timer: ReturnType<typeof setInterval> | undefined

  /** Takes a reading, and runs on from there if the clock does. */
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

/** Whether the page shows what is so. */
export type Link = 'connecting' | 'live' | 'waiting' | 'refused'
