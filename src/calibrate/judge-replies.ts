import { toInt64 } from '../contract/int64.ts'
import { petStatuses } from '../contract/pet.ts'
import { isRecord } from '../input/record.ts'
import type { Evidence, Option } from './evidence.ts'
import { type Possible, PossibleReplies } from './possible-replies.ts'
import { jsonIn, plain, type Seen, wholeIn } from './read-archives.ts'

/** The clauses that a reply can break. */
export const clauseNames = ['1', '2', '4.1', '4.2', '4.3', '5.3', '7', '8', '8.1', '8.2'] as const

export type ClauseName = (typeof clauseNames)[number]

/** Notes which clauses a reply was held against, and what is wrong with it. */
export interface Verdicts {
  check(clause: ClauseName, exchange: number, problem: string | undefined): void
  unexplained(exchange: number, problem: string): void
}

const sunsetAt = Date.UTC(2030, 11, 5)
const sunsetEndAt = Date.UTC(2030, 11, 5, 23, 59, 59)

type Json = Readonly<Record<string, unknown>>

/** Judges each reply by itself, and notes what it tells of the gaps. */
export function judgeReplies(
  exchanges: readonly Seen[],
  evidence: Evidence,
  verdicts: Verdicts,
  /** How far `Date` may be ahead at most, in seconds. */
  skew: number,
): void {
  const replies = new PossibleReplies()
  const isAccepted = namedAround(exchanges, ({ caller }) => (caller === undefined ? [] : [caller]))
  const isThere = namedAround(exchanges, idsIn)
  const categories = new Set(exchanges.flatMap(acceptedCategory))
  for (const seen of exchanges) {
    if (!seen.isJudged) continue
    const isValid = isAccepted(seen.caller, seen.number)
    judgeHeaders(seen, verdicts)
    judgeBody(seen, evidence, verdicts)
    judgeDeprecation(seen, evidence, verdicts)
    const sent = jsonIn(seen.requestBody)
    const category = isRecord(sent) ? plain(sent.categoryId) : ''
    const possible = isUnreadable(seen)
      ? undefined
      : replies.of(seen, timesOf(seen, skew), categories.has(category))
    explain(seen, possible, isValid, {
      evidence,
      verdicts,
      isKnownPet: isThere(askedId(seen), seen.number),
    })
  }
}

/** Whether the archive doesn't have what the reply depends on. */
function isUnreadable({ method, target, requestBody }: Seen): boolean {
  return method === 'POST' && /^\/pets\/?(?:\?|$)/.test(target) && requestBody.kind === 'unknown'
}

/** Instants by which the service may have had a request: its `Date` may be ahead. */
function timesOf({ date }: Seen, skew: number): readonly number[] {
  if (date === undefined) return [0, sunsetAt + 1000, sunsetEndAt + 1000]
  const [least, most] = [(date - skew - 1) * 1000, date * 1000]
  const between = [sunsetAt + 1000, sunsetEndAt + 1000].filter((at) => at > least && at < most)
  if (most < sunsetAt) return [0]
  return [Math.max(0, least), ...between, most]
}

/** Finds out what was surely there when an exchange took place: replies before and after it name it. */
function namedAround(
  exchanges: readonly Seen[],
  namesIn: (seen: Seen) => readonly string[],
): (name: string | undefined, number: number) => boolean {
  const spans = new Map<string, { first: number; last: number }>()
  for (const seen of exchanges) {
    if (!seen.isJudged || seen.status >= 300) continue
    for (const name of namesIn(seen)) {
      spans.set(name, { first: spans.get(name)?.first ?? seen.number, last: seen.number })
    }
  }
  return (name = '', number) => {
    const span = spans.get(name)
    return span !== undefined && span.first < number && span.last > number
  }
}

function idsIn({ body }: Seen): string[] {
  return [jsonIn(body)].flat().flatMap((pet) => (isRecord(pet) ? [plain(pet.id)] : []))
}

function askedId({ target }: Seen): string | undefined {
  return /^\/pets\/(\d+)(?:\?|$)/.exec(target)?.[1]
}

function acceptedCategory({ method, status, requestBody, isJudged }: Seen): string[] {
  const sent = method === 'POST' && status === 201 && isJudged ? jsonIn(requestBody) : undefined
  return isRecord(sent) ? [plain(sent.categoryId)] : []
}

