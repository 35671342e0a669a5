import { batch, computed, type Signal, signal } from '@preact/signals'
import type { Finding } from '../../audit/finding.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { JournalPosition } from '../../state/journal.ts'
import { lookAt, type Sight } from './sight.ts'

/** The parts of a panel of which one is seen. */
export const sections = ['requests', 'situations', 'findings'] as const

export type Section = (typeof sections)[number]

/** What a panel says of what was just done. */
export interface Saying {
  readonly text: string
  /** Counts up, since the same may be said again. */
  readonly count: number
  readonly isError: boolean
  /** Takes it back. */
  readonly undo: (() => void) | undefined
}

/** How often it asks whether anything has come: to be told of each exchange would cost a busy page much more. */
const tickMs = 150

/** After how many ticks it looks anyway, since time goes on: about a second. */
const idleTicks = 7

/** What a panel knows of a sandbox while it is open. */
export class PanelStore {
  readonly sandbox: Sandbox
  readonly sight: Signal<Sight>
  /** What the list of requests shows: as the sandbox has it, or as it was when it was paused. */
  readonly shown: Signal<Sight['entries']>
  readonly isPaused = signal(false)
  /** Requests that have come since the pause. */
  readonly missed = computed(() => this.#missed())
  /** `undefined` until the rules are loaded. */
  readonly findings = signal<readonly Finding[] | undefined>(undefined)
  readonly section = signal<Section>('requests')
  readonly saying = signal<Saying | undefined>(undefined)
  /** The key that was chosen; `undefined` for the one in use. */
  readonly chosenKey = signal<string | undefined>(undefined)
  readonly #ends: (() => void)[]
  /** Where the journal ended when it last looked. */
  #position: JournalPosition
  #ticks = 0
  #frame: number | undefined

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox
    this.sight = signal(lookAt(sandbox))
    this.shown = signal(this.sight.value.entries)
    this.#position = sandbox.journal.position
    const ticking = setInterval(() => this.#tick(), tickMs)
    this.#ends = [
      () => clearInterval(ticking),
      sandbox.journal.subscribeMarks(() => this.#lookSoon()),
      sandbox.subscribeFindings(() => void this.#judge()),
    ]
    void this.#judge()
  }

  end(): void {
    for (const end of this.#ends) end()
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
  }

  pause(): void {
    this.isPaused.value = !this.isPaused.value
    this.look()
  }

  /** Does something to the sandbox, and says so, or why it can't be done. */
  act(text: string, action: () => void, undo?: () => void): void {
    const count = (this.saying.peek()?.count ?? 0) + 1
    try {
      action()
      this.saying.value = { count, text, isError: false, undo }
    } catch (error) {
      this.saying.value = { count, text: messageOf(error), isError: true, undo: undefined }
    }
    this.look()
  }

  look(): void {
    this.#position = this.sandbox.journal.position
    batch(() => {
      this.sight.value = lookAt(this.sandbox, this.sight.peek())
      if (!this.isPaused.value) this.shown.value = this.sight.value.entries
    })
  }

  #tick(): void {
    this.#ticks++
    const { epoch, id } = this.sandbox.journal.position
    const isSame = epoch === this.#position.epoch && id === this.#position.id
    if (!isSame || this.#ticks % idleTicks === 0) this.#lookSoon()
  }

  /** Looks once for all that happens until the next frame, and not at all while the page isn't seen. */
  #lookSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.look()
    })
  }

  async #judge(): Promise<void> {
    this.findings.value = await this.sandbox.audit()
  }

  #missed(): number {
    const newest = this.shown.value[0]?.order.start ?? -1
    return this.sight.value.entries.filter(({ order }) => order.start > newest).length
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
