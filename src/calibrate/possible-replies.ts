import { ApiError } from '../contract/error.ts'
import { defaultGaps, type GapChoices, type GapName, gaps } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { NewPet } from '../contract/pet.ts'
import { findRoute, runRoute } from '../engine/router.ts'
import { defaultLimits, SharedMemory } from '../state/limits.ts'
import { type PetFilter, Pets } from '../state/pets.ts'
import { Redactor } from '../state/redactor.ts'
import { freshState } from '../state/state.ts'
import type { Option } from './evidence.ts'
import type { Seen } from './read-archives.ts'

/** What the engine does with a request of a valid key that is under its limits, under some choices. */
export interface Possible {
  readonly choices: Option
  readonly status: number
  /** Whether another status may be due, since nobody knows what the service holds. */
  readonly orElse: number | undefined
  readonly isUnknownRoute: boolean
  readonly page: PetFilter | undefined
  readonly created: NewPet | undefined
}

/** Notes what an operation asks of the pets, of which there are none. */
class AskedPets extends Pets {
  page: PetFilter | undefined
  created: NewPet | undefined
  knowsCategories = false

  override hasCategory(): boolean {
    return this.knowsCategories
  }

  override list(filter: PetFilter): string {
    this.page = filter
    return '[]'
  }

  override create(pet: NewPet): ReturnType<Pets['create']> {
    this.created = pet
    return { id: 1, json: '{}' }
  }
}

const lenient: GapChoices = {
  ...defaultGaps,
  nullStatus: 'omit',
  missingContentType: 'accept',
  invalidQuery: 'ignore',
  repeatedQuery: 'last',
  afterSunset: 'keep',
  storeOrders: 'empty-list',
  trailingSlash: 'same',
}

/** The gaps at which a choice can change how a request is read, by what it asks for. */
function candidatesFor({ method, target }: Seen): GapName[] {
  const path = target.replace(/\?.*/s, '')
  const query: GapName[] = ['unknownQuery']
  const slash: GapName[] = path.endsWith('/') ? ['trailingSlash'] : []
  if (path.startsWith('/store')) return [...slash, ...query, 'storeOrders']
  if (/^\/pets\/[^/]/.test(path)) {
    return [...slash, ...query, 'integerForms', 'invalidPetId', 'afterSunset', 'sunsetInstant']
  }
  if (method !== 'POST')
    return [...slash, ...query, 'integerForms', 'invalidQuery', 'repeatedQuery']
  return [
    ...slash,
    ...query,
    'missingContentType',
    'duplicateProperties',
    'unknownProperties',
    'emptyName',
    'nullStatus',
    'omittedStatus',
    'integerForms',
    'unknownCategory',
  ]
}

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
    const { method, target, requestHeaders, requestBody } = seen
    const { 'content-type': type, 'content-encoding': coding } = requestHeaders
    const body = requestBody.kind === 'text' ? requestBody.text : ''
    const name = JSON.stringify([method, target, type, coding, body, times, knowsCategory])
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const request = { method, url: `/v1${target}`, headers: requestHeaders, body }
    const made = times.flatMap((now) => this.#explore(seen, request, now, knowsCategory))
    if (body.length < 2_000) this.#known.set(name, made)
    return made
  }

  #explore(seen: Seen, request: ApiRequest, now: number, knowsCategory: boolean): Possible[] {
    const run = (choices: Option): Possible => this.#run(request, choices, now, knowsCategory)
    const idle = new Set(candidatesFor(seen))
    let made: Possible[] = [run({})]
    for (;;) {
      // A gap that changes anything under what is known so far takes part from then on.
      const next = [...idle].find((name) =>
        made.some((one) =>
          choicesOf(name).some((choice) => isOther(run({ ...one.choices, [name]: choice }), one)),
        ),
      )
      if (next === undefined || made.length > 2_000) return made
      idle.delete(next)
      made = made.flatMap(({ choices }) =>
        choicesOf(next).map((choice) => run({ ...choices, [next]: choice })),
      )
    }
  }

  #run(request: ApiRequest, choices: Option, now: number, knowsCategory: boolean): Possible {
    const pets = new AskedPets([], 1)
    pets.knowsCategories = knowsCategory
    // Each choice is one of its gap's own.
    const chosen = { ...lenient, ...choices } as GapChoices
    const route = findRoute(request, chosen, now)
    const isUnknownRoute = route.kind === 'unknown' || route.kind === 'other-method'
    const made = (status: number, orElse?: number): Possible => ({
      choices,
      status,
      orElse,
      isUnknownRoute,
      page: pets.page,
      created: pets.created,
    })
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

function choicesOf(name: GapName): readonly (string | number)[] {
  const gap = gaps[name]
  return gap.kind === 'choice' ? gap.choices : []
}

function isOther(one: Possible, other: Possible): boolean {
  return digest(one) !== digest(other)
}

function digest({ status, orElse, isUnknownRoute, page, created }: Possible): string {
  const { limit, status: wanted } = page ?? {}
  const { name, categoryId, status: given } = created ?? {}
  return JSON.stringify([
    [status, orElse, isUnknownRoute, limit, wanted],
    [name, String(categoryId), given],
  ])
}
