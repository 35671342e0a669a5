import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Finding } from '../../audit/finding.ts'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import type { Mark, MarkKind } from '../../state/journal-entry.ts'
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

/** How the keys and the clock stood before a situation was set up. */
export interface Before {
  readonly keys: readonly KeyView[]
  /** Unix milliseconds. */
  readonly now: number
}

/** How many of the latest exchanges the console keeps. */
export const mostEntries = 1_000

/** Puts exchanges that have come among those that are kept, each once, in their order; the oldest go. */
export function mergeEntries(
  kept: readonly JournalEntry[],
  come: readonly JournalEntry[],
): readonly JournalEntry[] {
  const lastId = kept.at(-1)?.id ?? 0
  const isLater = come.every(({ id }, at) => id > (come[at - 1]?.id ?? lastId))
  if (isLater) return [...kept, ...come].slice(-mostEntries)
  const byId = new Map([...kept, ...come].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((one, other) => one.id - other.id).slice(-mostEntries)
}

/** How many marks are kept. */
const mostMarks = 1_000

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
  /** What undoing a situation goes back to. */
  readonly before = new Map<string, Before>()
  /** How many findings of before a reset were cleared: the sandbox goes on to tell of them, the earliest first. */
  readonly cleared = signal(0)
  /** Whether what was there before the page is shown. */
  readonly isLoaded = signal(false)
  /** The latest exchanges, oldest first. */
  readonly entries: Signal<readonly JournalEntry[]> = signal([])
  /** Clock, limits, counts; `undefined` until it is known. */
  readonly status = signal<Status | undefined>(undefined)
  readonly keys: Signal<readonly KeyView[]> = signal([])
  readonly faults: Signal<readonly Fault[]> = signal([])
  readonly gaps = signal<Gaps | undefined>(undefined)
  readonly findings: Signal<readonly Finding[]> = signal([])
  /** The latest marks, oldest first. */
  readonly marks: Signal<readonly Mark[]> = signal([])
  readonly link = signal<Link>('connecting')
  /** Why the sandbox can't be asked; `undefined` while it can. */
  readonly problem = signal<unknown>(undefined)
  readonly #showing = new Throttle(showEveryMs, () => this.#apply())
  readonly #reloads = new Throttle(0, () => this.#loadAll())
  readonly #refreshes = new Throttle(refreshEveryMs, () => this.#loadState())
  #left = new AbortController()
  /** What has happened and isn't shown yet. */
  #events: ConsoleEvent[] = []
  /** What has come since events were lost: until all is asked for anew, the old list stays. */
  #sinceLost: readonly JournalEntry[] | undefined
  /** Counts what makes answers that are under way too old. */
  #age = 0

  /** The findings since the last reset. */
  readonly current: ReadonlySignal<readonly Finding[]> = computed(() =>
    this.findings.value.filter(({ beforeReset }) => beforeReset !== true),
  )

  /** The exchange ids that findings name. */
  readonly found: ReadonlySignal<ReadonlySet<number>> = computed(
    () => new Set(this.current.value.flatMap(({ exchanges }) => exchanges)),
  )

  /** Which keys there are and whose requests are theirs, as a text: it stays while only what they have left changes. */
  readonly #callers = computed(() =>
    this.keys.value.map(({ key, caller }) => `${caller} ${key}`).join('\n'),
  )

  /** Names the keys of exchanges. */
  readonly keyOf: ReadonlySignal<KeyOf> = computed(() => {
    void this.#callers.value
    return keyNamer(this.keys.peek())
  })

  constructor(client: ConsoleClient) {
    this.client = client
  }

  /** Begins to follow the sandbox, and gives what ends it. */
  start(): () => void {
    this.#left = new AbortController()
    const { signal } = this.#left
    // Another tab may hold the stream already, and say nothing of it.
    const alone = setTimeout(() => this.#reloads.soon(), patienceMs)
    this.client.follow((event) => {
      if (event.kind === 'live' || event.kind === 'refused') clearTimeout(alone)
      if (event.kind === 'live') this.#reloads.soon()
      this.#events.push(event)
      // Timers wait long in a page that nobody sees.
      if (this.#events.length > 2 * mostEntries) this.#apply()
      else this.#showing.soon()
    }, signal)
    return () => {
      this.#left.abort()
      clearTimeout(alone)
      for (const throttle of [this.#showing, this.#reloads, this.#refreshes]) throttle.stop()
      this.time.stop()
    }
  }

  /** Asks where the sandbox stands: clock, limits, keys, faults, gaps. */
  refresh(): Promise<void> {
    return this.#refreshes.now()
  }

  async #loadAll(): Promise<void> {
    const { client } = this
    const age = this.#age
    const refreshed = this.refresh()
    await this.#ask(async () => {
      const [entries, marks, findings] = await Promise.all([
        client.journal.entries({ limit: mostEntries }),
        client.journal.marks(),
        client.findings(),
      ])
      if (age !== this.#age) return
      batch(() => {
        this.entries.value = mergeEntries(
          this.#sinceLost === undefined ? this.entries.peek() : entries,
          this.#sinceLost ?? entries,
        )
        this.#sinceLost = undefined
        this.marks.value = marks.slice(-mostMarks)
        this.findings.value = findings
        this.isLoaded.value = true
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
        this.keys.value = keys
        this.faults.value = faults
        this.gaps.value = gaps
      })
    })
  }

  #showStatus(status: Status): void {
    this.time.show(status.clock)
    this.status.value = status
    this.problem.value = undefined
    if (this.link.peek() === 'connecting') this.link.value = 'live'
  }

  async #ask(question: () => Promise<void>): Promise<void> {
    try {
      await question()
    } catch (error) {
      if (!this.#left.signal.aborted) this.problem.value = error
    }
  }

  /** Shows what has happened, all at once: however much it is, nothing is drawn or asked for twice. */
  #apply(): void {
    const news = sortEvents(this.#events)
    this.#events = []
    batch(() => {
      if (news.link !== undefined) this.link.value = news.link
      if (news.refusal !== undefined) this.problem.value = news.refusal
      if (news.newJournal === 'reset') {
        this.entries.value = []
        this.#sinceLost = undefined
      }
      if (news.newJournal === 'lost') this.#sinceLost = []
      if (this.#sinceLost !== undefined) {
        this.#sinceLost = mergeEntries(this.#sinceLost, news.entries)
      } else if (news.entries.length > 0) {
        this.entries.value = mergeEntries(this.entries.peek(), news.entries)
      }
      if (news.marks.length > 0) {
        this.marks.value = [...this.marks.peek(), ...news.marks].slice(-mostMarks)
      }
      if (news.findings.length > 0) {
        this.findings.value = [...this.findings.peek(), ...news.findings]
      }
    })
    if (news.newJournal !== undefined) {
      this.#age++
      void this.#reloads.now()
    } else if (news.marks.length > 0) void this.refresh()
    else if (news.entries.length > 0) this.#refreshes.soon()
  }
}

