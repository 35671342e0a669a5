import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Finding } from '../../audit/finding.ts'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import type { Mark } from '../../state/journal-entry.ts'
import { type KeyOf, keyNamer } from '../model/filter-entries.ts'
import type { ConsoleClient, ConsoleEvent } from './console-client.ts'
import { EventFrames } from './event-frames.ts'
import { mergeEntries, mostEntries } from './merge-entries.ts'
import { drawnAtOnce } from './pace/growing-count.ts'
import { OneAtATime } from './pace/one-at-a-time.ts'
import { painted } from './pace/painted.ts'
import { whenIdle } from './pace/when-idle.ts'
import { Questions } from './questions.ts'
import { SandboxTime } from './sandbox-time.ts'
import { type Link, sortEvents } from './sort-events.ts'

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

/** How the keys and the clock stood before a situation was set up. */
export interface Before {
  readonly keys: readonly KeyView[]
  /** Unix milliseconds. */
  readonly now: number
}

/** How many marks are kept. */
const mostMarks = 1_000

/** How long the first answers wait for the stream to begin, in milliseconds. */
const patienceMs = 1_000

/** At most how often the state is asked for while requests come, in milliseconds. */
const refreshEveryMs = 1_000

/** What the console knows of a sandbox: signals, which the events of the sandbox keep true. */
export class LiveStore {
  readonly client: ConsoleClient
  readonly time = new SandboxTime()
  readonly questions: Questions
  /** What undoing a situation goes back to. */
  readonly before = new Map<string, Before>()
  /** How many findings of before a reset were cleared: the sandbox goes on to tell of them, the earliest first. */
  readonly cleared = signal(0)
  readonly #entries: Signal<readonly JournalEntry[]> = signal([])
  readonly #status = signal<Status | undefined>(undefined)
  readonly #keys: Signal<readonly KeyView[]> = signal([])
  readonly #faults: Signal<readonly Fault[]> = signal([])
  readonly #gaps = signal<Gaps | undefined>(undefined)
  readonly #findings: Signal<readonly Finding[]> = signal([])
  readonly #marks: Signal<readonly Mark[]> = signal([])
  readonly #link = signal<Link>('connecting')
  readonly #problem = signal<unknown>(undefined)
  readonly #frames = new EventFrames((events) => this.#apply(events))
  readonly #reloads = new OneAtATime(() => this.#loadAll())
  readonly #refreshes = new OneAtATime(() => this.#loadState())
  #left = new AbortController()
  #refreshTimer: ReturnType<typeof setTimeout> | undefined
  /** Counts what makes answers that are under way too old. */
  #age = 0

  /** The findings since the last reset. */
  readonly current: ReadonlySignal<readonly Finding[]> = computed(() =>
    this.#findings.value.filter(({ beforeReset }) => beforeReset !== true),
  )

  /** The exchange ids that findings name. */
  readonly found: ReadonlySignal<ReadonlySet<number>> = computed(
    () => new Set(this.current.value.flatMap(({ exchanges }) => exchanges)),
  )

