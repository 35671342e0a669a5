import { basePath, endpoints } from '../../mock/api/endpoints.ts'
import { errorSchema } from '../../mock/api/error.ts'
import type { GapValues } from '../../mock/api/gaps.ts'
import { toInt64 } from '../../mock/api/int64.ts'
import { type ApiRequest, utf8Length } from '../../mock/api/message.ts'
import { newPetNames, petStatuses } from '../../mock/api/pet.ts'
import { definedOf, grouped, isRecord } from '../../mock/input/record.ts'
import { formatInstant, lastInstantAt } from '../../mock/input/values.ts'
import type { ClauseName, Evidence, Option } from './evidence.ts'
import { type Possible, PossibleResponses } from './possible-responses.ts'
import { banStatuses, isLimited, type Span } from './quota-reports.ts'
import {
  errorProblem,
  type Members,
  neighboursIn,
  plain,
  recordOf,
  type Seen,
  wholeIn,
} from './read-archives.ts'

const { 'start-of-day': startOfDay, 'end-of-day': endOfDay } = endpoints.getPet.deprecated.sunsetAt

/** Maximum length of targets that are explained: a host may reject longer ones before the service receives them. */
const longestTarget = 8_000

/**
 * Checks each response by itself, and records what it shows about the gaps.
 *
 * @param sequences Requests in lists whose order is certain.
 * @param skew Bounds of the skew of `Date`, in seconds.
 */
export function checkResponses(
  sequences: readonly (readonly Seen[])[],
  evidence: Evidence,
  skew: Span,
): void {
  const responses = new PossibleResponses()
  const all = sequences.flat()
  const categories = new Set(
    all.filter(({ status }) => status < 300).flatMap(({ found }) => petsIn(found).map(categoryIn)),
  )
  const names = new NameLengths(all)
  for (const sequence of sequences) {
    const isAccepted = namedAround(sequence, ({ client }) => [client])
    const isThere = namedAround(sequence, ({ found }) => petsIn(found).map(({ id }) => plain(id)))
    for (const seen of sequence) {
      checkHeaders(seen, evidence)
      checkBody(seen, evidence)
      checkDeprecation(seen, skew, evidence)
      if (seen.target.length > longestTarget) continue
      const isPost = seen.method === 'POST' && isList(seen)
      if (isPost && seen.requestBody === undefined) {
        // The archive doesn't have what the response depends on.
        const known = [200, 201, 301, 307, 308, 400, 401, 403, 404, 405, 413, 418, 429].includes(
          seen.status,
        )
        if (!known) evidence.unexplain(seen, `no value explains ${seen.status}`)
        continue
      }
      const sent = recordOf(seen.sent)
      const category = categories.has(categoryIn(sent)) ? toInt64(sent.categoryId) : undefined
      const requests = requestsOf(seen, isAccepted(seen.client, seen.number))
      const readings = requests.flatMap((request) =>
        timesOf(seen, skew).flatMap((now) => responses.of(request, now, category)),
      )
      const possible = readings.map((one) =>
        names.mayBeTooLong(one.created) ? { ...one, orElse: 400 } : one,
      )
      const isTooLong = possible.some((one) => one.orElse === 400)
      if (seen.status === 400 && isTooLong && readings.every(({ status }) => status !== 400)) {
        names.reject(seen)
      }
      explain(seen, possible, isThere(askedId(seen), seen.number), evidence)
    }
  }
  names.learn(evidence)
  learnListOrder(all, evidence)
}

/** Bounds the maximum name length, which the spec leaves open, by accepted and rejected names. */
class NameLengths {
  readonly #accepted: readonly Seen[]
  readonly #most: readonly number[]
  #rejected: readonly Seen[] = []

  constructor(all: readonly Seen[]) {
    this.#accepted = all.filter((seen) => seen.status === 201 && isList(seen))
    const lengths = this.#accepted.map((seen) => lengthsOf(nameIn(seen.found) ?? nameIn(seen.sent)))
    this.#most = [0, 1, 2].map((index) => Math.max(0, ...lengths.map((of) => of[index] ?? 0)))
  }

