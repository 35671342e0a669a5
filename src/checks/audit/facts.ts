import { endpoints, type OperationName } from '../../mock/api/endpoints.ts'
import type { ErrorCode } from '../../mock/api/error.ts'
import type { GapValues } from '../../mock/api/gaps.ts'
import { type LoggedRequest, type RequestTiming, timingOf } from '../../mock/log/logged-request.ts'

/** Facts about a request and its response that later requests are checked against. */
export class RequestFacts {
  readonly id: number
  readonly client: ClientFacts
  /** Timing, which changes until the response has ended. */
  timing: RequestTiming
  readonly operation: OperationName | undefined
  readonly method: string
  readonly url: string
  readonly body: string
  /** Unix milliseconds, by the sandbox's clock. */
  readonly at: number
  readonly endedAt: number
  /** Response status; `undefined` if no response was started. */
  readonly status: number | undefined
  readonly code: ErrorCode | undefined
  readonly quota: Pick<LoggedRequest, 'window' | 'limit' | 'remaining' | 'resetAt'>
  /** Id of the pet that the request created, whether or not the response was delivered. */
  readonly petId: LoggedRequest['petId']
  /** Whether a fault made the response invalid JSON. */
  readonly isMalformed: boolean
  /** `Retry-After` header of the response, as sent. */
  readonly retryAfter: string | undefined
  readonly retryAfterFormat: GapValues['retryAfterFormat']
  /** Whether the list shows a new pet late. */
  readonly isListedLate: boolean
  /** Time by which the response's `Date` was ahead of the sandbox's clock, in milliseconds. */
  readonly dateAheadMs: number
  readonly quiet: Quiet
  readonly #retryAt: number | undefined

  constructor(client: ClientFacts, logged: LoggedRequest, quiet: Quiet) {
    const { request, outcome, gaps, rejection } = logged
    this.id = logged.id
    this.client = client
    this.timing = logged
    this.operation = logged.operation
    this.method = request.method
    this.url = comparable(request.url)
    this.body = comparable(request.body)
    this.at = logged.at
    this.endedAt = logged.endedAt ?? logged.at
    this.status = 'status' in outcome ? outcome.status : undefined
    this.code = rejection?.code
    const { window, limit, remaining, resetAt } = logged
    this.quota = { window, limit, remaining, resetAt }
    this.petId = logged.petId
    this.isMalformed = logged.appliedFaults.some(({ fault }) => fault === 'malformed-json')
    this.#retryAt = rejection?.retryAt
    this.retryAfter =
      this.#retryAt !== undefined && 'headers' in outcome
        ? outcome.headers['retry-after']
        : undefined
    this.retryAfterFormat = gaps.retryAfterFormat
    this.isListedLate = gaps.newPetListed !== 'at-once'
    this.dateAheadMs = gaps.dateHeaderSkew === 'none' ? 0 : gaps.dateHeaderSkew
    this.quiet = quiet
  }

  /** Keeps only the timing of the request, which may be long. */
  settle(): void {
    if (this.timing.endOrder !== undefined) this.timing = timingOf(this.timing)
  }

  /** Status, if the response arrived whole and readable; otherwise the client can't be sure of it. */
  get arrivedStatus(): number | undefined {
    return this.timing.delivery === 'delivered' && !this.isMalformed ? this.status : undefined
  }

  /** Whether the response had a retry time, even if it didn't arrive whole. */
  get isRejection(): boolean {
    return this.#retryAt !== undefined
  }

  /** Retry time in the response, in Unix milliseconds; `undefined` if the response didn't arrive whole. */
  get retryAt(): number | undefined {
    return this.timing.delivery === 'delivered' ? this.#retryAt : undefined
  }
}

/** Maximum length of a text that is kept for comparison, in characters. */
const keptText = 256

/** Shortens a long text to its beginning, its length and a hash. */
function comparable(text: string): string {
  if (text.length <= keptText) return text
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0
  return `${text.slice(0, 80)}… ${text.length} ${hash}`
}

/** Idle time before a request, in real milliseconds. */
export interface Quiet {
  /** Time since the client's latest activity. */
  readonly ms: number
  /** Maximum lateness of the server's event loop during that time. */
  readonly lateMs: number
}

/** A failed request and its retries. */
export interface Tries {
  /** Latest tries, oldest first. */
  readonly list: readonly RequestFacts[]
  readonly count: number
  /** Shortest pause between two consecutive tries, including those no longer kept, in milliseconds. */
  readonly shortestPauseMs: number
}

/** Facts about a client that are known from its earlier requests. */
export interface ClientFacts {
  readonly number: number
  /** Whether the client runs in the sandbox's process, so that it alone decides when its requests arrive. */
  readonly isInProcess: boolean
  /** Whether the client has ever had two requests in flight; then the order of requests alone proves little. */
  readonly isParallel: boolean
  readonly all: AllClients
  readonly keyUse: KeyFacts
  /** Latest responses with a retry time, oldest first. */
  readonly rejections: readonly RequestFacts[]
  /** Latest list, with its text in `listBody` unless that is long; `undefined` once the client has sent a pet. */
  readonly list: RequestFacts | undefined
  readonly listBody: string
  /** Latest request. */
  readonly latest: RequestFacts | undefined
  /** Latest responses with nothing remaining until a reset. */
  readonly spent: readonly RequestFacts[]
  /** Previous time that the same request was sent. */
  readonly previous: RequestFacts | undefined
  /** Earlier tries of the current request, if all of them failed and the client knew it. */
  readonly tries: Tries | undefined
}

/** Usage of a key, over all connections. */
export interface KeyFacts {
  /** Whether two of its requests have ever been in flight at once; then each connection may be another client. */
  readonly isParallel: boolean
  /** Position in the sequence of the key's latest request that read pets; 0 before the first. */
  readonly lastLookOrder: number
}

/** Facts about all clients together. */
export class AllClients {
  /** Position in the sequence of the request that created the latest pet. */
  lastPetOrder = 0
  /** Large ids that any client has received or requested. */
  readonly knownIds = new Set<string>()
  /** The latest requests that were redirected. */
  redirects: readonly RequestFacts[] = []
  /** The latest request of all. */
  latest: RequestFacts | undefined

  forget(): void {
    this.redirects = []
    this.latest = undefined
  }
}

/** Describes a request, such as `GET /pets/{petId}`, or `GET /v1/cats` for an unknown operation. */
export function requestText({
  operation,
  method,
  url,
}: Pick<RequestFacts, 'operation' | 'method' | 'url'>): string {
  // An unreadable request has an empty method.
  if (method === '') return 'an unreadable request'
  if (operation === undefined) return `${method} ${url.slice(0, 80)}`
  return `${endpoints[operation].method} ${endpoints[operation].path}`
}
