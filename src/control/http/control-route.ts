import { maxBodyBytes } from '../../contract/http/read-request.ts'
import type { ApiRequest, Headers, Reply } from '../../contract/message.ts'
import { MissingError } from '../../input/input-error.ts'
import { fromTexts, type ObjectSchema, type Properties } from '../../input/object.ts'
import {
  type Given,
  type JsonSchema,
  type Read,
  Refusal,
  readInput,
  type Schema,
} from '../../input/schema.ts'
import type { SandboxControls } from '../controls/controls.ts'
import type { ProcessControls } from './process-controls.ts'
import { mediaTypeOf, nothing } from './route-bodies.ts'

/** A reply whose body goes on for as long as its client stays. */
export interface Stream {
  readonly kind: 'stream'
  readonly status: number
  readonly headers: Headers
  /** What is sent, piece by piece; the next one is asked for when the one before is on its way. */
  readonly pieces: AsyncIterable<string>
}

/** What becomes of a control request. */
export type ControlReply = Reply | Stream

/** What a control request is about. */
export interface ControlHost {
  readonly controls: SandboxControls
  /** Those of the process; `undefined` in process, and for a named sandbox. */
  readonly process?: ProcessControls | undefined
  /** Where the sandbox is served: what comes before `/v1` and `/_sandbox`. */
  readonly origin: string
  /** Aborts when the client leaves, or the sandbox is dropped. */
  readonly owner?: AbortSignal | undefined
}

/** The parts of a request, before they are read. */
export interface RouteInput {
  readonly request: ApiRequest
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The parsed body; `undefined` for none. */
  readonly body: unknown
  /** All controls that the host has. */
  readonly routes: ControlRoutes
  /** Describes them in OpenAPI 3.1. */
  readonly description: () => JsonSchema
}

/** What a control route is given. */
interface RouteContext<Params, Query, Body>
  extends ControlHost,
    Pick<RouteInput, 'routes' | 'description'> {
  readonly request: ApiRequest
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** The groups that the controls are in. */
export const controlTags = {
  sandbox: 'The sandbox as a whole: reset, snapshots, scenarios, how limits act.',
  clock: "The sandbox's time.",
  pets: "Pets, behind the API's back.",
  keys: 'API keys, with the requests they have left.',
  faults: 'What goes wrong on purpose.',
  requests: 'The journal: the latest exchanges, and why each was answered the way it was.',
  audit: 'The verdict on the clients: which rules of the interface they broke.',
  gaps: 'Choices where the interface leaves something open.',
  verdict: 'What the sandbox says of its clients.',
  sandboxes: 'Named sandboxes of a process.',
  descriptions: 'Descriptions of the APIs, and whether they are served.',
} as const

/** What is said of a control over HTTP. */
interface RouteWords<Path extends string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/_sandbox`. */
  readonly path: Path
  readonly tag: keyof typeof controlTags
  readonly summary: string
  /** What the summary leaves out: what is changed, what stays, when it is refused. */
  readonly description: string
}

/** What is said of a control over HTTP, and how it is carried out. */
interface RouteRow<
  Path extends string,
  Params extends Properties,
  Query extends Properties,
  Body,
  BodyRead,
  Answer,
  Wrapped extends string,
> extends RouteWords<Path> {
  readonly params: ObjectSchema<Params>
  readonly query: ObjectSchema<Query>
  readonly body: Schema<Body, BodyRead>
  readonly reply: Schema<Answer, unknown>
  /** The status of success: 200 by default, 204 if nothing is returned. */
  readonly status?: 201
  /** The largest body, in bytes; 1 MiB by default. */
  readonly maxBytes?: number
  /** The property of body and reply that the typed control takes and gives alone, such as `mode`. */
  readonly wraps?: Wrapped
  /** Refusals beyond those of every control, by status. */
  readonly refusals?: Readonly<Record<number, string>>
  run(
    context: RouteContext<Read<ObjectSchema<Params>>, Read<ObjectSchema<Query>>, Body>,
  ): Answer | Promise<Answer>
  /** The page that a browser gets instead of JSON. */
  readonly page?: (host: ControlHost, routes: ControlRoutes) => string
}

/** The schema of a path's or a query's parameters. */
type Parameters = Schema<unknown, unknown> & { readonly properties: Properties }

/** A control over HTTP. */
export interface ControlRoute extends RouteWords<string> {
  readonly params: Parameters
  readonly query: Parameters
  readonly body: Schema<unknown, unknown>
  readonly reply: Schema<unknown, unknown>
  /** Of success. */
  readonly status: 200 | 201 | 204
  readonly mediaType: 'application/json' | 'text/event-stream'
  readonly maxBytes: number
  readonly wraps?: string | undefined
  readonly refusals: Readonly<Record<number, string>>
  readonly page?: ((host: ControlHost, routes: ControlRoutes) => string) | undefined
  /** @throws {@link InputError} for what can't be read or done. */
  run(input: RouteInput, host: ControlHost): Promise<unknown>
}

/** Controls over HTTP, by the name of the typed control. */
export type ControlRoutes = Readonly<Record<string, ControlRoute>>

/** A control over HTTP, with what a typed client of it takes and gives. */
export interface TypedRoute<Path, Params, Query, Body, Answer, Wrapped> extends ControlRoute {
  /** Never set: it carries the types. */
  readonly types?: {
    readonly path: Path
    readonly params: Params
    readonly query: Query
    readonly body: Body
    readonly answer: Answer
    readonly wrapped: Wrapped
  }
}

/** Makes a control over HTTP. */
export function route<
  const Path extends string,
  Params extends Properties,
  Query extends Properties,
  Body,
  BodyRead,
  Answer,
  const Wrapped extends string = never,
>(
  row: RouteRow<Path, Params, Query, Body, BodyRead, Answer, Wrapped>,
): TypedRoute<
  Path,
  Given<ObjectSchema<Params>>,
  Given<ObjectSchema<Query>>,
  Body,
  Answer,
  Wrapped
> {
  const { run, status, maxBytes = maxBodyBytes, refusals = {}, ...said } = row
  const isSilent = Object.is(row.reply, nothing)
  return {
    ...said,
    status: status ?? (isSilent ? 204 : 200),
    mediaType: mediaTypeOf(row.reply),
    maxBytes,
    refusals,
    async run(input, host) {
      const { request, routes, description } = input
      return await run({
        ...host,
        request,
        routes,
        description,
        params: readParams(row.params, input.params),
        query: readInput(row.query, fromTexts(row.query, input.query), 'query'),
        // As it was given, since the typed control reads it itself.
        body: row.body.write(readInput(row.body, input.body)),
      })
    },
  }
}

/** Reads what a path names; nothing has a name that can't be read. */
function readParams<Params extends Properties>(
  schema: ObjectSchema<Params>,
  texts: Readonly<Record<string, string>>,
): Read<ObjectSchema<Params>> {
  try {
    return schema.read(fromTexts(schema, texts))
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    throw new MissingError(`Cannot find ${schema.title ?? ''}: ${thrown.message}`)
  }
}