  /** Which keys there are and whose requests are theirs, as a text: it stays while only what they have left changes. */
  readonly #callers = computed(() =>
    this.#keys.value.map(({ key, caller }) => `${caller} ${key}`).join('\n'),
  )

  /** Names the keys of exchanges. */
  readonly keyOf: ReadonlySignal<KeyOf> = computed(() => {
    void this.#callers.value
    return keyNamer(this.#keys.peek())
  })

  constructor(client: ConsoleClient) {
    this.client = client
    this.questions = new Questions(client)
  }

  /** The latest exchanges, oldest first. */
  get entries(): ReadonlySignal<readonly JournalEntry[]> {
    return this.#entries
  }

  /** Clock, limits, counts; `undefined` until it is known. */
  get status(): ReadonlySignal<Status | undefined> {
    return this.#status
  }

  get keys(): ReadonlySignal<readonly KeyView[]> {
    return this.#keys
  }

  get faults(): ReadonlySignal<readonly Fault[]> {
    return this.#faults
  }

  get gaps(): ReadonlySignal<Gaps | undefined> {
    return this.#gaps
  }

  get findings(): ReadonlySignal<readonly Finding[]> {
    return this.#findings
  }

  /** The latest marks, oldest first. */
  get marks(): ReadonlySignal<readonly Mark[]> {
    return this.#marks
  }

  get link(): ReadonlySignal<Link> {
    return this.#link
  }

  /** Why the sandbox can't be asked; `undefined` while it can. */
  get problem(): ReadonlySignal<unknown> {
    return this.#problem
  }

  /**
   * Begins to follow the sandbox, and gives what ends it.
   *
   * @param first Asks for what is shown first; the latest exchanges by default.
   */
  start(first: (store: LiveStore) => Promise<void> = (store) => store.showLatest()): () => void {
    this.#left = new AbortController()
    void this.#begin(this.#left.signal, first)
    return () => {
      this.#left.abort()
      this.#frames.stop()
      clearTimeout(this.#refreshTimer)
      this.time.stop()
    }
  }

  /** Asks for everything anew. */
  reload(): Promise<void> {
    this.#age++
    return this.#reloads.ask()
  }

  /** Asks for as many of the latest exchanges as are drawn at once, which the page preloads. */
  async showLatest(): Promise<void> {
    const age = this.#age
    const entries = await this.client.journal.entries({ limit: drawnAtOnce })
    if (age === this.#age) this.#entries.value = mergeEntries(this.#entries.peek(), entries)
  }

  /** Asks where the sandbox stands: clock, limits, keys, faults, gaps. */
  refresh(): Promise<void> {
    return this.#refreshes.ask()
  }

  /** Shows the first screen, and only then asks for more: each question would hold it up. */
  async #begin(signal: AbortSignal, first: (store: LiveStore) => Promise<void>): Promise<void> {
    await this.#ask(async () => {
      const [status] = await Promise.all([this.client.status(), first(this)])
      this.#showStatus(status)
    })
    await painted()
    if (signal.aborted) return
    this.#follow(signal)
    await this.refresh()
  }

  #follow(signal: AbortSignal): void {
    const reloadWhenIdle = (): void => {
      whenIdle(() => signal.aborted || void this.reload())
    }
    // Another tab may hold the stream already, and say nothing of it.
    const alone = setTimeout(reloadWhenIdle, patienceMs)
    signal.addEventListener('abort', () => clearTimeout(alone))
    this.client.follow((event) => {
      if (event.kind === 'live') {
        clearTimeout(alone)
        reloadWhenIdle()
      }
      this.#frames.add(event)
    }, signal)
  }

  async #loadAll(): Promise<void> {
    const { client } = this
    const age = this.#age
    const refreshed = this.refresh()
    await this.#ask(async () => {
      const [entries, marks, findings] = await Promise.all([
        client.latest(mostEntries, this.#left.signal),
        client.journal.marks(),
        client.findings(),
      ])
      if (age !== this.#age) return
      batch(() => {
        this.#entries.value = mergeEntries(this.#entries.peek(), entries)
        this.#marks.value = marks.slice(-mostMarks)
        this.#findings.value = findings
      })
    })
    await refreshed
  }

  async #loadState(): Promise<void> {
    const { client } = this
    await this.#ask(async () => {
      const [status, keys, faults, gaps] = await Promise.all([
        client.status(),
        client.keys.list(),
        client.faults.list(),
        client.gaps(),
      ])
      batch(() => {
        this.#showStatus(status)
        this.#keys.value = keys
        this.#faults.value = faults
        this.#gaps.value = gaps
      })
    })
  }

  #showStatus(status: Status): void {
    this.time.show(status.clock)
    this.#status.value = status
    this.#problem.value = undefined
    if (this.#link.peek() === 'connecting') this.#link.value = 'live'
  }

  async #ask(question: () => Promise<void>): Promise<void> {
    try {
      await question()
    } catch (error) {
      if (!this.#left.signal.aborted) this.#problem.value = error
    }
  }

  #refreshSoon(): void {
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = undefined
      void this.refresh()
    }, refreshEveryMs)
  }

  /** Takes what has happened, all at once: however much it is, nothing is drawn or asked for twice. */
  #apply(events: readonly ConsoleEvent[]): void {
    const news = sortEvents(events)
    batch(() => {
      if (news.link !== undefined) this.#link.value = news.link
      if (news.refusal !== undefined) this.#problem.value = news.refusal
      if (news.isNewJournal) this.#entries.value = []
      if (news.entries.length > 0) {
        this.#entries.value = mergeEntries(this.#entries.peek(), news.entries)
      }
      if (news.marks.length > 0) {
        this.#marks.value = [...this.#marks.peek(), ...news.marks].slice(-mostMarks)
      }
      if (news.findings.length > 0) {
        this.#findings.value = [...this.#findings.peek(), ...news.findings]
      }
    })
    if (news.isNewJournal) void this.reload()
    else if (news.marks.length > 0) void this.refresh()
    else if (news.entries.length > 0) this.#refreshSoon()
  }
}
