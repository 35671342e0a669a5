import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LatestTexts } from '../../../src/state/memory/latest-texts.ts'
import { SharedBytes } from '../../../src/state/memory/shared-bytes.ts'

const anyStep = fc.record({
  does: fc.constantFrom(
    ...(['add', 'add', 'add', 'find', 'findAgain', 'dropOldest', 'join', 'leave'] as const),
  ),
  of: fc.nat(1),
  text: fc.constantFrom('a', 'b', 'c', 'd', 'ee', 'ff', 'gggggggg', ''),
})

interface Kept {
  readonly of: number
  readonly text: string
  readonly value: number
}

const mostTexts = 4
const bytesOfEach = 10
const mostBytes = 90

/** What would be kept if all were in one list, the oldest first. */
class Model {
  #all: Kept[] = []
  readonly #isSharing = [false, false]

  entries(of: number): (readonly [string, number])[] {
    return this.#all.filter((one) => one.of === of).map(({ text, value }) => [text, value])
  }

  get used(): number {
    return this.#sharing().reduce((sum, { text }) => sum + bytesOfEach + 2 * text.length, 0)
  }

  find(of: number, text: string): number | undefined {
    return this.#all.find((one) => one.of === of && one.text === text)?.value
  }

  add(added: Kept): void {
    this.#all.push(added)
    while (this.used > mostBytes) this.#drop(this.#sharing()[0])
    const own = this.#all.filter(({ of }) => of === added.of)
    if (own.length > mostTexts) this.#drop(own[0])
  }

  again(of: number, text: string): void {
    this.#renew((one) => one.of === of && one.text === text)
  }

  dropOldest(of: number): void {
    this.#drop(this.#all.find((one) => one.of === of))
  }

  share(of: number, isSharing: boolean): void {
    if (this.#isSharing[of] === isSharing) return
    this.#isSharing[of] = isSharing
    this.#renew((one) => one.of === of)
    while (this.used > mostBytes) this.#drop(this.#sharing()[0])
  }

  #sharing(): Kept[] {
    return this.#all.filter(({ of }) => this.#isSharing[of])
  }

  #renew(isRenewed: (one: Kept) => boolean): void {
    this.#all = [...this.#all.filter((one) => !isRenewed(one)), ...this.#all.filter(isRenewed)]
  }

  #drop(one: Kept | undefined): void {
    this.#all = this.#all.filter((other) => other !== one)
  }
}

describe('LatestTexts', () => {
  it('keeps what one list of all that share their bytes would', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60, size: 'max' }), (steps) => {
        const shared = new SharedBytes(mostBytes)
        const texts = [0, 1].map(() => new LatestTexts<number>(mostTexts, bytesOfEach))
        const model = new Model()
        steps.forEach(({ does, of, text }, value) => {
          const own = texts[of]
          const known = model.find(of, text)
          if (own === undefined) return
          if (does === 'find' || does === 'findAgain') {
            expect(own[does](text)).toBe(known)
            if (does === 'findAgain') model.again(of, text)
          } else if (does === 'add' && known === undefined) {
            own.add(text, value)
            model.add({ of, text, value })
          } else if (does === 'dropOldest') {
            own.dropOldest()
            model.dropOldest(of)
          } else if (does === 'join' || does === 'leave') {
            own.join(does === 'join' ? shared : undefined)
            model.share(of, does === 'join')
          }
          const kept = texts.map((one) => [...one.entries()])
          expect(kept).toEqual([model.entries(0), model.entries(1)])
          expect(texts.map(({ size }) => size)).toEqual(kept.map(({ length }) => length))
          expect(shared.used).toBe(model.used)
        })
      }),
      { numRuns: 300 },
    )
  })
})
