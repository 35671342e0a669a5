import { basePath } from '../contract/endpoints.ts'
import { ApiError } from '../contract/error.ts'
import { defaultGaps, type GapChoices, type GapName, gaps } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import { type NewPet, type Pet, petJson } from '../contract/pet.ts'
import { findRoute, runRoute } from '../engine/router.ts'
import { namesOf } from '../input/record.ts'
import { defaultLimits, SharedMemory } from '../state/limits.ts'
import { type PetFilter, Pets } from '../state/pets.ts'
import { Redactor } from '../state/redactor.ts'
import { freshState } from '../state/state.ts'
import type { Option } from './findings.ts'
import type { Seen } from './read-archives.ts'

/** What the engine does with a request of a valid key that is under its limits, under some choices. */
export interface Possible {
  readonly choices: Option
  readonly status: number
  /** Another status that may be due, since nobody knows what the service holds. */
  readonly orElse: number | undefined
  readonly isUnknownRoute: boolean
  /** What it asks for and what it gets, as far as a choice may change that. */
  readonly effect: string
  readonly page: PetFilter | undefined
  readonly created: NewPet | undefined
}

/** Notes what an operation asks of the pets, of which there are none. */
class AskedPets extends Pets {
  page: PetFilter | undefined
  created: NewPet | undefined
  readonly #knowsCategory: boolean

  constructor(knowsCategory: boolean) {
    super([], 1)
    this.#knowsCategory = knowsCategory
  }

  override hasCategory(): boolean {
    return this.#knowsCategory
  }

  override list(filter: PetFilter): ReturnType<Pets['list']> {
    this.page = filter
    return { json: '[]', total: 0 }
  }

  override addOne(pet: NewPet): Pet {
    this.created = pet
    return { ...pet, id: 1 }
  }
}

/** The gaps at which a choice can change how a request is read, each with the choice that refuses least. */
const lenient = {
  trailingSlash: 'same',
  unknownQuery: 'ignore',
  storeOrders: 'empty-list',
  invalidPetId: 'not-found',
  afterSunset: 'keep',
  sunsetInstant: 'start-of-day',
  invalidQuery: 'ignore',
  repeatedQuery: 'last',
  integerForms: 'accept',
  missingContentType: 'accept',
  duplicateProperties: 'last',
  unknownProperties: 'ignore',
  emptyName: 'accept',
  nullStatus: 'omit',
  omittedStatus: 'available',
  unknownCategory: 'accept',
} as const satisfies Partial<GapChoices>

/** A request as it may be read. */
type Run = (choices: Option) => Possible

/** Runs requests in a world without pets, under each choice that makes a difference to them. */
export class PossibleReplies {
  readonly #state = freshState({
    seed: { pets: [], keys: [] },
    randomSeed: 1,
    gaps: defaultGaps,
    clock: { mode: 'frozen', now: 0, scale: 1 },
    rateLimit: 'enforced',
    journalSize: 0,
    limits: defaultLimits,
    memory: new SharedMemory(),
    redactor: new Redactor(),
    secrets: new Set(),
  })
  readonly #known = new Map<string, readonly Possible[]>()

  /**
   * Lists what may become of a request.
   *
   * @param times Instants by one of which the service may have had it.
   * @param knowsCategory Whether its category is known to exist.
   */
  of(seen: Seen, times: readonly number[], knowsCategory: boolean): readonly Possible[] {
    const { method, target, requestHeaders, requestBody: body = '' } = seen
    const { 'content-type': type, 'content-encoding': coding } = requestHeaders
    const name = JSON.stringify([method, target, type, coding, body, times, knowsCategory])
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const request = { method, url: `${basePath}${target}`, headers: requestHeaders, body }
    const made = times.flatMap((now) =>
      explored((choices) => this.#run(request, choices, now, knowsCategory)),
    )
    this.#known.set(name, made)
    return made
  }

  #run(request: ApiRequest, choices: Option, now: number, knowsCategory: boolean): Possible {
    const pets = new AskedPets(knowsCategory)
    // Each choice is one of its gap's own.
    const chosen = { ...defaultGaps, ...lenient, ...choices } as GapChoices
    const route = findRoute(request, chosen, now)
    const isUnknownRoute = route.kind === 'unknown' || route.kind === 'other-method'
    const made = (status: number, orElse?: number): Possible => {
      const { page, created } = pets
      const asked = [page?.limit, page?.status, created && petJson({ ...created, id: 1 })]
      const effect = JSON.stringify([status, orElse, isUnknownRoute, ...asked])
      return { choices, status, orElse, isUnknownRoute, effect, page, created }
    }
    try {
      const { status } = runRoute(request, route, { ...this.#state, pets, gaps: chosen })
      // Nobody has promised that a long name will do.
      return made(status, (pets.created?.name.length ?? 0) > 200 ? 400 : undefined)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      const { status, gap } = thrown
      if (gap === 'unknownCategory') return made(status, 201)
      const mayExist = route.kind === 'operation' && status === 404 && gap === undefined
      return made(status, mayExist ? 200 : undefined)
    }
  }
}

/** Runs a request under all choices at those gaps that matter to it. */
function explored(run: Run): readonly Possible[] {
  const idle = new Set<GapName>(namesOf(lenient))
  let made: readonly Possible[] = [run({})]
  while (made.length <= 2_000) {
    // A gap that changes anything under what is known so far takes part from then on.
    const next = [...idle].find((name) =>
      made.some((one) => under(one, name, run).some(({ effect }) => effect !== one.effect)),
    )
    if (next === undefined) break
    idle.delete(next)
    made = made.flatMap((one) => under(one, next, run))
  }
  return made
}

/** Runs a request under each choice at one more gap. */
function under({ choices }: Possible, name: GapName, run: Run): readonly Possible[] {
  const gap = gaps[name]
  const all = gap.kind === 'choice' ? gap.choices : []
  return all.map((choice) => run({ ...choices, [name]: choice }))
}
