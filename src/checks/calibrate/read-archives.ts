import { decodeBody, headersFrom } from '../../mock/api/http.ts'
import { jsonIn } from '../../mock/api/json.ts'
import { type Headers, utf8Length } from '../../mock/api/message.ts'
import { ChoiceError, InputError } from '../../mock/input/input-error.ts'
import { grouped, isRecord, mapTable } from '../../mock/input/record.ts'

/** Request to the API with its response. */
export interface Seen {
  /** Position in the order of all files together, from 1. */
  readonly number: number
  readonly method: string
  /** Target below the base address, such as `/pets?limit=2`. */
  readonly target: string
  readonly requestHeaders: Headers
  /** `''` for a request without a body; `undefined` if it is cut, altered or left out, as in `body`. */
  readonly requestBody: string | undefined
  /** Name of the client, if known; `''` without a key. Two requests have the same name only if they had the same key. */
  readonly client: string | undefined
  /** Whether a missing or malformed `Authorization` was really sent that way. */
  readonly isAuthorizationKnown: boolean
  readonly status: number
  readonly headers: Headers
  readonly body: string | undefined
  /** Bodies parsed as JSON. */
  readonly sent: unknown
  readonly found: unknown
  readonly mimeType: string
  /** Unix milliseconds by the recorder's clock; the end is infinite if it wasn't recorded. */
  readonly startAt: number
  readonly endAt: number
  /** `Date` in Unix seconds. */
  readonly date: number | undefined
  /** Whether a page of another origin sent the request. */
  readonly isCrossOrigin: boolean
  /** Whether the response comes from the service, and not from a cache or an intermediary. */
  readonly isChecked: boolean
}

/** Requests to one API in HAR files. */
export interface History {
  readonly baseUrl: string | null
  /** Number of entries in the files, including requests to other addresses. */
  readonly read: number
  /** Requests in lists whose order is certain. */
  readonly sequences: readonly (readonly Seen[])[]
  /** Requests without a response. */
  readonly lost: readonly Pick<Seen, 'client' | 'startAt'>[]
}

interface Archive {
  readonly log: { readonly entries: readonly unknown[] }
}

export type Members = Readonly<Record<string, unknown>>

/** Request to any address, with the index of its file. */
interface Entry extends Omit<Seen, 'number' | 'target'> {
  readonly url: URL
  readonly file: number
}

/**
 * Reads HAR files (HAR 1.2) as one history.
 *
 * @param base Address of the API; by default found from the requests' paths.
 * @throws {@link InputError} if a file isn't HAR.
 * @throws {@link ChoiceError} if several places could be the API.
 */
export function readArchives(archives: readonly unknown[], base: string | undefined): History {
  const lists = archives.map((archive) => expectArchive(archive).log.entries)
  const entries = lists
    .flatMap((list, file) => list.flatMap((found) => entryOf(found, file)))
    // The sort is stable: requests that began together stay in the order of the file.
    .toSorted((one, other) => one.startAt - other.startAt)
  const read = lists.flat().length
  const baseUrl = base === undefined ? findBase(entries) : readBase(base)
  if (baseUrl === undefined) return { baseUrl: null, read, sequences: [], lost: [] }
  const api = entries.flatMap(({ url, ...seen }) => {
    const address = `${url.origin}${url.pathname}`
    const target = address.slice(baseUrl.length) + url.search
    return address.startsWith(`${baseUrl}/`) ? [{ ...seen, target }] : []
  })
  const withKeys = new Set(
    api.flatMap(({ requestHeaders, file }) =>
      requestHeaders.authorization === undefined ? [] : file,
    ),
  )
  const hasResponse = ({ status }: Pick<Seen, 'status'>): boolean =>
    Number.isInteger(status) && status >= 200 && status <= 599
  const responses = api.filter(hasResponse).map((seen) => {
    const isAuthorizationKnown = seen.isAuthorizationKnown && withKeys.has(seen.file)
    const isAnonymous = isAuthorizationKnown && seen.requestHeaders.authorization === undefined
    const client = seen.client ?? (isAnonymous ? '' : undefined)
    return { ...seen, isAuthorizationKnown, client }
  })
  const requests = withoutTwins(responses).map((seen, index) => ({ ...seen, number: index + 1 }))
  // HAR files of a sandbox contain names with a colon instead of keys, which aren't secret.
  const secrets = requests.flatMap(({ client = '' }) => (/^[^:]{4,}$/.test(client) ? client : []))
  // The address may contain a key that the requests send.
  const shown = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '…').replaceAll(encodeURIComponent(secret), '…'),
    baseUrl,
  )
  const sequences = sequencesOf(requests).map(withoutCopies)
  return { baseUrl: shown, read, sequences, lost: api.filter((one) => !hasResponse(one)) }
}

