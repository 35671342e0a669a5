import { basePath, endpoints } from '../contract/endpoints.ts'
import { ApiError, errorSchema } from '../contract/error.ts'
import { defaultGaps, type GapChoices, type GapName, gaps } from '../contract/gaps.ts'
import { toInt64 } from '../contract/int64.ts'
import { jsonIn, toJson } from '../contract/json.ts'
import type { ApiRequest } from '../contract/message.ts'
import { newPetNames, petStatuses } from '../contract/pet.ts'
import { admit, authenticate } from '../engine/admit.ts'
import { findRoute, runRoute } from '../engine/router.ts'
import { definedOf, isRecord, namesOf } from '../input/record.ts'
import { formatInstant, lastInstantAt } from '../input/values.ts'
import { SharedMemory } from '../log/byte-budget.ts'
import { Redactor } from '../log/redactor.ts'
import { keySettings } from '../state/keys.ts'
import { defaultLimits } from '../state/limits.ts'
import { type PetFilter, Pets } from '../state/pets.ts'
import { freshState } from '../state/state.ts'
import type { ClauseName, Findings, Option } from './findings.ts'
import { type Members, neighboursIn, plain, recordOf, type Seen, wholeIn } from './read-archives.ts'

const { 'start-of-day': startOfDay, 'end-of-day': endOfDay } = endpoints.getPet.deprecated.sunsetAt

/** The longest target that is explained: a host may refuse longer ones before the service has them. */
const longestTarget = 8_000

/**
 * Judges each reply by itself, and notes what it tells of the gaps.
 *
 * @param mostSkew How far `Date` may be ahead at most, in seconds.
 */
export function judgeReplies(
  exchanges: readonly Seen[],
  findings: Findings,
  mostSkew: number,
): void {
  const replies = new PossibleReplies()
  const isAccepted = namedAround(exchanges, ({ caller }) => (caller === undefined ? [] : [caller]))
  const isThere = namedAround(exchanges, ({ found }) => petsIn(found).map(({ id }) => plain(id)))
  const added = exchanges.filter(({ method, status }) => method === 'POST' && status === 201)
  const categories = new Set(added.map(categoryIn))
  for (const seen of exchanges) {
    judgeHeaders(seen, findings)
    judgeBody(seen, findings)
    judgeDeprecation(seen, findings)
    if (seen.target.length > longestTarget) continue
    if (seen.method === 'POST' && isList(seen) && seen.requestBody === undefined) {
      // The archive doesn't have what the reply depends on.
      const known = [200, 201, 400, 401, 403, 404, 405, 413, 429].includes(seen.status)
      if (!known) findings.unexplain(seen, `no choice answers ${seen.status}`)
      continue
    }
    const knowsCategory = categories.has(categoryIn(seen))
    const times = timesOf(seen, mostSkew)
    const requests = requestsOf(seen, isAccepted(seen.caller, seen.number))
    const possible = requests.flatMap((request) =>
      times.flatMap((now) => replies.of(request, now, knowsCategory)),
    )
    explain(seen, possible, isThere(askedId(seen), seen.number), findings)
  }
}

/** Finds out what was surely there when an exchange took place: replies before and after it name it. */
function namedAround(
  exchanges: readonly Seen[],
  namesIn: (seen: Seen) => readonly string[],
): (name: string | undefined, number: number) => boolean {
  const spans = new Map<string, { first: number; last: number }>()
  for (const seen of exchanges) {
    if (seen.status >= 300) continue
    for (const name of namesIn(seen)) {
      spans.set(name, { first: spans.get(name)?.first ?? seen.number, last: seen.number })
    }
  }
  return (name = '', number) => {
    const { first, last } = spans.get(name) ?? { first: number, last: number }
    return first < number && last > number
  }
}

/** The pets of a body: of one, or of a list. */
function petsIn(found: unknown): Members[] {
  return [found].flat().filter(isRecord)
}

