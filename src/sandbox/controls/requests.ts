import { NotFoundError, show } from '../../mock/input/input-error.ts'
import { type GivenOf, type NamedSchema, object, optional } from '../../mock/input/object.ts'
import { described, readInput } from '../../mock/input/schema.ts'
import { flag, integer, text } from '../../mock/input/values.ts'
import type { LogPosition, NextRequest } from '../../mock/log/request-log.ts'
import {
  filterProperties,
  type RequestFilter,
  type RequestView,
  type StateChange,
} from '../../mock/log/request-view.ts'
import { withoutBodies } from '../../mock/log/show-request.ts'
import type { ControlContext } from './access.ts'
import type { AuditControls } from './audit.ts'
import type { HarDocument } from './har.ts'
import { EventStreams } from './http/events.ts'
import { idInPath, routesOn } from './http/route.ts'
import type { UnderWayView } from './under-way.ts'

const digits = text({ use: 'the digits of an id', pattern: /^-?\d{1,19}$/, most: 20 })

const ownProperties = {
  /** Returns only requests with a lower id: those before the oldest of a page. */
  before: optional(described('Only requests with a lower id.', integer(1, 1e15))),
  /** Returns only requests for this pet, or with this pet in their response. */
  pet: optional(
    described('Only requests for the pet with this id, or whose response has it.', digits),
  ),
  /** Returns only requests with all of these words in their URL, headers, bodies, key or reason. */
  search: optional(
    described('Only requests with all of these words, in any letter case, anywhere.', text()),
  ),
  /** Whether bodies are returned; `true` by default. */
  bodies: optional(described('Whether bodies are returned; they are by default.', flag), true),
} as const

const queryProperties = { ...filterProperties, ...ownProperties } as const

/** Filter for requests, and the parts of each to return; filters left out match all requests. */
export interface RequestQuery extends RequestFilter, GivenOf<typeof ownProperties> {}

/** Filter for requests, and the parts of each to return. */
export const requestQuery: NamedSchema<typeof queryProperties, RequestQuery> = object(
  queryProperties,
  { title: 'filter', example: '{ "status": 429 }' },
)

/** Loads the conversion to HAR, which few pages need. */
function loadHar(): Promise<typeof import('./har.ts')> {
  return import('./har.ts')
}

/** Controls of the request log. */
export interface RequestControls {
  /** Position of the end of the log; unlike ids of requests, a position is never reused after a reset. */
  readonly position: LogPosition
  /** Returns the first request after a position, and whether it follows without missing ones. */
  next(after: LogPosition): NextRequest
  /**
   * Returns the matching requests, oldest first.
   *
   * @throws {@link InputError} for an invalid filter.
   */
  list(query?: RequestQuery): RequestView[]
  /**
   * Returns the latest matching request; `undefined` if there is none.
   *
   * @throws {@link InputError} for an invalid filter.
   */
  last(query?: RequestQuery): RequestView | undefined
  /**
   * Returns a request by its id.
   *
   * @throws {@link NotFoundError} if the log has no such request.
   */
  get(id: number): RequestView
  /** Removes all requests from the log. */
  clear(): void
  /** Returns the latest state changes, and the tests that started and ended; oldest first. */
  changes(): StateChange[]
  /**
   * Returns the matching requests as HAR 1.2, for a browser's developer tools or for Playwright to replay.
   *
   * @param origin Start of the addresses; by default the `Host` that clients sent, or `http://localhost`.
   */
  har(query?: RequestQuery, origin?: string): Promise<HarDocument>
  /**
   * Calls a listener with each new request, across resets; returns a function that removes it. Errors in a listener are
   * reported, and don't affect the request or other listeners.
   */
  onRequest(listener: (entry: RequestView) => void): () => void
  /**
   * Calls a listener with all requests that have been in progress for 300 ms, each time that these change; returns a
   * function that removes it.
   */
  subscribeUnderWay(listener: (view: UnderWayView) => void): () => void
  /** Calls a listener with each new state change, across resets; returns a function that removes it. */
  onEvent(listener: (change: StateChange) => void): () => void
}

/** Returns whether the URL or the response of a request contains a pet's id, digit for digit. */
function isOfPet({ request, outcome, decision }: RequestView, pet: string): boolean {
  if (decision?.petId === pet || request.url.split(/[/?]/).includes(pet)) return true
  return 'body' in outcome && new RegExp(`"id": ?${pet}(?!\\d)`).test(outcome.body)
}