type Filed<One> = One & { readonly file: number }

/** Removes requests that another tool has recorded as well; those of unknown clients may only look alike. */
function withoutTwins<One extends Omit<Seen, 'number'>>(all: readonly Filed<One>[]): Filed<One>[] {
  const times = new Map<string, number>()
  const known = new Set<string>()
  return all.filter(({ file, method, target, status, headers, date, client }) => {
    if (date === undefined || client === undefined) return true
    const name = JSON.stringify([method, target, status, date, client, ...quotaIn(headers)])
    const time = (times.get(`${file} ${name}`) ?? 0) + 1
    times.set(`${file} ${name}`, time)
    const isTwin = known.has(`${time} ${name}`)
    known.add(`${time} ${name}`)
    return !isTwin
  })
}

function quotaIn(headers: Headers): readonly (string | undefined)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
}

/** Splits requests into lists: files that overlap by `Date` aren't in order, as their clocks may differ. */
function sequencesOf(all: readonly Filed<Seen>[]): (readonly Seen[])[] {
  const files = [...grouped(all, ({ file }) => file).values()].map((list) => {
    const dates = list.flatMap(({ date }) => date ?? [])
    if (dates.length === 0) return { list, from: 0, to: Number.POSITIVE_INFINITY }
    const from = dates.reduce((one, other) => Math.min(one, other))
    return { list, from, to: dates.reduce((one, other) => Math.max(one, other)) }
  })
  const made: { list: Seen[]; to: number }[] = []
  for (const { list, from, to } of files.toSorted((one, other) => one.from - other.from)) {
    const before = made.find((one) => one.to + 1 < from)
    if (before === undefined) made.push({ list: [...list], to })
    else {
      before.list.push(...list)
      before.to = to
    }
  }
  return made.map(({ list }) => list)
}

/** Milliseconds within which two responses may have the same `Date`. */
const sameDate = 2000

/** Excludes responses that repeat an earlier one, including its quota and `Date`: they come from a cache. */
function withoutCopies(list: readonly Seen[]): readonly Seen[] {
  const first = new Map<string, Seen>()
  return list.map((seen) => {
    const { method, target, headers, date, client, startAt } = seen
    // A revalidated response comes from the cache later on.
    const status = seen.status === 304 ? 200 : seen.status
    const isStored = status === 200 || status === 404 || status === 410
    if (method !== 'GET' || !isStored || (date === undefined && status !== 200)) return seen
    const name = JSON.stringify([target, status, date, client, ...quotaIn(headers)])
    const earlier = first.get(name)
    if (earlier === undefined) first.set(name, seen)
    // Each 2xx counts, so that a new response would have fewer requests remaining.
    const isCopy = earlier && (status === 200 || startAt - earlier.startAt >= sameDate)
    return isCopy ? { ...seen, isChecked: false } : seen
  })
}

/**
 * Reads a HAR file from parsed JSON or text.
 *
 * @throws {@link InputError} with the path of the problem.
 */
export function expectArchive(found: unknown): Archive {
  const archive = typeof found === 'string' ? jsonIn(found) : found
  const { entries } = recordOf(recordOf(archive).log)
  if (Array.isArray(entries)) return { log: { entries } }
  throw new InputError(
    'Cannot read the HAR file: it is not HAR; use a file with { "log": { "entries": [] } }',
    ['log', 'entries'],
  )
}

/** Returns the members of a JSON object; empty for any other value. */
export function recordOf(found: unknown): Members {
  return isRecord(found) ? found : {}
}

/** Placeholders that tools write instead of keys: no key can contain them. */
const hidden = /[^\x20-\x7e]|[*<>[\]{}]|redact|removed|hidden|x{6}/i

