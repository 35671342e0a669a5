import type { Endpoint, OperationName } from '../contract/endpoints.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { State } from '../state/state.ts'

/** What an operation answers; the engine adds the headers. */
export interface Answer {
  readonly status: number
  /** JSON. */
  readonly body: string
}

/** What an operation works on. */
export interface Context {
  readonly request: ApiRequest
  /** The path's parameters, as they were sent. */
  readonly params: Readonly<Record<string, string>>
  /** The query without its question mark. */
  readonly query: string
  readonly state: State
}

/** An operation of the API: what the spec shows of it, and how it is carried out. */
export interface Operation extends Endpoint {
  readonly name: OperationName
  /** @throws {@link ApiError} or {@link InputError} for a refusal. */
  run(context: Context): Answer
}
