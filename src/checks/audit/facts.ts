import { endpoints } from '../../mock/api/endpoints.ts'
import type { ErrorCode } from '../../mock/api/error.ts'
import { copyPart } from '../../mock/api/message.ts'
import type { LoggedRequest, RequestResult } from '../../mock/log/logged-request.ts'

/** A request as rules see it: its record, and what its client did before. */
export class RequestFacts {
  /** Its record; without its headers and bodies once it isn't among the latest. */
  logged: LoggedRequest
  readonly client: ClientFacts
  readonly quiet: Quiet
  /** URL and body, shortened if long, to compare later requests with. */
  readonly url: string
  readonly body: string

  constructor(client: ClientFacts, logged: LoggedRequest, quiet: Quiet) {
    this.logged = logged
    this.client = client
    this.quiet = quiet
    this.url = comparable(logged.request.url)
    this.body = comparable(logged.request.body)
  }

  /** Drops the texts of the record, which may be long, unless its timing still changes. */
  settle(): void {
    const { request, outcome, endOrder } = this.logged
    if (endOrder === undefined) return
    this.logged = {
      ...this.logged,
      request: { method: request.method, url: this.url, headers: {}, body: this.body },
      outcome: 'body' in outcome ? { ...outcome, body: '' } : outcome,
    }
  }

  get result(): RequestResult {
    return this.logged.result
  }

  /** Time at which the outcome was known, in Unix milliseconds by the sandbox's clock. */
  get endedAt(): number {
    return this.logged.endedAt ?? this.logged.at
  }

  /** Response status; `undefined` if no response was started. */
  get status(): number | undefined {
    const { outcome } = this.logged
    return 'status' in outcome ? outcome.status : undefined
  }

  /** Status, if the response arrived whole and readable; otherwise the client can't be sure of it. */
  get arrivedStatus(): number | undefined {
    return this.logged.delivery === 'delivered' && !this.isMalformed ? this.status : undefined
  }

  get code(): ErrorCode | undefined {
    return this.result.rejection?.code
  }

  /** Whether a fault made the response invalid JSON. */
  get isMalformed(): boolean {
    return this.result.appliedFaults.some(({ fault }) => fault === 'malformed-json')
  }

  /** Whether the response had a retry time, even if it didn't arrive whole. */
  get isRejection(): boolean {
    return this.result.rejection?.retryAt !== undefined
  }

  /** Retry time in the response, in Unix milliseconds; `undefined` if the response didn't arrive whole. */
  get retryAt(): number | undefined {
    return this.logged.delivery === 'delivered' ? this.result.rejection?.retryAt : undefined
  }
}

/** Maximum length of a text that is kept for comparison, in characters. */
const keptText = 256

/** Shortens a long text to its beginning, its length and a hash. */
function comparable(text: string): string {
  if (text.length <= keptText) return text
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0
  return `${copyPart(text, 0, 80)}… ${text.length} ${hash}`
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
export function operationText({
  request,
  result: { operation },
}: Pick<LoggedRequest, 'request'> & {
  readonly result: Pick<RequestResult, 'operation'>
}): string {
  // An unreadable request has an empty method.
  if (request.method === '') return 'an unreadable request'
  if (operation === undefined) return `${request.method} ${request.url.slice(0, 80)}`
  return `${endpoints[operation].method} ${endpoints[operation].path}`
}