function categoryIn({ sent }: Seen): string {
  return plain(recordOf(sent).categoryId)
}

function askedId({ target }: Seen): string | undefined {
  return /^\/pets\/(\d+)\/?(?:\?|$)/.exec(target)?.[1]
}

function isList({ target }: Seen): boolean {
  return /^\/pets\/?(?:\?|$)/.test(target)
}

/**
 * Lists the requests that the engine takes for one: with a valid key, with another one, or with none.
 *
 * @param isAccepted Whether its key was valid before and after it.
 */
function requestsOf(seen: Seen, isAccepted: boolean): ApiRequest[] {
  const { method, target, requestHeaders, requestBody: body = '' } = seen
  const { authorization, 'content-type': type, 'content-encoding': coding } = requestHeaders
  const sent = seen.isAuthorizationKnown ? authorization : 'Bearer hidden'
  const keys = isAccepted ? ['valid'] : ['valid', 'unknown']
  const all = keys.map((key) => sent?.replace(/^(bearer +)[\w\-.~+/]+=* *$/i, `$1${key}`))
  return [...new Set(all)].map((authorization) => ({
    ...{ method, url: `${basePath}${target}`, body },
    headers: definedOf({ authorization, 'content-type': type, 'content-encoding': coding }),
  }))
}

/** Instants, on one side of each sunset or the other, by which the service may have had a request: `Date` may be ahead. */
function timesOf({ date }: Seen, mostSkew: number): readonly number[] {
  const turns = [Number.NEGATIVE_INFINITY, startOfDay, endOfDay]
  if (date === undefined) return turns
  const [least, most] = [(date - mostSkew - 1) * 1000, date * 1000]
  return turns.filter((at, index) => at <= most && least < (turns[index + 1] ?? most + 1))
}

/** The first problem that there is. */
function problemOf(...found: readonly (readonly [isThere: boolean, problem: string])[]) {
  return found.find(([isThere]) => isThere)?.[1]
}

function judgeHeaders(seen: Seen, findings: Findings): void {
  const { status, headers, mimeType, body } = seen
  if (body && mimeType !== '') {
    const isJson = /^application\/json\s*(?:;|$)/i.test(mimeType)
    findings.check('1', seen, isJson ? undefined : 'a body that is not application/json')
  }
  const odd = ['Limit', 'Remaining', 'Reset'].flatMap((name) => {
    const value = headers[`x-ratelimit-${name.toLowerCase()}`]
    if (value === undefined) return `a reply without X-RateLimit-${name}`
    return Number.isNaN(wholeIn(value)) ? `X-RateLimit-${name} is not a whole number` : []
  })
  const remaining = wholeIn(headers['x-ratelimit-remaining'])
  const isAbove = remaining > wholeIn(headers['x-ratelimit-limit'])
  const problem = problemOf(
    [isAbove, 'X-RateLimit-Remaining is above X-RateLimit-Limit'],
    [status === 429 && remaining > 0, 'a 429 with requests remaining'],
  )
  findings.check('8', seen, odd[0] ?? problem)
  if (status !== 429) return
  const isTold = headers['retry-after'] !== undefined
  findings.check('8.2', seen, isTold ? undefined : 'a 429 without Retry-After')
}

function judgeBody(seen: Seen, findings: Findings): void {
  const { status, body, found, method, target } = seen
  if (method === 'HEAD' || body === undefined) return
  if (status >= 400) {
    const problem = errorProblem(seen)
    findings.check('7', seen, problem)
    if (problem === undefined) learnFromError(seen, findings)
  } else if (status >= 300 || status === 204) {
    return
  } else if (target.startsWith('/store')) {
    const isEmpty = Array.isArray(found) && found.length === 0
    const isLost = status !== 200 || isEmpty
    if (!isLost) findings.unexplain(seen, 'no choice at storeOrders lists orders')
  } else {
    const problem = method === 'GET' && isList(seen) ? listProblem(found) : petProblem(found)
    findings.check('2', seen, problem)
    if (problem === undefined) learnFromPets(seen, findings)
  }
}

