import { parseJson } from '../contract/json.ts'
import type { Headers } from '../contract/message.ts'
import { InputError } from '../input/input-error.ts'
import { isRecord } from '../input/record.ts'

/** A body as an archive has it; `unknown` where it is cut, altered or left out. */
export type SeenBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown' | 'none' }

/** One exchange with the API. */
export interface Seen {
  /** Counted from 1, in the order of all files together. */
  readonly number: number
  readonly method: string
  /** The target below the base address, such as `/pets?limit=2`. */
  readonly target: string
  readonly requestHeaders: Headers
  readonly requestBody: SeenBody
  /** Who sent it, as far as that is known: a name that two exchanges share only if they had the same key. */
  readonly caller: string | undefined
  /** Whether a missing or malformed `Authorization` was really sent so. */
  readonly isAuthorizationKnown: boolean
  readonly status: number
  readonly headers: Headers
  readonly body: SeenBody
  readonly mimeType: string
  /** Unix milliseconds by the recorder's clock; the end is infinite where nobody noted it. */
  readonly startAt: number
  readonly endAt: number
  /** `Date` in Unix seconds. */
  readonly date: number | undefined
  /** Whether the reply says something of the service: it is from no cache, and from nothing in between. */
  readonly isJudged: boolean
}

/** What archives hold of one API. */
export interface History {
  readonly baseUrl: string | null
  /** How many entries the archives have, those that aren't of the API included. */
  readonly read: number
  readonly exchanges: readonly Seen[]
  /** When requests were sent that got no reply, by caller. */
  readonly lost: readonly { readonly caller: string | undefined; readonly startAt: number }[]
}

interface Archive {
  readonly log: { readonly entries: readonly unknown[] }
}

type Members = Readonly<Record<string, unknown>>

interface Entry
  extends Pick<Seen, 'method' | 'requestHeaders' | 'status' | 'headers' | 'mimeType' | 'startAt'> {
  readonly request: Members
  readonly response: Members
  readonly all: Members
  readonly url: URL
  readonly caller: string | undefined
  readonly file: number
}

/**
 * Reads HTTP archives (HAR 1.2) as one history.
 *
 * @param base Where the API is; by default found from the requests' paths.
 * @throws {@link InputError} for what is no archive, and when several places could be the API.
 */
export function readArchives(archives: readonly unknown[], base: string | undefined): History {
  const lists = archives.map((archive) => expectArchive(archive).log.entries)
  const entries = lists.flatMap((list, file) => list.flatMap((found) => entryOf(found, file)))
  // Stable, so that what began together stays in the order of the file.
  const sorted = entries.toSorted((one, other) => one.startAt - other.startAt)
  const read = lists.reduce((sum, list) => sum + list.length, 0)
  const baseUrl = base === undefined ? findBase(sorted) : readBase(base)
  if (baseUrl === undefined) return { baseUrl: null, read, exchanges: [], lost: [] }
  const api = sorted.filter((entry) => targetOf(entry, baseUrl) !== undefined)
  const withKeys = new Set(
    api
      .filter(({ requestHeaders }) => requestHeaders.authorization !== undefined)
      .map(({ file }) => file),
  )
  const isAnswered = ({ status }: Entry): boolean =>
    Number.isInteger(status) && status >= 200 && status <= 599
  const exchanges = api
    .filter(isAnswered)
    .map((entry, index) => seenOf(entry, index + 1, baseUrl, withKeys.has(entry.file)))
  const lost = api.filter((entry) => !isAnswered(entry))
  // What archives of a sandbox have in the place of a key has a colon, and is no secret.
  const secrets = exchanges.flatMap(({ caller = '' }) => (/^[^:]{4,}$/.test(caller) ? caller : []))
  return { baseUrl: hide(baseUrl, secrets), read, exchanges, lost }
}

/** An address may hold what the requests send as their key. */
function hide(baseUrl: string, secrets: readonly string[]): string {
  return [...new Set(secrets)].reduce((text, secret) => text.replaceAll(secret, '…'), baseUrl)
}

/**
 * Returns what is an archive.
 *
 * @throws {@link InputError} with the place.
 */
