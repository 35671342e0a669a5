import type { DoorName } from '../../contract/message.ts'
import type { Exchange } from '../../state/exchange.ts'
import { isFailure, isLost, KeptTries } from '../retrying/failures.ts'
import { type Client, isFollowing, isSame, type Seen, waitedMs } from '../seen.ts'
import type { Company } from './company.ts'
import { Heard } from './heard.ts'
import type { KeyUse } from './key-use.ts'

/** How many of its latest refusals are kept, for later requests to be held against. */
const keptRefusals = 16

/** How many requests that failed are kept. */
const keptFailed = 8

/** The longest list that is kept, in characters. */
const keptList = 16_384

/** Where requests come from: one client, as far as a sandbox can tell. */
export class Origin implements Client {
  readonly caller: number
  keyUse: KeyUse
  readonly isNear: boolean
  isParallel = false
  refusals: Seen[] = []
  /** Whether it has lost an answer. */
  hasLost = false
  latest: Seen | undefined
  spent: Seen | undefined
  list: Seen | undefined
  listBody = ''
  /** What it has said. */
  readonly heard: Heard
  readonly #company: Company
  #failed: KeptTries[] = []
  /** The latest request of which the tries were asked, and these. */
  #asked: Seen | undefined
  #tries: KeptTries | undefined
  /** Where the tries of that request stand, followed by it or not; -1 for nowhere. */
  #place = -1
  #lastAnswerOrder = 0
  /** When it last did anything, in real milliseconds. */
  #lastActive = Number.NEGATIVE_INFINITY

  constructor(keyUse: KeyUse, caller: number, door: DoorName, company: Company) {
    this.keyUse = keyUse
    this.caller = caller
    this.#company = company
    this.heard = new Heard(company)
    this.isNear = isNear(door)
  }

  arrive({ startOrder, answerOrder, received, answered }: Seen['visit']): number {
    const isOverlapping = startOrder < this.#lastAnswerOrder
    if (isOverlapping) this.isParallel = true
    const quietMs = isOverlapping ? 0 : received - this.#lastActive
    this.#lastAnswerOrder = Math.max(this.#lastAnswerOrder, answerOrder ?? startOrder)
    this.#lastActive = Math.max(this.#lastActive, answered ?? received)
    return quietMs
  }

  get previous(): Seen | undefined {
    return this.heard.previous
  }

  get lastPetOrder(): number {
    return this.#company.lastPetOrder
  }

  /** Those that there are now; the next try will be added to them. */
  triesBefore(next: Seen): KeptTries | undefined {
    if (this.#failed.length === 0) return undefined
    // Several rules ask of the same request.
    if (this.#asked !== next) {
      this.#asked = next
      this.#tries = this.#findTries(next)
    }
    return this.#tries
  }

  #findTries(next: Seen): KeptTries | undefined {
    this.#place = this.#placeOf(next)
    // An index of -1 would be looked up by name, in all prototypes.
    const found = this.#place < 0 ? undefined : this.#failed[this.#place]
    return found !== undefined && isFailure(found.latest) && isFollowing(found.latest, next)
      ? found
      : undefined
  }

  /** Where the tries of the same request stand; -1 for nowhere. */
  #placeOf(seen: Seen): number {
    // Without a function, which would be made for each exchange.
    for (let place = 0; place < this.#failed.length; place++) {
      const tries = this.#failed[place]
      if (tries !== undefined && isSame(tries.latest, seen)) return place
    }
    return -1
  }

  /** Keeps of an exchange what later ones are held against. */
  keep(seen: Seen, { outcome }: Exchange): void {
    if (seen.petId !== undefined) this.#company.lastPetOrder = seen.visit.startOrder
    if (seen.operation === 'createPet') this.list = undefined
    else if (seen.operation === 'listPets' && seen.arrivedStatus === 200 && 'body' in outcome) {
      this.list = seen
      this.listBody = outcome.body.length > keptList ? '' : outcome.body
    }
    this.latest = seen
    this.keyUse.keep(seen)
    if (seen.quota.remaining === 0 && seen.visit.delivery === 'delivered') this.spent = seen
    if (seen.retryAt !== undefined) {
      this.#company.hasRefused = true
      this.refusals.push(seen)
      if (this.refusals.length > keptRefusals) this.refusals.shift()
    }
    const hasFailed = isFailure(seen)
    if (!hasFailed && this.#failed.length === 0) return
    if (hasFailed && isLost(seen)) this.hasLost = true
    const before = hasFailed ? this.triesBefore(seen) : undefined
    if (before !== undefined && before === this.#failed.at(-1)) {
      before.add(seen)
      return
    }
    const place = this.#asked === seen ? this.#place : this.#placeOf(seen)
    const known = place < 0 ? undefined : this.#failed[place]
    if (!hasFailed) {
      // Another task may go on with its tries: how soon they came is kept for those that follow.
      if (known !== undefined) known.latest = seen
      return
    }
    if (known !== undefined) this.#failed.splice(place, 1)
    before?.add(seen)
    this.#failed.push(before ?? new KeptTries(seen, this.#pauseBefore(seen, known)))
    if (this.#failed.length > keptFailed) this.#failed.shift()
  }

  /** The shortest pause that the same request is known to have had before tries of it begin. */
  #pauseBefore(seen: Seen, known: KeptTries | undefined): number {
    if (known !== undefined && isFailure(known.latest)) return 0
    const pauseMs =
      this.previous === undefined ? Number.POSITIVE_INFINITY : waitedMs(this.previous, seen)
    return Math.min(pauseMs, known?.shortestPauseMs ?? pauseMs)
  }

  /** Whether it was refused, as far as later requests are held against it. */
  get wasRefused(): boolean {
    return this.refusals.length > 0
  }

  /** Forgets what nothing can be concluded from any more, since the world has changed. */
  forget(): void {
    this.refusals = []
    this.hasLost = false
    this.#failed = []
    this.#asked = undefined
    this.latest = undefined
    this.spent = undefined
    this.list = undefined
    this.heard.forget()
  }
}

function isNear(door: DoorName): boolean {
  if (door === 'direct' || door === 'fetch') return true
  // A page's requests take their turn in a service worker.
  return door === 'msw' && !('ServiceWorkerContainer' in globalThis)
}