function errorProblem({ found, status }: Seen): string | undefined {
  const error = recordOf(found)
  return problemOf(
    [!isRecord(found), 'an error without an Error body'],
    [typeof error.code !== 'string', 'an Error without a code'],
    [typeof error.message !== 'string', 'an Error without a message'],
    [error.status !== status, "an Error whose status isn't that of the reply"],
  )
}

const statuses: readonly unknown[] = [...petStatuses, undefined]

function petProblem(found: unknown): string | undefined {
  const pet = recordOf(found)
  const isKnown = statuses.includes(pet.status) || isOdd(pet, 'reserved')
  return problemOf(
    [!isRecord(found), 'a pet that is no object'],
    [toInt64(pet.id) === undefined, 'a pet whose id is no int64'],
    [typeof pet.name !== 'string', 'a pet whose name is no string'],
    [toInt64(pet.categoryId) === undefined, 'a pet whose categoryId is no int64'],
    [!isKnown, 'a pet of another status'],
  )
}

/** Whether a pet has a status, and an odd id: only such pets are ever reserved (spec 9). */
function isOdd({ id, status }: Members, wanted: string): boolean {
  return status === wanted && BigInt.asUintN(1, BigInt(toInt64(id) ?? 0)) === 1n
}

function listProblem(found: unknown): string | undefined {
  if (!Array.isArray(found)) return 'a list that is no array'
  const ids = new Set(found.map((pet) => plain(recordOf(pet).id)))
  const problem = found.map(petProblem).find((one) => one !== undefined)
  return problem ?? (ids.size < found.length ? 'two pets with the same id' : undefined)
}

/** Which styles a code may be of. */
const codeStyles = [
  { pattern: /^[a-z]+(?:_[a-z]+)*$/, styles: ['snake_case'] },
  { pattern: /^[A-Z]+(?:_[A-Z]+)*$/, styles: ['UPPER_CASE'] },
  { pattern: /^[a-z][a-z\d_]*$/, styles: ['snake_case', 'opaque'] },
  { pattern: /^[A-Z]{5}[A-Z\d_]*$|_/, styles: ['UPPER_CASE', 'opaque'] },
  { pattern: /^/, styles: ['opaque'] },
] as const

function learnFromError(seen: Seen, findings: Findings): void {
  const error = recordOf(seen.found)
  const { code, message, status } = error
  const style = codeStyles.find(({ pattern }) => pattern.test(plain(code)))
  findings.only('errorCodes', style?.styles ?? [], seen)
  if (message === `The service has refused the request: ${plain(status)}`) {
    findings.only('messages', ['other'], seen)
  } else if (/^Cannot (?:use|find|read|serve|authenticate|list) ?.*: .+/s.test(plain(message))) {
    findings.only('messages', ['plain'], seen)
  }
  learnProperties([error], errorSchema.required, seen, findings)
}

/** How many pets have to be in order before it is no chance that they are: one in three million. */
const leastSorted = 10

function learnFromPets(seen: Seen, findings: Findings): void {
  const pets = petsIn(seen.found)
  const isReserved = pets.some(({ status }) => status === 'reserved')
  if (isReserved) findings.only('petStatuses', ['one-more'], seen)
  if (pets.some((pet) => isOdd(pet, 'pending'))) findings.only('petStatuses', ['listed'], seen)
  learnProperties(pets, ['id', ...newPetNames], seen, findings)
  const ids = pets.map(({ id }) => BigInt(toInt64(id) ?? 0))
  const rises = neighboursIn(ids).map(([id, next]) => next > id)
  if (rises.length === 0) return
  const chance = ids.length < leastSorted ? (['shuffled'] as const) : []
  if (rises.every(Boolean)) findings.only('listOrder', ['id-ascending', ...chance], seen)
  else if (!rises.some(Boolean)) findings.only('listOrder', ['id-descending', ...chance], seen)
  else findings.only('listOrder', ['shuffled'], seen)
}

