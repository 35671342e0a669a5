import { type LoggedRequest, type RequestTiming, timingOf } from '../../mock/log/logged-request.ts'
import { endpoints, type OperationName } from '../../mock/spec/endpoints.ts'
import type { ErrorCode } from '../../mock/spec/error.ts'
import type { GapChoices } from '../../mock/spec/gaps.ts'

/** What is kept of a request and its answer, for later requests to be judged by. */
export class RequestFacts {
  readonly id: number
  readonly client: ClientFacts
  /** Its timing, which goes on until its response has ended. */
  visit: RequestTiming
  readonly operation: OperationName | undefined
  readonly method: string
  readonly url: string
  readonly body: string
  /** Unix milliseconds, by the sandbox's clock. */
  readonly at: number
  readonly endedAt: number
  /** `undefined` if no reply was begun. */
  readonly status: number | undefined
  readonly code: ErrorCode | undefined
  readonly quota: Pick<LoggedRequest, 'window' | 'limit' | 'remaining' | 'resetAt'>
  /** The pet that the request added, whether or not the answer was delivered. */
  readonly petId: LoggedRequest['petId']
  /** Whether a fault made the answer invalid JSON. */
  readonly isMalformed: boolean
  /** The `Retry-After` of the reply, as it was sent. */
  readonly retryAfter: string | undefined
  readonly retryAfterFormat: GapChoices['retryAfterFormat']
  /** Whether the list shows a new pet late. */
  readonly isListedLate: boolean
  /** How far the reply's `Date` was ahead of the sandbox's clock, in milliseconds. */
  readonly dateAheadMs: number
  readonly quiet: Quiet
  readonly #retryAt: number | undefined

  constructor(client: ClientFacts, exchange: LoggedRequest, quiet: Quiet) {
    const { request, outcome, gaps, refusal } = exchange
    this.id = exchange.id
    this.client = client
    this.visit = exchange
    this.operation = exchange.operation
    this.method = request.method
    this.url = comparable(request.url)
    this.body = comparable(request.body)
    this.at = exchange.at
    this.endedAt = exchange.endedAt ?? exchange.at
    this.status = 'status' in outcome ? outcome.status : undefined
    this.code = refusal?.code
    const { window, limit, remaining, resetAt } = exchange
    this.quota = { window, limit, remaining, resetAt }
    this.petId = exchange.petId
    this.isMalformed = exchange.strikes.some(({ fault }) => fault === 'malformed-json')
    this.#retryAt = refusal?.retryAt
    this.retryAfter =
      this.#retryAt !== undefined && 'headers' in outcome
        ? outcome.headers['retry-after']
        : undefined
    this.retryAfterFormat = gaps.retryAfterFormat
    this.isListedLate = gaps.newPetListed !== 'at-once'
    this.dateAheadMs = gaps.dateHeaderSkew === 'none' ? 0 : gaps.dateHeaderSkew
    this.quiet = quiet
  }

  /** Keeps its timing apart from the rest of the request, which may be long. */
  settle(): void {
    if (this.visit.answerOrder !== undefined) this.visit = timingOf(this.visit)
  }

  /** The status, if the reply arrived whole and can be read; any other reply tells its client nothing for sure. */
  get arrivedStatus(): number | undefined {
    return this.visit.delivery === 'delivered' && !this.isMalformed ? this.status : undefined
  }

  /** Whether its reply said when to come back, even if the reply did not arrive whole. */
  get isRefusal(): boolean {
    return this.#retryAt !== undefined
  }

  /** When its client was told to come back, in Unix milliseconds; a refusal that never arrived tells nothing. */
  get retryAt(): number | undefined {
    return this.visit.delivery === 'delivered' ? this.#retryAt : undefined
  }
}

/** The longest text that is kept to be compared, in characters. */
const keptText = 256

/** A text of bounded length that stands for another one. */
function comparable(text: string): string {
  if (text.length <= keptText) return text
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0
  return `${text.slice(0, 80)}… ${text.length} ${hash}`
}

/** The real time before a request, in milliseconds. */
export interface Quiet {
  /** Time for which its client had done nothing. */
  readonly ms: number
  /** How late the event loop of the server was meanwhile, at most. */
  readonly lateMs: number
}

/** A request that failed, and each time that it was sent again after that. */
export interface Tries {
  /** The latest ones, the first of them first. */
  readonly list: readonly RequestFacts[]
  readonly count: number
  /** The shortest pause between two of them all, in milliseconds. */
  readonly shortestPauseMs: number
}

/** A client, as rules see it: what is known from its earlier requests. */
export interface ClientFacts {
  readonly caller: number
  /** Whether it shares the process, so that nothing but it decides when its requests arrive. */
  readonly isInProcess: boolean
  /** Whether it has ever had two requests under way: then an order alone proves little. */
  readonly isParallel: boolean
  readonly all: AllClients
  readonly keyUse: KeyFacts
  /** Its latest refusals for quota, the latest last. */
  readonly refusals: readonly RequestFacts[]
  /** Its latest list, and the text of it if that isn't long; `undefined` once it has sent a pet. */
  readonly list: RequestFacts | undefined
  readonly listBody: string
  /** Its latest exchange of all. */
  readonly latest: RequestFacts | undefined
  /** Its latest replies that said that nothing is left until a reset. */
  readonly spent: readonly RequestFacts[]
  /** The same request as the one that is judged, the last time before. */
  readonly previous: RequestFacts | undefined
  /** The earlier tries of the request that is judged, if they failed one after the other, and it knew. */
  readonly tries: Tries | undefined
}

/** The use of a key, over whichever connections. */
export interface KeyFacts {
  /** Whether two of its requests have ever been under way at a time: then each connection may be another client. */
  readonly isParallel: boolean
  /** Where the latest request of the key stands that showed what pets there are; 0 for none. */
  readonly lastLookOrder: number
}

/** What is known of all clients together. */
export class AllClients {
  /** Where the request stands that added the latest pet. */
  lastPetOrder = 0
  /** The large ids that anybody was given, or has asked for. */
  readonly knownIds = new Set<string>()
  /** The latest refusal of each client that has not come back since, by caller and connection. */
  readonly refused = new Map<string, RequestFacts>()
  /** The latest requests that were redirected. */
  redirects: readonly RequestFacts[] = []
  /** The latest request of all. */
  latest: RequestFacts | undefined
  /** The latest requests of clients that came back after a refusal. */
  returned: RequestFacts[] = []

  forget(): void {
    this.refused.clear()
    this.redirects = []
    this.latest = undefined
    this.returned = []
  }
}

/** Writes what a request asked for, such as `GET /pets/{petId}`, or `GET /v1/cats` where there is no such operation. */
export function requestText({
  operation,
  method,
  url,
}: Pick<RequestFacts, 'operation' | 'method' | 'url'>): string {
  // Of a request that is no HTTP, nothing is known.
  if (method === '') return 'an unreadable request'
  if (operation === undefined) return `${method} ${url.slice(0, 80)}`
  return `${endpoints[operation].method} ${endpoints[operation].path}`
}