/** Reads an entry of a HAR file; leaves out preflights, the assets of a page, and requests without a time. */
function entryOf(found: unknown, file: number): Entry[] {
  const all = recordOf(found)
  const { time } = all
  const request = recordOf(all.request)
  const response = recordOf(all.response)
  const address = plain(request.url)
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return []
  const url = new URL(address)
  const method = plain(request.method).toUpperCase()
  const [requestHeaders, headers] = [headersOf(request.headers), headersOf(response.headers)]
  const noted = plain(recordOf(response.content).mimeType)
  const mimeType = headers['content-type'] ?? (noted === 'x-unknown' ? '' : noted)
  const isBeside = /^(?:image|font|audio|video)\/|^text\/css|javascript/i.test(mimeType)
  const startAt = Date.parse(plain(all.startedDateTime))
  // A request at an unknown time has no place in the history.
  if (method === '' || method === 'OPTIONS' || isBeside || Number.isNaN(startAt)) return []
  const status = Number(plain(response.status))
  const { authorization = '' } = requestHeaders
  const token = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1]
  const isHidden = hidden.test(authorization)
  const dateAt = Date.parse(headers.date ?? '')
  // Redirects from http to https come from a host in front of the service.
  const isUpgrade = url.protocol === 'http:' && /^https:/.test(headers.location ?? '')
  const [requestBody, body] = [sentBody(request, requestHeaders), receivedBody(response, headers)]
  const isChecked =
    !isCached(all, headers, status) &&
    !isOfHost(status, headers, jsonIn(body)) &&
    !(isUpgrade && status >= 300)
  const entry = {
    ...{ url, file, method, requestBody, body, requestHeaders, status, headers, mimeType, startAt },
    sent: jsonIn(requestBody),
    found: jsonIn(body),
    client:
      typeof all._caller === 'number' ? `${file}:${all._caller}` : isHidden ? undefined : token,
    isAuthorizationKnown: !isHidden,
    isCrossOrigin: isCrossOrigin(requestHeaders, url),
    endAt: startAt + (typeof time === 'number' && time >= 0 ? time : Number.POSITIVE_INFINITY),
    date: Number.isFinite(dateAt) ? Math.floor(dateAt / 1000) : undefined,
    isChecked,
  }
  return [entry]
}

/** Whether a response comes from a cache, according to Chrome, Safari, HAR 1.2 or the cache's headers. */
function isCached(
  { _fromCache: fromCache, _fetchType: fetchType, cache }: Members,
  headers: Headers,
  status: number,
): boolean {
  const { beforeRequest, afterRequest } = recordOf(cache)
  const isKept = [beforeRequest, afterRequest].some((one) => Object.keys(recordOf(one)).length > 0)
  const isHit = Number(headers.age ?? 0) > 0 || /\bhit\b/i.test(headers['x-cache'] ?? '')
  return (
    fromCache !== undefined || isKept || /cache/i.test(plain(fetchType)) || isHit || status === 304
  )
}

function isCrossOrigin(headers: Headers, { origin }: URL): boolean {
  const { origin: sender = origin, 'sec-fetch-site': site } = headers
  return sender !== origin && site !== 'same-origin'
}

/** Whether a host in front of the service has responded: without quota headers, and without a body of the service. */
function isOfHost(status: number, headers: Headers, found: unknown): boolean {
  if (quotaIn(headers).some((value) => value !== undefined)) return false
  if (status < 300) return found === undefined
  // Gateways write JSON of their own, such as { "message": "Endpoint request timed out" }.
  if (status >= 502 && status <= 504) return errorProblem(found, status) !== undefined
  const { code, message, status: own } = recordOf(found)
  const isError = [code, message, own].some((member) => member !== undefined)
  return !isError || status === 407 || status === 511
}

/** Returns what is wrong with an Error body (spec 7). */
export function errorProblem(found: unknown, status: number): string | undefined {
  if (!isRecord(found)) return 'an error without an Error body'
  if (typeof found.code !== 'string') return 'an Error without a code'
  if (typeof found.message !== 'string') return 'an Error without a message'
  return found.status === status ? undefined : "an Error whose status isn't that of the response"
}