function judgeHeaders({ number, status, headers, mimeType, body }: Seen, verdicts: Verdicts): void {
  const isText = body.kind === 'text'
  if (isText && mimeType !== '') {
    const isJson = /^application\/json\s*(?:;|$)/i.test(mimeType)
    verdicts.check('1', number, isJson ? undefined : 'a body that is not application/json')
  }
  const problems = ['Limit', 'Remaining', 'Reset'].flatMap((name) => {
    const value = headers[`x-ratelimit-${name.toLowerCase()}`]
    if (value === undefined) return `a reply without X-RateLimit-${name}`
    return Number.isNaN(wholeIn(value)) ? `X-RateLimit-${name} is no whole number` : []
  })
  const [limit, remaining] = [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]
  if (wholeIn(remaining) > wholeIn(limit)) {
    problems.push('X-RateLimit-Remaining is above X-RateLimit-Limit')
  }
  if (status === 429 && wholeIn(remaining) > 0) problems.push('a 429 with requests remaining')
  verdicts.check('8', number, problems[0])
  if (status !== 429) return
  const after = headers['retry-after']
  verdicts.check('8.2', number, after === undefined ? 'a 429 without Retry-After' : undefined)
}

function judgeBody(seen: Seen, evidence: Evidence, verdicts: Verdicts): void {
  const { number, status, body, method } = seen
  if (method === 'HEAD' || body.kind === 'unknown') return
  const found = jsonIn(body)
  if (status >= 400) {
    const problem = errorProblem(found, status)
    verdicts.check('7', number, problem)
    if (problem === undefined && isRecord(found)) learnFromError(found, number, evidence)
    return
  }
  if (status >= 300 || status === 204) return
  if (seen.target.startsWith('/store')) {
    if (status !== 200) return
    const isEmpty = Array.isArray(found) && found.length === 0
    if (!isEmpty) verdicts.unexplained(number, 'no choice at storeOrders lists orders')
    return
  }
  const isList = method === 'GET' && /^\/pets\/?(?:\?|$)/.test(seen.target)
  const problem = isList ? listProblem(found) : petProblem(found)
  verdicts.check('2', number, problem)
  if (problem !== undefined) return
  const pets = [found].flat().filter(isRecord)
  for (const pet of pets) learnFromPet(pet, number, evidence)
  learnOrder(pets, number, evidence)
  learnListOrder(pets, number, evidence)
}

function errorProblem(found: unknown, status: number): string | undefined {
  if (!isRecord(found)) return 'an error without an Error body'
  if (typeof found.code !== 'string') return 'an Error without a code'
  if (typeof found.message !== 'string') return 'an Error without a message'
  return found.status === status ? undefined : "an Error whose status isn't that of the reply"
}

function listProblem(found: unknown): string | undefined {
  if (!Array.isArray(found)) return 'a list that is no array'
  const ids = new Set(found.map((pet) => (isRecord(pet) ? plain(pet.id) : '')))
  const [problem] = found.map(petProblem).filter((one) => one !== undefined)
  return problem ?? (ids.size < found.length ? 'two pets with the same id' : undefined)
}

const statusNames: readonly unknown[] = [...petStatuses, undefined]

function petProblem(found: unknown): string | undefined {
  if (!isRecord(found)) return 'a pet that is no object'
  if (toInt64(found.id) === undefined) return 'a pet whose id is no int64'
  if (typeof found.name !== 'string') return 'a pet whose name is no string'
  if (toInt64(found.categoryId) === undefined) return 'a pet whose categoryId is no int64'
  const isReserved = found.status === 'reserved' && isOdd(found.id)
  return statusNames.includes(found.status) || isReserved ? undefined : 'a pet of another status'
}

function isOdd(id: unknown): boolean {
  return BigInt.asUintN(1, BigInt(toInt64(id) ?? 0)) === 1n
}

function learnFromError(found: Json, number: number, evidence: Evidence): void {
  evidence.only('errorCodes', codeStyles(plain(found.code)), number)
  evidence.only('replyExtras', hasExtras(found, errorNames) ? ['present'] : ['none'], number)
  const { message, status } = found
  if (message === `The service has refused the request: ${plain(status)}`) {
    evidence.only('messages', ['other'], number)
  } else if (/^Cannot (?:use|find|read|serve|authenticate|list) ?.*: .+/s.test(plain(message))) {
    evidence.only('messages', ['plain'], number)
  }
  learnOrder([found], number, evidence, errorNames)
}

function codeStyles(code: string): ('snake_case' | 'UPPER_CASE' | 'opaque')[] {
  if (/^[a-z]+(?:_[a-z]+)*$/.test(code)) return ['snake_case']
  if (/^[A-Z]+(?:_[A-Z]+)*$/.test(code)) return ['UPPER_CASE']
  if (/^[a-z][a-z\d_]*$/.test(code)) return ['snake_case', 'opaque']
  return /^[A-Z]{5}[A-Z\d_]*$/.test(code) || /_/.test(code) ? ['UPPER_CASE', 'opaque'] : ['opaque']
}