export function expectArchive(found: unknown): Archive {
  const { log } = isRecord(found) ? found : {}
  const { entries } = isRecord(log) ? log : {}
  if (Array.isArray(entries)) return { log: { entries } }
  throw new InputError(
    'Cannot read the archive: it is no HAR; use one with { "log": { "entries": [] } }',
    ['log', 'entries'],
  )
}

/** Reads an entry of an archive; preflights, and what pages load beside an API, are none. */
function entryOf(all: unknown, file: number): Entry[] {
  const { request, response: answer } = isRecord(all) ? all : {}
  if (!isRecord(all) || !isRecord(request) || typeof request.url !== 'string') return []
  if (!/^https?:/i.test(request.url) || !URL.canParse(request.url)) return []
  const response = isRecord(answer) ? answer : {}
  const method = plain(request.method).toUpperCase()
  const [requestHeaders, headers] = [headersOf(request.headers), headersOf(response.headers)]
  const noted = isRecord(response.content) ? plain(response.content.mimeType) : ''
  const mimeType = headers['content-type'] ?? (noted === 'x-unknown' ? '' : noted)
  const isBeside = /^(?:image|font|audio|video)\/|^text\/css|javascript/i.test(mimeType)
  if (method === '' || method === 'OPTIONS' || isBeside) return []
  const at = Date.parse(plain(all.startedDateTime))
  return [
    {
      ...{ request, response, all, method, requestHeaders, headers, mimeType, file },
      url: new URL(request.url),
      caller: callerOf(requestHeaders, all._caller, file),
      status: Number(plain(response.status)),
      startAt: Number.isFinite(at) ? at : 0,
    },
  ]
}

const ofApi = /^(.*\/v1)\/(?:pets(?:\/[^/]+)?|store\/orders)\/?$/

/** @throws {@link InputError} when several places fit. */
function findBase(entries: readonly Entry[]): string | undefined {
  const found = new Map<string, boolean>()
  for (const entry of entries) {
    const prefix = ofApi.exec(entry.url.pathname)?.[1]
    if (prefix === undefined) continue
    const isApi = /json/i.test(entry.mimeType) || entry.headers['x-ratelimit-limit'] !== undefined
    const base = `${entry.url.origin}${prefix}`
    found.set(base, isApi || found.get(base) === true)
  }
  const likely = [...found].filter(([, isApi]) => isApi).map(([base]) => base)
  const bases = likely.length > 0 ? likely : [...found.keys()]
  if (bases.length < 2) return bases[0]
  throw new InputError(
    `Cannot tell where the API is: ${bases.join(' and ')} fit; choose one with --base-url (baseUrl)`,
  )
}

/** @throws {@link InputError} for what is no address. */
function readBase(base: string): string {
  if (URL.canParse(base) && /^https?:/i.test(base)) {
    const { origin, pathname } = new URL(base)
    return `${origin}${pathname.replace(/\/+$/, '')}`
  }
  throw new InputError(
    'Cannot use the base URL: it is no absolute address; use one such as https://api.example.com/v1',
  )
}

/** What comes after the base address; `undefined` for what isn't below it. */
function targetOf({ url }: Entry, base: string): string | undefined {
  const prefix = base.slice(url.origin.length)
  if (!base.startsWith(url.origin) || !url.pathname.startsWith(`${prefix}/`)) return undefined
  return url.pathname.slice(prefix.length) + url.search
}

/** Reads a list of headers, in any letter case; HTTP/2's own are none. */
function headersOf(found: unknown): Headers {
  const headers = new Map<string, string>()
  for (const one of Array.isArray(found) ? found : []) {
    if (!isRecord(one) || typeof one.name !== 'string' || typeof one.value !== 'string') continue
    const name = one.name.toLowerCase()
    if (name.startsWith(':')) continue
    const before = headers.get(name)
    headers.set(name, before === undefined ? one.value : `${before}, ${one.value}`)
  }
  return Object.fromEntries(headers)
}

/** What tools put in the place of keys: no key can have it. */
const hidden = /[^\x20-\x7e]|[*<>[\]{}]|redact|removed|hidden|x{6}/i

