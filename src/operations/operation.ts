import type { Endpoint, OperationName } from '../contract/endpoints.ts'
import type { GapChoices, GapName } from '../contract/gaps.ts'
import type { Int64 } from '../contract/int64.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { State } from '../state/state.ts'

/** An operation's answer; the engine adds the headers. */
export interface Answer {
  readonly status: number
  /** JSON; `undefined` for a reply without a body. */
  readonly body: string | undefined
  /** The pet that it added. */
  readonly petId?: Int64
  /** How many pets fit what was asked for, of which the answer has the first. */
  readonly total?: number
}

/** What an operation works on. */
export interface Context {
  readonly request: ApiRequest
  /** The path's parameters as they were sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
  /** The query, without the question mark. */
  readonly query: string
  readonly state: State
}

/** Whether an operation is served: here, gone (410), or hidden as if it had never existed, and by which gap. */
export type Availability =
  | { readonly kind: 'here' }
  | { readonly kind: 'gone' | 'hidden'; readonly gap: GapName }

/** An operation of the API: what the interface says of it, and how it runs. */
export interface Operation<Name extends OperationName = OperationName> extends Endpoint {
  readonly name: Name
  /** By default always here. */
  availability?(gaps: GapChoices, now: number): Availability
  /** @throws {@link ApiError} for a refusal. */
  run(context: Context): Answer
  /**
   * Refuses what `run` would refuse, and changes nothing; by default that is `run` itself.
   *
   * @throws {@link ApiError} for a refusal.
   */
  check?(context: Context): unknown
}
