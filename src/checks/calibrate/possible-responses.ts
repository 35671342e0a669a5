import { ApiError } from '../../mock/api/error.ts'
import {
  defaultGaps,
  type GapName,
  type GapValues,
  gapDescriptions,
  gapNames,
  gaps,
} from '../../mock/api/gaps.ts'
import type { Int64 } from '../../mock/api/int64.ts'
import { jsonIn, toJson } from '../../mock/api/json.ts'
import type { ApiRequest } from '../../mock/api/message.ts'
import { admit, authenticate } from '../../mock/engine/admit.ts'
import { type Page, readPage } from '../../mock/engine/operations/list-pets.ts'
import { findRoute, runRoute } from '../../mock/engine/router.ts'
import { namesOf } from '../../mock/input/record.ts'
import { Redactor } from '../../mock/log/redactor.ts'
import { SharedMemory } from '../../mock/log/shared-memory.ts'
import { keySettings } from '../../mock/state/keys.ts'
import { defaultLimits } from '../../mock/state/limits.ts'
import { Pets } from '../../mock/state/pets.ts'
import { freshState } from '../../mock/state/state.ts'
import type { Choice, Option } from './evidence.ts'

/** Response of the engine to a request that is under its limits. */
interface ApiResponse {
  readonly status: number
  /** Other possible status, as the service's pets and categories aren't known. */
  readonly orElse: number | undefined
  readonly isUnauthenticated: boolean
  readonly page: Page | undefined
  readonly created: unknown
}

/** Response under some gap values. */
export interface Possible extends ApiResponse {
  readonly choices: Option
  /** Everything that a gap value may change, as JSON. */
  readonly effect: string
}

/** Values that reject least, of gaps whose values don't say so. */
const leastRejecting = {
  bearerScheme: 'case-insensitive',
  unknownRouteWithoutKey: 'not-found',
  trailingSlash: 'ignore',
  storeOrders: 'empty-list',
  invalidPetId: 'not-found',
  afterSunset: 'keep',
  sunsetTime: 'start-of-day',
  maxNameLength: 'never',
  defaultStatus: 'available',
} as const satisfies Partial<GapValues>

/** Gaps that can change how a request is read, each with the value that rejects least. */
const lenient: Option = {
  ...leastRejecting,
  ...Object.fromEntries(gapNames.flatMap(valueBesideReject)),
}

/** Returns the last other value of a gap that has the value `reject`, with its name. */
function valueBesideReject(name: GapName): [GapName, Choice][] {
  const gap = gapDescriptions[name]
  const values: readonly Choice[] = gap.kind === 'enum' ? gap.values : []
  const other = values.includes('reject') ? values.findLast((one) => one !== 'reject') : undefined
  return other === undefined ? [] : [[name, other]]
}

type Respond = (choices: Option) => Possible

/** Runs requests in a sandbox without pets of its own, under each gap value that changes the response. */
export class PossibleResponses {
  readonly #state = freshState({
    seed: { pets: [], keys: [keySettings.parse({ key: 'valid', plan: 'free' })] },
    randomSeed: 1,
    gaps: defaultGaps,
    clock: { mode: 'frozen', now: 0, speed: 1 },
    rateLimits: 'report-only',
    maxRequests: 0,
    limits: defaultLimits,
    memory: new SharedMemory(),
    redactor: new Redactor(),
    secrets: new Set(),
  })
  readonly #known = new Map<string, readonly Possible[]>()

  /**
   * Lists the possible responses to a request. The only valid key is `valid`.
   *
   * @param now Time at which the service may have received it.
   * @param category Category that is known to exist.
   */
  of(request: ApiRequest, now: number, category: Int64 | undefined): readonly Possible[] {
    const name = JSON.stringify([request, now, String(category)])
    const respond: Respond = (choices) => {
      const response = this.#run(request, choices, now, category)
      return { ...response, choices, effect: toJson(response) }
    }
    const possible = this.#known.get(name) ?? explored(respond)
    this.#known.set(name, possible)
    return possible
  }

  #run(
    request: ApiRequest,
    choices: Option,
    now: number,
    categoryId: Int64 | undefined,
  ): ApiResponse {
    const pets = new Pets(
      categoryId === undefined ? [] : [{ id: 1, name: 'Rex', categoryId, status: 'available' }],
      1,
    )
    // Each value is one of its gap's own.
    const chosen = { ...defaultGaps, ...lenient, ...choices } as GapValues
    const state = { ...this.#state, pets, gaps: chosen }
    const route = findRoute(request, chosen, now)
    const client = authenticate(request.headers.authorization, state, now)
    const isUnauthenticated = client.kind === 'unauthenticated'
    try {
      const { rejection } = admit(request, route, client, state, now)
      if (rejection !== undefined) throw rejection
      const { status, body } = runRoute(request, route, state)
      const isList = route.kind === 'operation' && route.operation.name === 'listPets'
      const page = isList ? readPage({ ...route, request, state }) : undefined
      const created = status === 201 ? jsonIn(body) : undefined
      return { isUnauthenticated, status, orElse: undefined, page, created }
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      const { status, gap } = thrown
      const mayExist = route.kind === 'operation' && status === 404 && gap === undefined
      const other = mayExist ? 200 : undefined
      const orElse = gap === 'unknownCategory' ? 201 : other
      return { isUnauthenticated, status, orElse, page: undefined, created: undefined }
    }
  }
}

/** Runs a request under all combinations of values at the gaps that change its response. */
function explored(respond: Respond): readonly Possible[] {
  const idle = new Set<GapName>(namesOf(lenient))
  let made: readonly Possible[] = [respond({})]
  while (made.length <= 2_000) {
    // A gap that changes the response under any combination so far takes part from then on.
    const next = [...idle].find((name) =>
      made.some((one) => under(one, name, respond).some(({ effect }) => effect !== one.effect)),
    )
    if (next === undefined) break
    idle.delete(next)
    made = made.flatMap((one) => under(one, next, respond))
  }
  return made
}

/** Runs a request under each value of one more gap. */
function under(
  { choices: values }: Possible,
  name: GapName,
  respond: Respond,
): readonly Possible[] {
  const gap = gaps[name]
  const all = gap.kind === 'enum' ? gap.values : []
  return all.map((choice) => respond({ ...values, [name]: choice }))
}