const ofApi = /^(.*\/v1)\/(?:pets(?:\/[^/]+)?|store\/orders)\/?$/

/** @throws {@link ChoiceError} if several places fit. */
function findBase(entries: readonly Entry[]): string | undefined {
  const found = new Map<string, boolean>()
  for (const { url, mimeType, headers } of entries) {
    const prefix = ofApi.exec(url.pathname)?.[1]
    if (prefix === undefined) continue
    const isApi = /json/i.test(mimeType) || headers['x-ratelimit-limit'] !== undefined
    const base = `${url.origin}${prefix}`
    found.set(base, isApi || found.get(base) === true)
  }
  const likely = [...found].filter(([, isApi]) => isApi).map(([base]) => base)
  const bases = likely.length > 0 ? likely : [...found.keys()]
  if (bases.length < 2) return bases[0]
  const all = bases.join(' and ')
  throw new ChoiceError(
    `Cannot tell where the API is: ${all} fit; name one with --base-url (baseUrl)`,
    bases,
  )
}

/** @throws {@link InputError} if it isn't an absolute address. */
function readBase(base: string): string {
  if (URL.canParse(base) && /^https?:/i.test(base)) {
    const { origin, pathname } = new URL(base)
    return `${origin}${pathname.replace(/\/+$/, '')}`
  }
  throw new InputError(
    'Cannot use the base URL: it is not an absolute address; use one such as https://api.example.com/v1',
  )
}

/** Reads a list of headers in any letter case, without the pseudo-headers of HTTP/2. */
function headersOf(found: unknown): Headers {
  const list = [found].flat().map(recordOf)
  const lines = list.map(({ name, value }) => [plain(name), plain(value)])
  const headers = headersFrom(lines.filter(([name = '']) => /^[^:]/.test(name)).flat())
  return mapTable(headers, (name) => onceIn(headers[name] ?? ''))
}

/** Returns a value once that a host has added twice. */
function onceIn(value: string): string {
  const half = value.slice(0, (value.length - 2) / 2)
  return value === `${half}, ${half}` ? half : value
}

function sentBody({ postData, bodySize }: Members, headers: Headers): string | undefined {
  const length = headers['content-length']
  if (!isRecord(postData)) {
    return (length === undefined ? bodySize === 0 : length === '0') ? '' : undefined
  }
  const text = textOf(postData)
  const isAltered =
    (postData.comment ?? '') !== '' ||
    text?.includes('\ufffd') ||
    (text !== undefined && length !== undefined && Number(length) !== utf8Length(text))
  return isAltered ? undefined : text
}

function receivedBody({ content, _error: error }: Members, headers: Headers): string | undefined {
  if (!isRecord(content) || (error ?? null) !== null) return undefined
  const text = textOf(content)
  if (text === undefined || text === '') return content.size === 0 ? text : undefined
  const isPlain = headers['content-encoding'] === undefined
  const sizes = [content.size, isPlain ? Number(headers['content-length']) : undefined]
  const isCut = sizes.some((size) => typeof size === 'number' && size > utf8Length(text))
  return isCut && /^\s*[[{]/.test(text) && jsonIn(text) === undefined ? undefined : text
}

/** Returns the decoded text of a body; `undefined` if there is none or if it isn't UTF-8. */
function textOf({ text, encoding }: Members): string | undefined {
  if (typeof text !== 'string') return undefined
  if (encoding !== 'base64') return text.replace(/^\ufeff/, '')
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    const { body, bodyBytes } = decodeBody(bytes)
    return bodyBytes === undefined ? body.replace(/^\ufeff/, '') : undefined
  } catch {
    return undefined
  }
}

/** Writes a string or a number; empty for any other value, which may be nested too deeply to print. */
export function plain(value: unknown): string {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : ''
}

/** Pairs each item of a list with the one before it. */
export function neighboursIn<Item>(list: readonly Item[]): [Item, Item][] {
  return list.slice(1).map((item, index) => [list[index] ?? item, item])
}

/** Reads a whole number; `NaN` for any other text. */
export function wholeIn(text: string | undefined): number {
  return /^\s*\d{1,15}\s*$/.test(text ?? '') ? Number(text) : Number.NaN
}