const petNames = ['id', 'name', 'categoryId', 'status']
const errorNames = ['code', 'message', 'status']

function hasExtras(found: Json, names: readonly string[]): boolean {
  return Object.keys(found).some((name) => !names.includes(name))
}

function learnFromPet(pet: Json, number: number, evidence: Evidence): void {
  evidence.only('replyExtras', hasExtras(pet, petNames) ? ['present'] : ['none'], number)
  if (pet.status === 'reserved') evidence.only('petStatuses', ['one-more'], number)
  if (pet.status === 'pending' && isOdd(pet.id)) evidence.only('petStatuses', ['listed'], number)
}

/** How many objects have to be in order before it is no chance. */
const leastInOrder = 8

function learnOrder(
  objects: readonly Json[],
  number: number,
  evidence: Evidence,
  names: readonly string[] = petNames,
): void {
  const isInOrder = (one: Json): boolean => {
    const places = Object.keys(one).map((name) => names.indexOf(name))
    const known = places.filter((place) => place >= 0)
    return known.every((place, index) => index === 0 || place > (known[index - 1] ?? 0))
  }
  if (objects.some((one) => !isInOrder(one))) evidence.only('propertyOrder', ['shuffled'], number)
  else if (objects.length >= leastInOrder) evidence.only('propertyOrder', ['as-listed'], number)
}

/** How many pets have to be in order before it is no chance that they are: one in three million. */
const leastSorted = 10

function learnListOrder(pets: readonly Json[], number: number, evidence: Evidence): void {
  const ids = pets.map(({ id }) => BigInt(toInt64(id) ?? 0))
  const pairs = ids.slice(1).map((id, index) => id > (ids[index] ?? 0n))
  if (pairs.length === 0) return
  const chance = ids.length < leastSorted ? (['shuffled'] as const) : []
  if (pairs.every(Boolean)) evidence.only('listOrder', ['id-ascending', ...chance], number)
  else if (!pairs.some(Boolean)) evidence.only('listOrder', ['id-descending', ...chance], number)
  else evidence.only('listOrder', ['shuffled'], number)
}

function judgeDeprecation(seen: Seen, evidence: Evidence, verdicts: Verdicts): void {
  const { number, method, target, status, headers, date } = seen
  const { deprecation, sunset } = headers
  if (/^\/pets\/?(?:\?|$)/.test(target) && deprecation !== undefined) {
    verdicts.unexplained(number, 'no choice at any gap deprecates this operation')
  }
  const isGetPet = /^(?:GET|HEAD)$/.test(method) && /^\/pets\/[^/?]+(?:\?|$)/.test(target)
  if (!isGetPet || status === 403) return
  if (sunset !== undefined) {
    const at = Date.parse(sunset)
    const isStart = at === sunsetAt
    const isThere = isStart || at === sunsetEndAt
    verdicts.check('4.3', number, isThere ? undefined : 'a Sunset that is not on 5 December 2030')
    if (isThere) evidence.only('sunsetInstant', [isStart ? 'start-of-day' : 'end-of-day'], number)
  }
  if (date === undefined || date * 1000 >= sunsetAt) return
  const isError = status >= 300
  if (deprecation === undefined && sunset === undefined) {
    const quiet: Option[] = isError ? [{ deprecationOn: 'success' }] : []
    evidence.add([{ deprecationHeaders: 'none' }, ...quiet], number)
  } else if (deprecation === undefined) {
    verdicts.unexplained(number, 'no choice at deprecationHeaders sends Sunset alone')
  } else {
    const form = /^@-?\d+$/.test(deprecation.trim()) ? 'standard' : 'draft'
    if (form === 'standard' && sunset === undefined) {
      verdicts.unexplained(number, 'no choice at deprecationHeaders leaves Sunset out')
    }
    const every: Option = isError ? { deprecationOn: 'every-reply' } : {}
    evidence.add([{ deprecationHeaders: form, ...every }], number)
  }
}

interface Explaining {
  readonly evidence: Evidence
  readonly verdicts: Verdicts
  readonly isKnownPet: boolean
}