function hasWords(entry: RequestView, words: readonly string[]): boolean {
  const { request, outcome, key = '', why, operation = '' } = entry
  const messages = 'headers' in outcome ? [request, outcome] : [request]
  const all = messages.flatMap(({ headers, body }) => [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    body,
  ])
  const text = [request.method, request.url, key, why, operation, ...all].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Creates the controls of a sandbox's request log. */
export function requestControls({ state, underWay }: ControlContext): RequestControls {
  const list = (query: RequestQuery = {}): RequestView[] => {
    const {
      before = Infinity,
      pet,
      search,
      bodies,
      limit,
      ...filter
    } = readInput(requestQuery, query)
    const hasOwn = before !== Infinity || pet !== undefined || search !== undefined
    const words = search?.toLowerCase().split(/\s+/) ?? []
    const found = state().requests.entries({ ...filter, limit: hasOwn ? undefined : limit })
    const own = hasOwn
      ? found.filter(
          (entry) =>
            entry.id < before &&
            (pet === undefined || isOfPet(entry, pet)) &&
            (words.length === 0 || hasWords(entry, words)),
        )
      : found
    return own
      .slice(-(limit ?? own.length) || own.length)
      .map(bodies ? (one) => one : withoutBodies)
  }
  return {
    get position() {
      return state().requests.position
    },
    next: (after) => state().requests.next(after),
    list,
    last: (query) => list(query).at(-1),
    get(id) {
      const entry = state().requests.get(id)
      if (entry !== undefined) return entry
      const [oldest, latest] = [list().at(0), list().at(-1)]
      const range = oldest && latest ? `has requests ${oldest.id} to ${latest.id}` : 'is empty'
      throw new NotFoundError(
        `Cannot find request ${show(id)}: no such request in the log, which ${range}`,
      )
    },
    clear: () => state().requests.clear(),
    changes: () => state().requests.changes(),
    async har(query, origin) {
      const requests = list(query)
      const { servedAt, toHar } = await loadHar()
      return toHar(requests, origin === undefined ? servedAt('http://localhost') : () => origin)
    },
    onRequest: (listener) => state().requests.onRequest(listener),
    subscribeUnderWay: (listener) => underWay.subscribe(listener),
    onEvent: (listener) =>
      state().requests.watch((event) => {
        if ('mark' in event) listener(event.mark)
      }),
  }
}

const route = routesOn<{
  readonly controls: Pick<AuditControls, 'onFinding'> & { readonly requests: RequestControls }
}>('requests')

/** Routes of the request log. */
export const requestRoutes = {
  'requests.list': route('requests.list', {
    summary: 'List the latest requests, with the reason for each response',
    description: 'Returns the matching requests, oldest first, with keys shortened.',
    query: requestQuery,
    run: ({ controls, query }) => controls.requests.list(query),
  }),
  'requests.clear': route('requests.clear', {
    summary: 'Clear the request log; ids count on',
    run: ({ controls }) => controls.requests.clear(),
  }),
  'requests.changes': route('requests.changes', {
    summary: 'List the latest state changes and the tests that started and ended',
    description:
      'Returns what the clock, controls, resets and tests changed, oldest first, each with its place among the requests.',
    run: ({ controls }) => controls.requests.changes(),
  }),
  'requests.har': route('requests.har', {
    summary: "Export the requests as HAR 1.2, for a browser's developer tools",
    query: requestQuery,
    async run({ controls, query, origin }) {
      const requests = controls.requests.list(query)
      const { servedAt, toHar } = await loadHar()
      return toHar(requests, servedAt(origin))
    },
  }),
  'requests.get': route('requests.get', {
    summary: 'Get a request',
    params: object({ id: idInPath("The request's id.") }, { title: 'request' }),
    run: ({ controls, params }) => controls.requests.get(params.id),
  }),
  events: route('events', {
    summary: 'Stream new requests, as server-sent events',
    description: [
      'Sends an event `request` for each request, with the entry of the log as its data,',
      'an event `change` for each change of the state between them,',
      'and an event `finding` for each new finding on a client.',
      'An event `under-way` has all requests that have waited for 300 ms, each time that these change.',
      'With `Last-Event-ID` the stream continues after that event, with what the log still has;',
      'an event `lost` says that this is not all.',
      'An event `end` says why the stream ends: at most 1 MiB waits for a reader.',
      'A comment every 15 seconds says that the stream is alive.',
    ].join(' '),
    isStream: true,
    run: ({ controls, request, signal, events = new EventStreams() }) =>
      events.open(controls.requests, request.headers['last-event-id'], signal, controls.onFinding),
  }),
} as const
