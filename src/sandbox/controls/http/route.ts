import { maxBodyBytes } from '../../../mock/api/http.ts'
import type { ApiRequest, ApiResponse, Headers } from '../../../mock/api/message.ts'
import { NotFoundError } from '../../../mock/input/input-error.ts'
import { fromTexts, object, type Properties } from '../../../mock/input/object.ts'
import { described, readInput, type Schema, ValidationError } from '../../../mock/input/schema.ts'
import { integer } from '../../../mock/input/values.ts'
import type { EventStreams } from './events.ts'
import { type RouteName, routes } from './routes.ts'

/** A response whose body continues until the client disconnects. */
interface Stream {
  /** Kind of response: a stream, such as events. */
  readonly kind: 'stream'
  /** The HTTP status. */
  readonly status: number
  /** The headers by lower-case name. */
  readonly headers: Headers
  /** Pieces of the body; the next one is requested once the one before is sent. */
  readonly pieces: AsyncIterable<string>
}

/** Response to a control request. */
export type ControlResponse = ApiResponse | Stream

/** Context of a control request; routes require the controls that they need in addition. */
export interface Endpoint {
  /** Base URL of the sandbox: the part before `/v1` and `/_sandbox`. */
  readonly origin: string
  /** Aborts when the client disconnects, or the sandbox is deleted. */
  readonly signal?: AbortSignal | undefined
  /** Event streams of the host, which share a memory limit; by default each stream has its own limit. */
  readonly events?: EventStreams | undefined
}

/** Parts of a request. */
interface RouteInput<Params, Query, Body> {
  readonly request: ApiRequest
  /** Parsed path parameters. */
  readonly params: Params
  readonly query: Query
  /** Parsed body; `undefined` for a request without one. */
  readonly body: Body
  /** Routes of all controls that the host has. */
  readonly routes: KnownRoutes
  /** Makes an example of the response of each of these controls. */
  readonly examples: () => Promise<ControlExamples>
}

/** Responses of a sandbox to an example of a request, by the name of the control; `undefined` if there is no body. */
export type ControlExamples = ReadonlyMap<string, unknown>

type Texts = Readonly<Record<string, string>>

/** Groups of controls, with their descriptions. */
export const controlTags = {
  sandbox: 'The sandbox as a whole: reset, snapshots, scenarios, how limits act.',
  clock: "The sandbox's time.",
  pets: 'Pets, bypassing the API.',
  keys: 'API keys, with the requests they have left.',
  faults: 'What goes wrong on purpose.',
  requests: 'The request log: the latest requests, and why each got its response.',
  tests: 'Announcements of tests, across which nothing is concluded.',
  findings: 'The findings on the clients: which rules of the spec they broke.',
  coverage: 'The documented situations that clients exercised, and those that they did not.',
  gaps: 'Values where the spec leaves something open.',
  sandboxes: 'Named sandboxes of a process.',
  descriptions: 'Descriptions of the APIs, and whether the server is ready.',
} as const

/** Schema of the parameters of a path or a query. */
type Parameters<Values> = Schema<unknown, Values> & { readonly properties: Properties }

/** Description of a control over HTTP, and its code. */
interface RouteRow<Host, Params, Query, Body, Result> {
  readonly summary: string
  /** Details beyond the summary: what changes, what stays, when the request is rejected; the summary by default. */
  readonly description?: string
  /** Schema of the path parameters; none by default. */
  readonly params?: Parameters<Params>
  /** Schema of the query parameters; none by default. */
  readonly query?: Parameters<Query>
  /** Schema of the body; by default the route accepts none. */
  readonly body?: Schema<Body, unknown>
  /** Status on success, unless there is no response body: 200 by default. */
  readonly status?: 201
  /** Whether the response is a stream of events; JSON by default. */
  readonly isStream?: boolean
  /** Maximum size of the body, in bytes; 1 MiB by default. */
  readonly maxBytes?: number
  /** Error responses beyond those that all controls share, by status. */
  readonly errors?: Readonly<Record<number, string>>
  /** Returns `undefined` for a response without a body. */
  run(context: Host & Endpoint & RouteInput<Params, Query, Body>): Result | Promise<Result>
  /** Returns the page that a browser gets instead of JSON. */
  readonly page?: (host: Host & Endpoint, routes: KnownRoutes) => string
}