/** How many objects have to be in order before it is no chance. */
const leastInOrder = 8

function learnProperties(
  objects: readonly Members[],
  names: readonly string[],
  seen: Seen,
  findings: Findings,
): void {
  const places = objects.map((one) => Object.keys(one).map((name) => names.indexOf(name)))
  const isExtra = (own: readonly number[]): boolean => own.includes(-1)
  if (places.some(isExtra)) findings.only('replyExtras', ['present'], seen)
  if (!places.every(isExtra)) findings.only('replyExtras', ['none'], seen)
  const isInOrder = (own: readonly number[]): boolean =>
    own.filter((place) => place >= 0).every((place, index, all) => place > (all[index - 1] ?? -1))
  if (!places.every(isInOrder)) findings.only('propertyOrder', ['shuffled'], seen)
  else if (objects.length >= leastInOrder) findings.only('propertyOrder', ['as-listed'], seen)
}

function judgeDeprecation(seen: Seen, findings: Findings): void {
  const { method, target, status, headers, date } = seen
  const { deprecation, sunset } = headers
  if (isList(seen) && deprecation !== undefined) {
    findings.unexplain(seen, 'no choice at any gap deprecates this operation')
  }
  const since = /^\s*@(\d{1,12})\s*$/.exec(deprecation ?? '')?.[1]
  const sinceAt = Number(since) * 1000
  if (sinceAt <= lastInstantAt && /^\/pets\/./.test(target)) {
    findings.only('deprecatedSince', [formatInstant(sinceAt)], seen)
  }
  const isGetPet = /^(?:GET|HEAD)$/.test(method) && /^\/pets\/[^/?]+(?:\?|$)/.test(target)
  if (!isGetPet || status === 403) return
  if (sunset !== undefined) {
    const at = Date.parse(sunset)
    const isThere = at === startOfDay || at === endOfDay
    findings.check('4.3', seen, isThere ? undefined : 'a Sunset that is not on 5 December 2030')
    const instant = at === startOfDay ? 'start-of-day' : 'end-of-day'
    if (isThere) findings.only('sunsetInstant', [instant], seen)
  }
  if (date === undefined || date * 1000 >= startOfDay) return
  const form = deprecationForm(deprecation)
  const isAlone = form === 'none' ? sunset !== undefined : sunset === undefined
  if (isAlone && form !== 'draft') {
    const problem = 'no choice at deprecationHeaders sends Deprecation or Sunset without the other'
    findings.unexplain(seen, problem)
  } else if (status < 300) {
    findings.only('deprecationHeaders', [form], seen)
  } else if (form === 'none') {
    findings.add([{ deprecationHeaders: form }, { deprecationOn: 'success' }], seen)
  } else {
    findings.add([{ deprecationHeaders: form, deprecationOn: 'every-reply' }], seen)
  }
}

function deprecationForm(header: string | undefined): GapChoices['deprecationHeaders'] {
  if (header === undefined) return 'none'
  return /^@-?\d+$/.test(header.trim()) ? 'standard' : 'draft'
}

/**
 * Finds the choices under which a request gets its reply; says so if there are none.
 *
 * @param isKnownPet Whether the pet that is asked for is there.
 */
