import type { Endpoint, OperationName } from '../../api/endpoints.ts'
import { invalidRequest } from '../../api/error.ts'
import type { GapName, GapValues } from '../../api/gaps.ts'
import type { Int64 } from '../../api/int64.ts'
import type { ApiRequest } from '../../api/message.ts'
import { show } from '../../input/input-error.ts'
import type { State } from '../../state/state.ts'

/** Result of an operation; the engine adds the headers. */
export interface OperationResult {
  readonly status: number
  /** JSON; `undefined` for a response without a body. */
  readonly body: string | undefined
  /** Id of the pet that the operation added. */
  readonly petId?: Int64
  /** Number of pets that match the query; the body contains the first of them. */
  readonly total?: number
  /** Number of pets in the response to a list query. */
  readonly count?: number
}

/** Input of an operation. */
export interface Context {
  readonly request: ApiRequest
  /** Path parameters as they were sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
  /** The query, without the question mark. */
  readonly query: string
  readonly state: State
}

/** Absence of an operation: gone (410), or hidden as if it had never existed; with the gap that causes it. */
interface Absence {
  readonly kind: 'gone' | 'hidden'
  readonly gap: GapName
}

/** An operation of the API: its description in the spec, and its code. */
export interface Operation<Name extends OperationName = OperationName> extends Endpoint {
  readonly name: Name
  /** Returns the absence of the operation, if any; by default it is never absent. */
  absence?(gaps: GapValues, now: number): Absence | undefined
  /** @throws {@link ApiError} if it rejects the request. */
  run(context: Context): OperationResult
  /**
   * Rejects every request that `run` would reject, and changes nothing; by default `run` itself is called.
   *
   * @throws {@link ApiError} if it rejects the request.
   */
  check?(context: Context): unknown
}

/**
 * Reads an operation's query parameters according to the gap values (spec 4.1).
 *
 * @throws {@link ApiError} `invalid_request` naming the parameter.
 */
export function readQuery(
  query: string,
  { query: known }: Endpoint,
  gaps: GapValues,
): ReadonlyMap<string, string> {
  if (query === '') return noValues
  const values = new Map<string, string>()
  for (const [name, value] of pairsOf(query)) {
    if (!known.includes(name)) rejectUnknown(name, known, gaps)
    else if (!values.has(name) || gaps.duplicateQuery === 'last') values.set(name, value)
    else if (gaps.duplicateQuery === 'reject') {
      throw invalidRequest(
        `Cannot use ${name}: it is given more than once; send it once`,
        'duplicateQuery',
      )
    }
  }
  return values
}

const noValues: ReadonlyMap<string, string> = new Map()

/** Returns the names and values of a query; splits one without escapes directly. */
function pairsOf(query: string): Iterable<readonly [string, string]> {
  if (isEscaped.test(query)) return new URLSearchParams(query)
  const pairs: [string, string][] = []
  for (const pair of query.split('&')) {
    const mark = pair.indexOf('=')
    if (mark >= 0) pairs.push([pair.slice(0, mark), pair.slice(mark + 1)])
    else if (pair !== '') pairs.push([pair, ''])
  }
  return pairs
}

/** Characters in a query that `URLSearchParams` decodes, removes or replaces, such as lone surrogates. */
const isEscaped = /^\?|[%+\ud800-\udfff]/

function rejectUnknown(name: string, known: readonly string[], gaps: GapValues): void {
  if (gaps.unknownQuery === 'ignore') return
  const use = known.length === 0 ? 'this operation takes none' : `use ${known.join(', ')}`
  throw invalidRequest(
    `Cannot use query parameter ${show(name)}: it is unknown; ${use}`,
    'unknownQuery',
  )
}