  /** Returns whether the name of a new pet may be longer than any that was accepted. */
  mayBeTooLong(created: unknown): boolean {
    return lengthsOf(nameIn(created)).some((length, index) => length > (this.#most[index] ?? 0))
  }

  /** Records a request that can only have been rejected because of the length of its name. */
  reject(seen: Seen): void {
    // A service may also reject other characters.
    if (/^\w+(?: \w+)*$/.test(nameIn(seen.sent) ?? '')) this.#rejected = [...this.#rejected, seen]
  }

  learn(evidence: Evidence): void {
    const [most = 0] = this.#most
    const tooLong = this.#rejected.map(({ sent }) => nameIn(sent)?.length ?? 0)
    const least = Math.min(...tooLong) - 1
    const choices = Number.isFinite(least)
      ? [least > most ? `${most}..${least}` : `${most}`]
      : [`${most}..1000000000`, 'never']
    if (most > 0 || tooLong.length > 0) {
      evidence.only('maxNameLength', choices, this.#accepted, this.#rejected)
    }
  }
}

/** Returns the length of a name in characters, in UTF-16 units and in bytes: services count differently. */
function lengthsOf(name = ''): readonly number[] {
  return [[...name].length, name.length, utf8Length(name)]
}

function nameIn(found: unknown): string | undefined {
  const { name } = recordOf(found)
  return typeof name === 'string' ? name : undefined
}

/** Returns a function that checks whether something certainly existed at a request: responses around it name it. */
function namedAround(
  sequence: readonly Seen[],
  namesIn: (seen: Seen) => readonly (string | undefined)[],
): (name: string | undefined, number: number) => boolean {
  const spans = new Map<string, { first: number; last: number }>()
  for (const seen of sequence) {
    if (seen.status >= 300) continue
    for (const name of namesIn(seen)) {
      if (name) spans.set(name, { first: spans.get(name)?.first ?? seen.number, last: seen.number })
    }
  }
  return (name = '', number) => {
    const { first, last } = spans.get(name) ?? { first: number, last: number }
    return first < number && last > number
  }
}

function petsIn(found: unknown): Members[] {
  return [found].flat().filter(isRecord)
}

function categoryIn({ categoryId }: Members): string {
  return plain(categoryId)
}

function askedId({ target }: Pick<Seen, 'target'>): string | undefined {
  return /^\/pets\/(\d+)\/?(?:\?|$)/.exec(target)?.[1]
}

function isList({ target }: Pick<Seen, 'target'>): boolean {
  return /^\/pets\/?(?:\?|$)/.test(target)
}

/**
 * Lists the requests that this one may be to the engine: with a valid key, an unknown key, or no key.
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

/** Returns an instant for each period around the sunset in which the service may have received a request. */
function timesOf({ date }: Seen, skew: Span): readonly number[] {
  const turns = [Number.NEGATIVE_INFINITY, startOfDay, endOfDay]
  if (date === undefined) return turns
  const [least, most] = [(date - skew.to - 1) * 1000, (date - skew.from + 1) * 1000]
  return turns.filter((at, index) => at <= most && least < (turns[index + 1] ?? most + 1))
}

/** Forms of `Content-Type`; other parameters don't show the gap's value. */
const contentTypes = [
  { pattern: /^application\/json$/i, choice: 'plain' },
  { pattern: /^application\/json\s*;\s*charset="?utf-8"?$/i, choice: 'charset' },
] as const

function checkHeaders(seen: Seen, evidence: Evidence): void {
  const { status, headers, mimeType, body } = seen
  if (body && mimeType !== '') {
    const isJson = /^application\/json\s*(?:;|$)/i.test(mimeType)
    evidence.check('1', seen, isJson ? undefined : 'a body that is not application/json')
    const form = contentTypes.find(({ pattern }) => pattern.test(headers['content-type'] ?? ''))
    if (form !== undefined) evidence.only('contentType', [form.choice], seen)
  }
  checkCors(seen, evidence)
  const odd = ['Limit', 'Remaining', 'Reset'].flatMap((name) => {
    const value = headers[`x-ratelimit-${name.toLowerCase()}`]
    if (value === undefined) return `a response without X-RateLimit-${name}`
    return Number.isNaN(wholeIn(value)) ? `X-RateLimit-${name} is not a whole number` : []
  })
  const isAbove = wholeIn(headers['x-ratelimit-remaining']) > wholeIn(headers['x-ratelimit-limit'])
  const problem = isAbove ? 'X-RateLimit-Remaining is above X-RateLimit-Limit' : undefined
  evidence.check('8', seen, odd[0] ?? problem)
  if (status === 429 && headers['retry-after'] === undefined) {
    evidence.check('8.2', seen, 'a 429 without Retry-After')
  }
}

/** The headers that pages need to keep to the limits (spec 8). */
const neededByPages = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
]

/** Records what a service lets a page of another origin do; a host in front of it may reject requests by itself. */
function checkCors({ status, isCrossOrigin, headers, number }: Seen, evidence: Evidence): void {
  if (!isCrossOrigin) return
  const isAllowed = headers['access-control-allow-origin'] !== undefined
  if (isAllowed) evidence.only('cors', ['allowed'], { number })
  else if (status < 300) evidence.only('cors', ['none'], { number })
  if (!isAllowed || status >= 300) return
  const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase().split(/[ ,]+/)
  const readable = neededByPages.filter((name) => exposed.includes(name) || exposed.includes('*'))
  if (readable.length === 0) evidence.only('exposedHeaders', ['none'], { number })
  else if (readable.length < neededByPages.length) evidence.fitsNone('exposedHeaders', { number })
  else evidence.only('exposedHeaders', ['all'], { number })
}

function checkBody(seen: Seen, evidence: Evidence): void {
  const { status, body, found, method, target } = seen
  if (method === 'HEAD' || body === undefined) return
  if (status >= 400) {
    const problem = errorProblem(found, status)
    evidence.check('7', seen, problem)
    if (problem === undefined) learnFromError(seen, evidence)
  } else if (status >= 300 || status === 204) {
    return
  } else if (target.startsWith('/store')) {
    const isEmpty = Array.isArray(found) && found.length === 0
    const isLost = status !== 200 || isEmpty
    if (!isLost) evidence.unexplain(seen, 'no value of storeOrders lists orders')
  } else {
    const problem = method === 'GET' && isList(seen) ? listProblem(found) : petProblem(found)
    evidence.check('2', seen, problem)
    if (problem === undefined) learnFromPets(seen, evidence)
  }
}

const statuses: readonly unknown[] = [...petStatuses, undefined]

function petProblem(found: unknown): string | undefined {
  if (!isRecord(found)) return 'a pet that is not an object'
  if (toInt64(found.id) === undefined) return 'a pet whose id is not an int64'
  if (typeof found.name !== 'string') return 'a pet whose name is not a string'
  if (toInt64(found.categoryId) === undefined) return 'a pet whose categoryId is not an int64'
  const isKnown = statuses.includes(found.status) || isOdd(found, 'reserved')
  return isKnown ? undefined : 'a pet of another status'
}

/** Whether a pet has a status and an odd id: only such pets are ever reserved (spec 9). */
function isOdd({ id, status }: Members, wanted: string): boolean {
  return status === wanted && BigInt.asUintN(1, BigInt(toInt64(id) ?? 0)) === 1n
}

function listProblem(found: unknown): string | undefined {
  if (!Array.isArray(found)) return 'a list that is not an array'
  const ids = new Set(found.map((pet) => plain(recordOf(pet).id)))
  const problem = found.map(petProblem).find((one) => one !== undefined)
  return problem ?? (ids.size < found.length ? 'two pets with the same id' : undefined)
}

/** Styles of codes with two words or a number; a single word fits any style. */
const codeStyles = [
  { pattern: /^[a-z]+$|^[A-Z]+$/, styles: [] },
  { pattern: /^[a-z][a-z\d]*(?:_[a-z\d]+)+$/, styles: ['snake_case'] },
  { pattern: /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/, styles: ['UPPER_CASE'] },
  { pattern: /^[A-Za-z]{0,3}[-_]?\d{2,}$/, styles: ['opaque'] },
] as const

function learnFromError(seen: Seen, evidence: Evidence): void {
  const error = recordOf(seen.found)
  const { code, message, status } = error
  const style = codeStyles.find(({ pattern }) => pattern.test(plain(code)))
  if (style === undefined) evidence.fitsNone('errorCodes', seen)
  else evidence.only('errorCodes', style.styles, seen)
  if (message === `The service has rejected the request: ${plain(status)}`) {
    evidence.only('errorMessages', ['generic'], seen)
  } else if (/^Cannot (?:use|find|read|serve|authenticate|list) ?.*: .+/s.test(plain(message))) {
    evidence.only('errorMessages', ['default'], seen)
  }
  learnProperties([error], errorSchema.required, seen, evidence)
}

function learnFromPets(seen: Seen, evidence: Evidence): void {
  const pets = petsIn(seen.found)
  const isReserved = pets.some(({ status }) => status === 'reserved')
  if (isReserved) evidence.only('undocumentedStatus', ['present'], seen)
  if (pets.some((pet) => isOdd(pet, 'pending')))
    evidence.only('undocumentedStatus', ['absent'], seen)
  learnProperties(pets, ['id', ...newPetNames], seen, evidence)
}

function learnProperties(
  objects: readonly Members[],
  names: readonly string[],
  seen: Seen,
  evidence: Evidence,
): void {
  const isExtra = (one: Members): boolean => Object.keys(one).some((name) => !names.includes(name))
  if (objects.some(isExtra)) evidence.only('undocumentedProperty', ['present'], seen)
  if (!objects.every(isExtra)) evidence.only('undocumentedProperty', ['absent'], seen)
}

/** Minimum number of sorted pets that rules out chance: one in three million. */
const minSorted = 10

/** Finds the order of lists of pets; with a filter, it may be that of another property. */
function learnListOrder(all: readonly Seen[], evidence: Evidence): void {
  const lists = all.flatMap((seen) => {
    const isWhole = seen.method === 'GET' && isList(seen) && !seen.target.includes('status=')
    if (!isWhole || seen.status !== 200 || listProblem(seen.found)) return []
    const pets = petsIn(seen.found)
    return [{ seen, pets, ids: pets.map(({ id }) => plain(id)) }]
  })
  const pages = [...grouped(lists, ({ seen }) => seen.target).values()]
  for (const [before, now] of [lists, ...pages].flatMap((list) => neighboursIn(list))) {
    const [theirs, ours] = [new Set(before.ids), new Set(now.ids)]
    const isSame =
      `${now.ids.filter((id) => theirs.has(id))}` === `${before.ids.filter((id) => ours.has(id))}`
    if (isSame) continue
    evidence.only('listOrder', ['shuffled'], before.seen, now.seen)
    return
  }
  for (const { seen, pets } of lists) {
    const ids = pets.map(({ id }) => BigInt(toInt64(id) ?? 0))
    const rises = neighboursIn(ids).map(([id, next]) => id < next)
    const isSorted = rises.every(Boolean) || !rises.some(Boolean)
    if (isSorted && pets.length >= minSorted) {
      evidence.only('listOrder', [rises[0] ? 'id-ascending' : 'id-descending'], seen)
    } else if (!isSorted && isSortedOtherwise(pets)) evidence.fitsNone('listOrder', seen)
  }
}

/** Orders of text: alphabetical, with numbers by their value, and by character. */
const comparisons: readonly ((one: string, other: string) => number)[] = [
  new Intl.Collator('en', { numeric: true }).compare,
  (one, other) => (one === other ? 0 : one < other ? -1 : 1),
]

/** Minimum number of possible orders of a list that rules out chance: the orders of ten pets. */
const minOrders = 3_628_800

/** Returns whether pets are in the order of a property other than their ids. */
function isSortedOtherwise(pets: readonly Members[]): boolean {
  return newPetNames.some((name) => {
    const values = pets.map((pet) => plain(pet[name]))
    const isSorted = comparisons.some((compare) => {
      const signs = neighboursIn(values).map(([one, next]) => compare(one, next))
      return signs.every((sign) => sign >= 0) || signs.every((sign) => sign <= 0)
    })
    return isSorted && ordersOf(values) >= minOrders
  })
}

/** Returns the number of distinct orders of values, some of which may be equal. */
function ordersOf(values: readonly string[]): number {
  const counts = new Map<string, number>()
  return values.reduce((orders, value, index) => {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    return (orders * (index + 1)) / count
  }, 1)
}

function checkDeprecation(seen: Seen, skew: Span, evidence: Evidence): void {
  const { method, target, status, headers, date } = seen
  const { deprecation, sunset } = headers
  if (isList(seen) && deprecation !== undefined) {
    evidence.unexplain(seen, 'no gap value deprecates this operation')
  }
  const since = /^\s*@(\d{1,12})\s*$/.exec(deprecation ?? '')?.[1]
  const sinceAt = Number(since) * 1000
  if (sinceAt <= lastInstantAt && /^\/pets\/./.test(target)) {
    evidence.only('deprecatedSince', [formatInstant(sinceAt)], seen)
  }
  const isGetPet = /^(?:GET|HEAD)$/.test(method) && /^\/pets\/[^/?]+(?:\?|$)/.test(target)
  if (!isGetPet || status === 403) return
  if (sunset !== undefined) {
    const at = Date.parse(sunset)
    const isThere = at === startOfDay || at === endOfDay
    evidence.check('4.3', seen, isThere ? undefined : 'a Sunset that is not on 5 December 2030')
    const instant = at === startOfDay ? 'start-of-day' : 'end-of-day'
    if (isThere) evidence.only('sunsetTime', [instant], seen)
  }
  if (date === undefined || (date - skew.from) * 1000 >= startOfDay) return
  const form = deprecationForm(deprecation)
  const isAlone = form === 'none' ? sunset !== undefined : sunset === undefined
  if (isAlone && form !== 'draft') {
    const problem = 'no value of deprecationHeaders sends Deprecation or Sunset without the other'
    evidence.unexplain(seen, problem)
  } else if (status < 300 || form !== 'none') {
    // An error response may come from code that doesn't know the operation.
    evidence.only('deprecationHeaders', [form], seen)
  }
}

function deprecationForm(header: string | undefined): GapValues['deprecationHeaders'] {
  if (header === undefined) return 'none'
  return /^@-?\d+$/.test(header.trim()) ? 'standard' : 'draft'
}

/**
 * Finds the gap values under which a request gets its response, and records a problem if there are none.
 *
 * @param isKnownPet Whether the requested pet exists.
 */
function explain(
  seen: Seen,
  possible: readonly Possible[],
  isKnownPet: boolean,
  evidence: Evidence,
): void {
  const { status } = seen
  const isLost = isKnownPet && status === 404
  const alike = possible
    .filter((one) => one.status === status || one.orElse === status)
    .map((one) => ({ ...one, check: contentCheck(seen, one) }))
  const options = isLimited(status)
    ? possible.flatMap((one) => rejectedUnder(one, status))
    : alike
        .filter(({ check, orElse }) => !check?.problem && !(isLost && orElse === 200))
        .map(({ choices }) => choices)
  if (possible.every(({ isUnauthenticated }) => isUnauthenticated)) {
    const isServed = options.length === 0 && (status < 300 || status === 400)
    const problem = 'a request without a valid key that is not rejected with 401'
    evidence.check('5.3', seen, isServed ? problem : undefined)
    if (isServed) return
  }
  const checks = alike.flatMap(({ check }) => check ?? [])
  const wrong = checks.find(({ problem }) => problem !== undefined)
  if (options.length > 0) {
    evidence.add(options, seen)
    if (checks[0] !== undefined) evidence.check(checks[0].clause, seen, undefined)
  } else if (wrong !== undefined) evidence.check(wrong.clause, seen, wrong.problem)
  else if (isLost && alike.length > 0) {
    evidence.check('4.3', seen, 'a 404 for a pet that is there')
  } else if (isInvalidPet(seen, possible)) {
    evidence.check('4.2', seen, `${status} where the spec says 400`)
  } else evidence.unexplain(seen, `no gap value explains ${status}`)
}

/** Whether a response accepts a pet that is invalid with any gap values, or rejects one as invalid with another status. */
function isInvalidPet(seen: Seen, possible: readonly Possible[]): boolean {
  if (seen.method !== 'POST' || !isList(seen)) return false
  const authenticated = possible.filter(({ isUnauthenticated }) => !isUnauthenticated)
  const isRejected = ({ status, orElse }: Possible): boolean => status === 400 && orElse !== 201
  if (seen.status < 300) return authenticated.length > 0 && authenticated.every(isRejected)
  return seen.status === 422 && authenticated.some((one) => [one.status, one.orElse].includes(400))
}

/** Returns the gap values under which a request is rate-limited or banned. */
function rejectedUnder(one: Possible, status: number): Option[] {
  const { choices, isUnauthenticated, status: own, orElse } = one
  if (isUnauthenticated) return status === 429 ? [choices] : []
  const banStatus = banStatuses[status]
  const ban: Option = banStatus === undefined ? {} : { banStatus }
  const order: Option = own >= 400 && orElse === undefined ? { errorPrecedence: 'rate-limit' } : {}
  return [{ ...choices, ...ban, ...order }]
}

/** An operation's clause that a response was checked against, and the problem if there was one. */
interface Check {
  readonly clause: ClauseName
  readonly problem: string | undefined
}

function contentCheck(
  { status, found, ...seen }: Seen,
  { page, created }: Possible,
): Check | undefined {
  if (status >= 300) return undefined
  const pets = petsIn(found)
  if (page !== undefined && Array.isArray(found)) {
    const isOutside = page.status !== undefined && pets.some((pet) => pet.status !== page.status)
    const outside = isOutside ? 'a pet outside of the filter' : undefined
    return { clause: '4.1', problem: pets.length > page.limit ? 'more pets than limit' : outside }
  }
  const [pet] = Array.isArray(found) ? [] : pets
  if (created !== undefined) {
    const shown: Members = { ...pet, ...(pet?.status === 'reserved' ? { status: 'pending' } : {}) }
    const isSame = newPetNames.every(
      (name) => plain(shown[name]) === plain(recordOf(created)[name]),
    )
    const isOther = status === 201 && pet !== undefined && !isSame
    return { clause: '4.2', problem: isOther ? 'a pet that is not the one sent' : undefined }
  }
  const id = askedId(seen)
  if (id === undefined) return undefined
  const isOther = pet !== undefined && plain(pet.id) !== String(BigInt(id))
  return {
    clause: '4.3',
    problem: isOther ? 'a pet with another id than was requested' : undefined,
  }
}