function explain(
  seen: Seen,
  possible: readonly Possible[],
  isKnownPet: boolean,
  findings: Findings,
): void {
  const { status } = seen
  const isLost = isKnownPet && status === 404
  const alike = possible
    .filter((one) => one.status === status || one.orElse === status)
    .map((one) => ({ ...one, check: contentCheck(seen, one) }))
  const options =
    status === 429 || status === 403
      ? possible.flatMap((one) => refusedUnder(one, status))
      : alike
          .filter(({ check, orElse }) => !check?.problem && !(isLost && orElse === 200))
          .map(({ choices }) => choices)
  if (possible.every(({ isStranger }) => isStranger)) {
    const isServed = options.length === 0 && (status < 300 || status === 400)
    const problem = 'a request without a valid key that is not refused with 401'
    findings.check('5.3', seen, isServed ? problem : undefined)
    if (isServed) return
  }
  const checks = alike.flatMap(({ check }) => check ?? [])
  const wrong = checks.find(({ problem }) => problem !== undefined)
  if (options.length > 0) {
    findings.add(options, seen)
    if (checks[0] !== undefined) findings.check(checks[0].clause, seen, undefined)
  } else if (wrong !== undefined) findings.check(wrong.clause, seen, wrong.problem)
  else if (isLost && alike.length > 0) {
    findings.check('4.3', seen, 'a 404 for a pet that is there')
  } else findings.unexplain(seen, `no choice at any gap answers ${status}`)
}

/** The choices under which a request is refused since its caller is over a limit, or banned. */
function refusedUnder(one: Possible, status: number): Option[] {
  const { choices, isStranger, status: own, orElse } = one
  if (isStranger) return status === 429 ? [{ ...choices, unauthorizedLimit: 'limited' }] : []
  const ban: Option = status === 403 ? { banStatus: 403 } : {}
  const order: Option = own >= 400 && orElse === undefined ? { refusalOrder: 'limit-first' } : {}
  return [{ ...choices, ...ban, ...order }]
}

/** The clause of an operation that the content of its reply is held against, and what is wrong with it. */
interface Check {
  readonly clause: ClauseName
  readonly problem: string | undefined
}

/** Judges the content of a reply under one way to read its request. */
function contentCheck(seen: Seen, { page, created }: Possible): Check | undefined {
  if (seen.status >= 300) return undefined
  const pets = petsIn(seen.found)
  const check = (clause: ClauseName, isBroken: boolean, problem: string): Check => ({
    clause,
    problem: isBroken ? problem : undefined,
  })
  if (page !== undefined) {
    if (pets.length > page.limit) return check('4.1', true, 'more pets than limit')
    const isOutside = page.status !== undefined && pets.some(({ status }) => status !== page.status)
    return check('4.1', isOutside, 'a pet outside of the filter')
  }
  const [pet] = Array.isArray(seen.found) ? [] : pets
  if (created !== undefined) {
    const status = pet?.status === 'reserved' ? 'pending' : pet?.status
    const [shown, wanted] = [recordOf({ ...pet, status }), recordOf(created)]
    const isSame = newPetNames.every((name) => plain(shown[name]) === plain(wanted[name]))
    const isOther = seen.status === 201 && pet !== undefined && !isSame
    return check('4.2', isOther, 'a pet that is not the one sent')
  }
  const id = askedId(seen)
  if (id === undefined) return undefined
  const isOther = pet !== undefined && plain(pet.id) !== String(BigInt(id))
  return check('4.3', isOther, 'a pet with another id than was asked for')
}

/** What the engine does with a request that is under its limits. */
interface Reply {
  readonly status: number
  /** Another status that may be due, since nobody knows what the service holds. */
  readonly orElse: number | undefined
  /** Whether it has no valid key. */
  readonly isStranger: boolean
  /** The page that it asks for. */
  readonly page: PetFilter | undefined
  /** The pet that it adds. */
  readonly created: unknown
}

/** What it does under some choices. */
interface Possible extends Reply {
  readonly choices: Option
  /** All that a choice may change. */
  readonly effect: string
}

/** No pets, and the page that is asked of them. */
class NoPets extends Pets {
  page: PetFilter | undefined
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
    return super.list(filter)
  }
}