/** Finds the choices under which a request gets its reply; says so if there are none. */
function explain(
  seen: Seen,
  possible: readonly Possible[] | undefined,
  isValid: boolean,
  { evidence, verdicts, isKnownPet }: Explaining,
): void {
  const { number, status, requestHeaders, isAuthorizationKnown } = seen
  const { authorization } = requestHeaders
  const token = /^bearer +[A-Za-z0-9\-._~+/]+=* *$/i.test(authorization ?? '')
  const isStranger = isAuthorizationKnown && !token
  const isOddScheme = isAuthorizationKnown && token && !authorization?.startsWith('Bearer ')
  if (possible === undefined) {
    const known = [200, 201, 400, 401, 403, 404, 405, 413, 429]
    if (!known.includes(status)) verdicts.unexplained(number, `no choice answers ${status}`)
    return
  }
  const asHolder: Option[] = isStranger
    ? []
    : holderOptions(seen, possible, isKnownPet).map((one) =>
        isOddScheme ? { ...one, bearerScheme: 'any-case' } : one,
      )
  const strange: Option[] = isValid && !isOddScheme ? [] : strangerOptions(seen, possible)
  const asStranger = isValid
    ? strange.map((one) => ({ ...one, bearerScheme: 'exact' }) as const)
    : strange
  const options = [...asHolder, ...asStranger]
  if (isStranger) {
    const isServed = options.length === 0 && (status < 300 || status === 400)
    const problem = 'a request without a valid key that is not refused with 401'
    verdicts.check('5.3', number, isServed ? problem : undefined)
    if (isServed) return
  }
  if (options.length > 0) {
    evidence.add(options, number)
    checkContent(seen, possible, verdicts)
    return
  }
  const fitting = possible.filter((one) => one.status === status || one.orElse === status)
  const problem = fitting.map((one) => contentProblem(seen, one)).find((one) => one !== undefined)
  if (problem !== undefined) verdicts.check(problem[0], number, problem[1])
  else if (fitting.length > 0 && isKnownPet) {
    verdicts.check('4.3', number, 'a 404 for a pet that is there')
  } else verdicts.unexplained(number, `no choice at any gap answers ${status}`)
}

function holderOptions(seen: Seen, possible: readonly Possible[], isKnownPet: boolean): Option[] {
  const { status } = seen
  return possible.flatMap((one): Option[] => {
    if (status === 429 || status === 403) {
      const ban: Option = status === 403 ? { banStatus: 403 } : {}
      const isRefused = one.status >= 400 && one.orElse === undefined
      return [{ ...one.choices, ...ban, ...(isRefused ? { refusalOrder: 'limit-first' } : {}) }]
    }
    const isMissing = one.status === 404 && one.orElse === 200
    if (isMissing && isKnownPet && status === 404) return []
    if (one.status !== status && one.orElse !== status) return []
    return contentProblem(seen, one) === undefined ? [one.choices] : []
  })
}

function strangerOptions({ status }: Seen, possible: readonly Possible[]): Option[] {
  if (status === 429) return [{ unauthorizedLimit: 'limited' }]
  return possible.flatMap(({ choices, isUnknownRoute, status: own }): Option[] => {
    if (!isUnknownRoute) return status === 401 ? [choices] : []
    if (status === 401) return [{ ...choices, unknownRouteWithoutKey: 'unauthorized' }]
    return status === own ? [{ ...choices, unknownRouteWithoutKey: 'not-found' }] : []
  })
}

/** What is wrong with the content of a reply, under one way to read its request. */
function contentProblem(
  seen: Seen,
  { page, created }: Possible,
): readonly [ClauseName, string] | undefined {
  const found = seen.status < 300 ? jsonIn(seen.body) : undefined
  if (page !== undefined && Array.isArray(found)) {
    if (found.length > page.limit) return ['4.1', `more pets than limit`]
    const isOutside = (pet: unknown): boolean => isRecord(pet) && pet.status !== page.status
    if (page.status !== undefined && found.some(isOutside))
      return ['4.1', 'a pet outside of the filter']
  }
  if (created !== undefined && seen.status === 201 && isRecord(found)) {
    const isSame =
      found.name === created.name && plain(found.categoryId) === String(created.categoryId)
    const shown = found.status === 'reserved' ? 'pending' : found.status
    if (!isSame || shown !== created.status) return ['4.2', 'a pet that is not the one sent']
  }
  const id = askedId(seen)
  const isOther = id !== undefined && isRecord(found) && plain(found.id) !== String(BigInt(id))
  return isOther ? ['4.3', 'a pet with another id than was asked for'] : undefined
}

function checkContent(seen: Seen, possible: readonly Possible[], verdicts: Verdicts): void {
  if (seen.status >= 300) return
  if (possible.some(({ page }) => page !== undefined)) verdicts.check('4.1', seen.number, undefined)
  if (possible.some(({ created }) => created !== undefined)) {
    verdicts.check('4.2', seen.number, undefined)
  }
  if (/^\/pets\/\d/.test(seen.target)) verdicts.check('4.3', seen.number, undefined)
}