function callerOf(
  { authorization = '' }: Headers,
  noted: unknown,
  file: number,
): string | undefined {
  if (typeof noted === 'number') return `${file}:${noted}`
  const token = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1]
  return hidden.test(authorization) ? undefined : token
}

function seenOf(entry: Entry, number: number, base: string, hasKeys: boolean): Seen {
  const { request, response, all, url, file: _, ...seen } = entry
  const { status, headers, requestHeaders } = seen
  const dateAt = Date.parse(headers.date ?? '')
  const isStale = all._fromCache !== undefined || Number(headers.age ?? 0) > 0 || status === 304
  const isBetween =
    [407, 408, 502, 503, 504, 511].includes(status) && headers['x-ratelimit-limit'] === undefined
  const isRedirect = status >= 300 && status < 400
  // From http to https, which a host does before the service has the request.
  const isUpgrade =
    isRedirect && url.protocol === 'http:' && headers.location?.startsWith('https:') === true
  return {
    ...seen,
    number,
    target: targetOf(entry, base) ?? '',
    requestBody: sentBody(request, requestHeaders),
    isAuthorizationKnown: hasKeys && !hidden.test(requestHeaders.authorization ?? ''),
    body: receivedBody(response, headers),
    endAt: seen.startAt + durationOf(all),
    date: Number.isFinite(dateAt) ? Math.floor(dateAt / 1000) : undefined,
    isJudged: !isStale && !isBetween && !isUpgrade,
  }
}

/** How long an exchange took; infinite where nobody noted it. */
function durationOf({ time, timings }: Members): number {
  if (typeof time === 'number' && time >= 0) return time
  const parts = isRecord(timings) ? Object.values(timings) : []
  const known = parts.filter((part) => typeof part === 'number' && part >= 0).map(Number)
  if (known.length === 0) return Number.POSITIVE_INFINITY
  return known.reduce((sum, part) => sum + part, 0)
}

const unknownBody: SeenBody = { kind: 'unknown' }

function sentBody({ postData, bodySize }: Members, headers: Headers): SeenBody {
  const length = headers['content-length']
  if (!isRecord(postData)) {
    const isNone = length === undefined ? bodySize === 0 : length === '0'
    return isNone ? { kind: 'none' } : unknownBody
  }
  if (postData.comment !== undefined && postData.comment !== '') return unknownBody
  const text = textOf(postData)
  if (text === undefined || text.includes('\ufffd')) return unknownBody
  if (length !== undefined && Number(length) !== bytesOf(text)) return unknownBody
  return { kind: 'text', text }
}

function receivedBody({ content, _error: error }: Members, headers: Headers): SeenBody {
  if (!isRecord(content) || (error !== undefined && error !== null)) return unknownBody
  const text = textOf(content)
  if (text === undefined) return unknownBody
  if (text === '') return content.size === 0 ? { kind: 'none' } : unknownBody
  const isPlain = headers['content-encoding'] === undefined
  const sizes = [content.size, isPlain ? Number(headers['content-length']) : undefined]
  const isCut = sizes.some((size) => typeof size === 'number' && size > bytesOf(text))
  return isCut && /^\s*[[{]/.test(text) && !isJson(text) ? unknownBody : { kind: 'text', text }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The text of a body, decoded; `undefined` if there is none, or it is no UTF-8. */
function textOf({ text, encoding }: Members): string | undefined {
  if (typeof text !== 'string') return undefined
  if (encoding !== 'base64') return text.replace(/^\ufeff/, '')
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Parses a body with exact integers; `undefined` for what isn't JSON. */
export function jsonIn(body: SeenBody): unknown {
  if (body.kind !== 'text') return undefined
  try {
    return parseJson(body.text)
  } catch {
    return undefined
  }
}

/** Writes a string or a number; nothing for anything else, which may be nested too deeply for that. */
export function plain(value: unknown): string {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : ''
}

/** Reads a whole number; `NaN` for what is none. */
export function wholeIn(text: string | undefined): number {
  return /^\s*\d{1,15}\s*$/.test(text ?? '') ? Number(text) : Number.NaN
}