type AnyRow<Host> = RouteRow<Host, unknown, unknown, unknown, unknown>

/** A control over HTTP. */
export interface ControlRoute<Host>
  extends Required<Omit<AnyRow<Host>, 'status' | 'run' | 'page'>>,
    Pick<AnyRow<Host>, 'page'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path relative to `/_sandbox`. */
  readonly path: string
  /** Matches such a path, with its parameters as groups. */
  readonly pattern: RegExp
  readonly tag: keyof typeof controlTags
  /** Status of a response with a body. */
  readonly status: 200 | 201
  /** @throws {@link InputError} for invalid input, or if the action isn't possible now. */
  readonly run: (
    input: RouteInput<Texts, Texts, unknown>,
    host: Host & Endpoint,
  ) => Promise<unknown>
}

/** A control over HTTP for any host, which can be described but not executed. */
export type KnownRoute = ControlRoute<never>

/** Controls over HTTP, by the names of the typed controls. */
export type KnownRoutes = Readonly<Record<string, KnownRoute>>

/** Returns a function that creates routes in one group, for hosts with certain controls, such as those of keys. */
export function routesOn<Host>(
  tag: keyof typeof controlTags,
): <Result, Params = unknown, Query = unknown, Body = undefined>(
  name: RouteName,
  row: RouteRow<Host, Params, Query, Body, Result>,
) => ControlRoute<Host>
export function routesOn<Host>(tag: keyof typeof controlTags) {
  return (name: RouteName, row: AnyRow<Host>): ControlRoute<Host> => {
    const place = routes[name]
    const { run, params = none, query = none, body = nothing } = row
    return {
      description: `${row.summary}.`,
      maxBytes: maxBodyBytes,
      errors: {},
      isStream: false,
      ...row,
      ...place,
      pattern: patternOf(place.path),
      tag,
      params,
      query,
      body,
      status: row.status ?? 200,
      run: async (input, host) =>
        await run({
          ...host,
          ...input,
          params: readParams(params, input.params),
          query: readInput(query, fromTexts(query, input.query), 'query'),
          // The raw body, since typed controls that accept the whole body parse it themselves.
          body: 'unwrap' in place ? body.encode(readInput(body, input.body)) : input.body,
        }),
    }
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.')
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

/** Parses path parameters; invalid ones get a 404, since nothing can have such a name. */
function readParams(schema: Parameters<unknown>, texts: Texts): unknown {
  try {
    return schema.parse(fromTexts(schema, texts))
  } catch (thrown) {
    if (!(thrown instanceof ValidationError)) throw thrown
    throw new NotFoundError(`Cannot find ${schema.title ?? ''}: ${thrown.message}`)
  }
}

/** Maximum size of a document in bytes: a seed, a snapshot, a capture or a HAR file. */
export const maxDocumentBytes = 67_108_864

/** Formats a number of bytes in MiB. */
export function bytesText(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`
}

const none = object({})

/** Creates the schema of a numeric id in a path; it accepts only digits, so that each resource has one URL. */
export function idInPath(description: string): Schema<number> {
  const fromText = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text)
  return { ...described(description, integer(0, 1e15)), fromText }
}

/** Schema of a missing request body; a request with a body is rejected before its body is parsed. */
export const nothing: Schema<undefined> = {
  expected: 'no body',
  jsonSchema: () => ({}),
  parse: () => undefined,
  encode: () => undefined,
}

/** Creates the schema of an optional body. */
export function orNothing<Body, BodyRead>(
  schema: Schema<Body, BodyRead>,
): Schema<Body | undefined, BodyRead | undefined> & { readonly isOptional: true } {
  return {
    ...schema,
    parse: (found) => (found === undefined ? undefined : schema.parse(found)),
    encode: (read) => (read === undefined ? undefined : schema.encode(read)),
    isOptional: true,
  }
}

/** Returns whether a value is a stream of pieces. */
export function isStream(found: unknown): found is AsyncIterable<string> {
  return typeof found === 'object' && found !== null && Symbol.asyncIterator in found
}
