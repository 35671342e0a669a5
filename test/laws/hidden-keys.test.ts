import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resetInTurns, sowInTurns, tidyInTurns } from '../../src/control/turns/replace-keys.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { seedSettings } from '../../src/state/beginning.ts'
import type { Pace } from '../../src/state/clock/pace.ts'
import { indexInTurns } from '../../src/state/redactor/index-in-turns.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'

/** Seeds of a few keys, and of more than are hidden for long once they are gone. */
const seeds: readonly (readonly string[])[] = [
  ['velvet-otter', 'q7-11-amber'],
  Array.from({ length: 1_010 }, (_, index) => `kx-${index * 7919}-ring`),
  Array.from({ length: 1_020 }, (_, index) => `kx-${index * 7919}-rung`),
]

/** Keys that are issued and deleted one by one. */
const single = ['copper-finch', 'sandbox-3f2b9c1a', 'maple-wren', 'kx-7919-ring']

/** What is reset. */
const resets = [['keys'], ['keys', 'pets', 'quotas'], ['journal']] as const

/** Where a key may stand in a request. */
const places: readonly ((key: string) => string)[] = [
  (key) => `plain=${key}`,
  (key) => `pair=${key}${key}`,
  (key) => `escaped=${[...key].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')}`,
  (key) => `basic=${btoa(`:${key}:`)}`,
  (key) => `cut=${key.slice(0, -1)}...`,
]

const anyStep = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant('issue' as const), which: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('reseed' as const), which: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reset' as const), which: fc.nat(2) }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('ask' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('show' as const), which: fc.nat() }) },
)

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

/** A sandbox, and what no entry of its journal may ever show: the keys that it knew when the entry was made. */
class Watched {
  readonly #sandbox: Sandbox = frozenSandbox({ rateLimit: 'reported' })
  readonly #secret = new Map<number, string>()
  readonly #asked = new Set<string>()
  readonly #heard: unknown[] = []
  #last = 0

  constructor() {
    this.#sandbox.journal.subscribe((entry) => this.#heard.push(entry))
  }

  /** @param pace Undefined to change everything at once. */
  async take({ does, which }: Step, pace: Pace | undefined): Promise<void> {
    const { keys } = this.#sandbox
    if (does === 'ask') await this.#ask(which)
    if (does === 'show') await this.expectHidden()
    if (does === 'issue') {
      const key = single[which] ?? ''
      if (this.#sandbox.state().keys.find(key) === undefined) keys.issue({ key, plan: 'free' })
    }
    if (does === 'delete') {
      if (pace !== undefined) await tidyInTurns(this.#sandbox, pace)
      const key = this.#anyKey(which)
      if (key !== undefined) keys.delete(key)
    }
    if (does === 'reset') {
      const only = resets[which]
      if (pace === undefined) this.#sandbox.reset({ only })
      else await resetInTurns(this.#sandbox, { only }, pace)
      // Its entries are counted anew.
      if (which === 2) this.#last = 0
    }
    if (does === 'reseed') await this.#reseed(seeds[which] ?? [], pace)
  }

  async expectHidden(): Promise<void> {
    const { journal } = this.#sandbox
    const saved = this.#sandbox.snapshot().journal
    const findings = await this.#sandbox.audit()
    for (const entry of journal.entries()) this.#expectHiddenIn(entry.id, [entry])
    for (const entry of journal.entries()) this.#expectHiddenIn(entry.id, journal.get(entry.id))
    for (const key of this.#asked) {
      const told = JSON.stringify([saved, this.#heard, findings, await journal.har()])
      expect(shows(told, key), `${key} in all`).toBe(false)
    }
  }

  #expectHiddenIn(id: number, value: unknown): void {
    const key = this.#secret.get(id)
    if (key !== undefined) expect(shows(JSON.stringify(value), key), key).toBe(false)
  }

  async #reseed(texts: readonly string[], pace: Pace | undefined): Promise<void> {
    const seed = { keys: texts.map((key) => ({ key, plan: 'free' as const })) }
    if (pace === undefined) return this.#sandbox.reseed(seed)
    const index = await indexInTurns(texts, pace)
    await sowInTurns(this.#sandbox, seedSettings.read(seed), index, pace)
  }

  async #ask(which: number): Promise<void> {
    const key = this.#anyKey(which)
    if (key === undefined) return
    const [place = String, other = String] = [places[which % 5], places[(which >> 3) % 5]]
    this.#last++
    this.#secret.set(this.#last, key)
    this.#asked.add(key)
    await this.#sandbox.handle({
      method: 'POST',
      url: `/v1/pets?${place(key)}`,
      headers: { authorization: 'Bearer nobody', referer: other(key) },
      body: other(key),
    })
  }

  #anyKey(which: number): string | undefined {
    const all = this.#sandbox.state().keys.all()
    return all[which % all.length]?.key
  }
}

/** Whether a key can be read in a text, but for its beginning. */
function shows(text: string, key: string): boolean {
  const most = key.slice(0, -1)
  const escaped = [...most].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')
  const base64 = [0, 1, 2].map((before) => btoa(' '.repeat(before) + key).slice(4, -4))
  return [most, escaped, ...base64].some((one) => text.includes(one))
}

describe('a key', () => {
  it('is shown in no exchange made while it was known, whenever keys go and whoever asks meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyStep, fc.constantFrom('at once', 'in turns')), { maxLength: 24 }),
        async (steps) => {
          const watched = new Watched()
          const left = steps.values()
          /** Others have their turn often, and change keys themselves. */
          let turns = 0
          const pace: Pace = () => {
            turns++
            const { value } = turns % 7 === 0 ? left.next() : { value: undefined }
            if (value === undefined) return undefined
            const [step, how] = value
            const isWaiting = how === 'in turns' && step.does === 'delete'
            return watched.take(step, how === 'at once' || isWaiting ? undefined : pace)
          }
          for (const [step, how] of left) {
            await watched.take(step, how === 'at once' ? undefined : pace)
          }
          await watched.expectHidden()
        },
      ),
      { numRuns: 60 },
    )
  })
})