/** The gaps at which a choice can change how a request is read, each with the choice that refuses least. */
const lenient = {
  bearerScheme: 'any-case',
  unknownRouteWithoutKey: 'not-found',
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
class PossibleReplies {
  readonly #state = freshState({
    seed: { pets: [], keys: [keySettings.read({ key: 'valid', plan: 'free' })] },
    randomSeed: 1,
    gaps: defaultGaps,
    clock: { mode: 'frozen', now: 0, scale: 1 },
    rateLimit: 'reported',
    journalSize: 0,
    limits: defaultLimits,
    memory: new SharedMemory(),
    redactor: new Redactor(),
    secrets: new Set(),
  })
  readonly #known = new Map<string, readonly Possible[]>()

  /**
   * Lists what may become of a request, whose key is `valid` or it is none.
   *
   * @param now When the service may have had it.
   * @param knowsCategory Whether its category is known to exist.
   */
  of(request: ApiRequest, now: number, knowsCategory: boolean): readonly Possible[] {
    const name = JSON.stringify([request, now, knowsCategory])
    const run: Run = (choices) => {
      const reply = this.#run(request, choices, now, knowsCategory)
      return { ...reply, choices, effect: toJson(reply) }
    }
    const possible = this.#known.get(name) ?? explored(run)
    this.#known.set(name, possible)
    return possible
  }

  #run(request: ApiRequest, choices: Option, now: number, knowsCategory: boolean): Reply {
    const pets = new NoPets(knowsCategory)
    // Each choice is one of its gap's own.
    const chosen = { ...defaultGaps, ...lenient, ...choices } as GapChoices
    const state = { ...this.#state, pets, gaps: chosen }
    const route = findRoute(request, chosen, now)
    const caller = authenticate(request.headers.authorization, state, now)
    const isStranger = caller.kind === 'unauthenticated'
    try {
      const { refusal } = admit(request, route, caller, state, now)
      if (refusal !== undefined) throw refusal
      const { status, body } = runRoute(request, route, state)
      const created = status === 201 ? jsonIn(body) : undefined
      // The interface does not guarantee that a long name is accepted.
      const orElse = plain(recordOf(created).name).length > 200 ? 400 : undefined
      return { isStranger, status, orElse, page: pets.page, created }
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      const { status, gap } = thrown
      const mayExist = route.kind === 'operation' && status === 404 && gap === undefined
      const other = mayExist ? 200 : undefined
      const orElse = gap === 'unknownCategory' ? 201 : other
      return { isStranger, status, orElse, page: undefined, created: undefined }
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

/** From here on, not every integer is a double. */
const large = 2n ** 53n

const highest = 2n ** 63n - 1n

/** How far apart ids may be that others' pets lie between. */
const far = 2n ** 40n

/** How many ids have to be odd, with even distances, before it is no chance. */
const leastOdd = 6

/** Finds out how the ids of new pets follow one another. */
export function judgeIds(exchanges: readonly Seen[], findings: Findings): void {
  const created = exchanges.flatMap((seen) => {
    const id = toInt64(recordOf(seen.found).id)
    return id === undefined || seen.status !== 201 ? [] : [{ ...seen, id: BigInt(id) }]
  })
  for (const one of created) {
    if (one.id <= large) findings.only('idSequence', ['sequential', 'random'], one)
  }
  const pairs = neighboursIn(created).filter(([one, next]) => one.endAt <= next.startAt)
  for (const [one, next] of pairs) {
    // Where the highest id there can be is taken, any other comes next.
    if (one.id === highest) continue
    const isNear = (id: bigint): boolean => next.id > id && next.id - id < far
    const isNextLarge = next.id % 2n === 1n && isNear(one.id < large ? large : one.id)
    const fitting = [
      ...(isNear(one.id) ? (['sequential'] as const) : []),
      ...(isNextLarge ? (['large'] as const) : []),
    ]
    findings.only('idSequence', [...fitting, 'random'], one, next)
  }
  const near = pairs.filter(([one, next]) => next.id > one.id && next.id - one.id <= 100n)
  if (near.length >= 2) findings.only('idSequence', ['sequential', 'large'], created)
  const isOdd = created.every(({ id }) => id > large && id % 2n === 1n)
  if (isOdd && near.length === pairs.length && near.length >= leastOdd) {
    findings.only('idSequence', ['large'], created)
  }
}
