import type { ApiRequest, Headers, Reply } from '../../contract/message.ts'
import { MissingError } from '../../input/input-error.ts'
import { fromTexts, type ObjectSchema, object, type Properties } from '../../input/object.ts'
import { type Given, type Read, Refusal, readInput, type Schema } from '../../input/schema.ts'
import { anyThat } from '../../input/values.ts'
import type { Controls } from '../controls/controls.ts'
import type { ProcessControls } from './process-controls.ts'

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
  readonly controls: Controls
  /** Those of the process; `undefined` in process, and for a named sandbox. */
  readonly process?: ProcessControls | undefined
  /** Where the sandbox is served, without the API's `/v1`; what goes before `/_sandbox`. */
  readonly origin: string
  /** Aborts when the client leaves. */
  readonly owner?: AbortSignal | undefined
}

/** What a route works on, read. */
interface RouteContext<Params, Query, Body> extends ControlHost {
  readonly request: ApiRequest
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** The parts of a request, before they are read. */
export interface RouteInput {
  readonly request: ApiRequest
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** JSON; `undefined` for no body. */
  readonly body: unknown
}

/** The groups that the controls are in. */
export const controlTags = {
  sandbox: 'The sandbox as a whole: reset, snapshots, scenarios, how limits act.',
  clock: "The sandbox's time.",
  pets: "Pets, behind the API's back.",
  keys: 'API keys, with what they have left.',
  faults: 'What goes wrong on purpose.',
  requests: 'The journal: the latest exchanges, and why each was answered so.',
  gaps: 'What is done where the interface leaves something open.',
  sandboxes: 'Named sandboxes of a process.',
  descriptions: 'Descriptions of the APIs, and whether they are served.',
} as const

/** What is said of a control over HTTP, and how it is carried out. */
interface RouteRow<Params extends Properties, Query extends Properties, Body, BodyRead, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/_sandbox`. */
  readonly path: string
  readonly tag: keyof typeof controlTags
  readonly summary: string
  /** What the summary leaves out: what is changed, what stays, when it is refused. */
  readonly description: string
  readonly params: ObjectSchema<Params>
  readonly query: ObjectSchema<Query>
  readonly body: Schema<Body, BodyRead>
  readonly reply: Schema<Answer, unknown>
  /** Of success; by default 200, and 204 where nothing is sent back. */
  readonly status?: 201
  run(
    context: RouteContext<Read<ObjectSchema<Params>>, Read<ObjectSchema<Query>>, BodyRead>,
  ): Answer | Promise<Answer>
}

/** A control over HTTP. */
export interface ControlRoute<Params = unknown, Query = unknown, Body = unknown, Answer = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/_sandbox`. */
  readonly path: string
  readonly tag: keyof typeof controlTags
  readonly summary: string
  readonly description: string
  readonly params: Schema<Params, unknown> & { readonly properties: Properties }
  readonly query: Schema<Query, unknown> & { readonly properties: Properties }
  readonly body: Schema<Body, unknown>
  readonly reply: Schema<Answer, unknown>
  readonly status: 200 | 201 | 204
  /** @throws {@link InputError} for what can't be read or done. */
  run(input: RouteInput, host: ControlHost): Promise<Answer>
}

/** Makes a control over HTTP. */
export function route<Params extends Properties, Query extends Properties, Body, BodyRead, Answer>(
  row: RouteRow<Params, Query, Body, BodyRead, Answer>,
): ControlRoute<Given<ObjectSchema<Params>>, Given<ObjectSchema<Query>>, Body, Answer> {
  const { run, status, ...said } = row
  const isSilent = Object.is(row.reply, nothing)
  return {
    ...said,
    status: status ?? (isSilent ? 204 : 200),
    async run(input, host) {
      return await run({
        ...host,
        request: input.request,
        params: readParams(row.params, input.params),
        query: readInput(row.query, fromTexts(row.query, input.query), 'query'),
        body: readInput(row.body, input.body),
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
    throw new MissingError(`Cannot find ${thrown.path.join('.')}: ${thrown.message}`)
  }
}

/** No parameters. */
export const none: ObjectSchema<Record<never, never>> = object({})

/** No body, or no reply's. */
export const nothing: Schema<undefined> = {
  use: 'no body',
  describe: () => ({}),
  read(found) {
    if (found !== undefined) throw new Refusal('found a body; send none')
    return undefined
  },
  write: () => undefined,
}

/** A body that may be left out. */
export interface OptionalBody<Body, BodyRead>
  extends Schema<Body | undefined, BodyRead | undefined> {
  readonly isOptional: true
}

/** What a schema takes, or nothing. */
export function orNothing<Body, BodyRead>(
  schema: Schema<Body, BodyRead>,
): OptionalBody<Body, BodyRead> {
  return {
    ...schema,
    read: (found) => (found === undefined ? undefined : schema.read(found)),
    write: (read) => (read === undefined ? undefined : schema.write(read)),
    isOptional: true,
  }
}

/** Server-sent events. */
export const eventStream: Schema<AsyncIterable<string>> & { readonly mediaType: string } = {
  ...anyThat<AsyncIterable<string>>('a stream', isStream, { type: 'string' }),
  mediaType: 'text/event-stream',
}

/** Narrows to what is sent piece by piece. */
export function isStream(found: unknown): found is AsyncIterable<string> {
  return typeof found === 'object' && found !== null && Symbol.asyncIterator in found
}