/** What a clock shows. */
interface Reading {
  readonly now: string
  readonly mode: 'system' | 'frozen' | 'offset' | 'scaled'
  readonly scale: number
}

/** How often a running clock is shown anew, in milliseconds. */
const tickMs = 250

/** The sandbox's clock, as it goes on between two readings. */
class SandboxTime {
  /** Unix milliseconds on the sandbox's clock; `undefined` until it is known. */
  readonly now = signal<number | undefined>(undefined)
  #timer: ReturnType<typeof setInterval> | undefined

  /** Takes a reading, and runs on from there if the clock does. */
  show({ now, mode, scale }: Reading): void {
    this.stop()
    const readAt = Date.parse(now)
    const shownAt = performance.now()
    const pace = mode === 'frozen' ? 0 : mode === 'scaled' ? scale : 1
    this.now.value = readAt
    if (pace === 0) return
    this.#timer = setInterval(() => {
      this.now.value = Math.floor(readAt + (performance.now() - shownAt) * pace)
    }, tickMs)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Whether the page shows what is so. */
export type Link = 'connecting' | 'live' | 'waiting' | 'refused'

/** What several events come to. */
interface News {
  readonly entries: readonly JournalEntry[]
  readonly marks: readonly Mark[]
  readonly findings: readonly Finding[]
  /** Whether what was there before is gone: by a reset, or `lost`, since some of it was never told. */
  readonly newJournal: 'reset' | 'lost' | undefined
  /** `undefined` if it is as it was. */
  readonly link: Link | undefined
  /** Why it can't be followed. */
  readonly refusal: unknown
}

/** The marks after which the journal itself is another one. */
const newJournals: readonly MarkKind[] = ['reset', 'restored']

/** Sorts what has happened, so that it can be shown at once. */
export function sortEvents(events: readonly ConsoleEvent[]): News {
  const begunAt = events.findLastIndex(beginsJournal)
  const latest = events.slice(begunAt + 1)
  const links = events.filter(isAboutLink)
  const last = links.at(-1)
  return {
    entries: latest.flatMap((event) => (event.kind === 'request' ? [event.entry] : [])),
    marks: events.flatMap((event) => (event.kind === 'mark' ? [event.mark] : [])),
    findings: latest.flatMap((event) => (event.kind === 'finding' ? [event.finding] : [])),
    newJournal: begunAt < 0 ? undefined : events[begunAt]?.kind === 'lost' ? 'lost' : 'reset',
    link: last?.kind,
    refusal: last?.kind === 'refused' ? last.error : undefined,
  }
}

function beginsJournal(event: ConsoleEvent): boolean {
  if (event.kind === 'mark') return newJournals.includes(event.mark.kind)
  return event.kind === 'lost'
}

function isAboutLink(
  event: ConsoleEvent,
): event is Extract<ConsoleEvent, { kind: 'live' | 'waiting' | 'refused' }> {
  return event.kind === 'live' || event.kind === 'waiting' || event.kind === 'refused'
}
