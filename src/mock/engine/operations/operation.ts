import { show } from '../../input/input-error.ts'
import type { Endpoint, OperationName } from '../../spec/endpoints.ts'
import { invalidRequest } from '../../spec/error.ts'
import type { GapName, GapValues } from '../../spec/gaps.ts'
import type { Int64 } from '../../spec/int64.ts'
import type { ApiRequest } from '../../spec/message.ts'
import type { State } from '../../state/state.ts'

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

/** That an operation isn't served: it is gone (410), or hidden as if it had never existed, and by which gap. */
interface Absence {
  readonly kind: 'gone' | 'hidden'
  readonly gap: GapName
}

/** An operation of the API: what the interface says of it, and how it runs. */
export interface Operation<Name extends OperationName = OperationName> extends Endpoint {
  readonly name: Name
  /** By default it is never absent. */
  absence?(gaps: GapValues, now: number): Absence | undefined
  /** @throws {@link ApiError} for a refusal. */
  run(context: Context): Answer
  /**
   * Refuses what `run` would refuse, and changes nothing; by default that is `run` itself.
   *
   * @throws {@link ApiError} for a refusal.
   */
  check?(context: Context): unknown
}

/**
 * Reads an operation's query parameters, by the choices at their gaps (spec 4.1).
 *
 * @throws {@link ApiError} `invalid_request` naming the parameter.
 */
export function readQuery(
  query: string,
  { query: known }: Endpoint,
  gaps: GapValues,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of query === '' ? [] : pairsOf(query)) {
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

/** The names and values of a query; one without escapes is split as it is. */
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

/** What stands for another character in a query, or isn't kept as it is: lone surrogates aren't. */
const isEscaped = /^\?|[%+\ud800-\udfff]/

function rejectUnknown(name: string, known: readonly string[], gaps: GapValues): void {
  if (gaps.unknownQuery === 'ignore') return
  const use = known.length === 0 ? 'this operation takes none' : `use ${known.join(', ')}`
  throw invalidRequest(
    `Cannot use query parameter ${show(name)}: it is unknown; ${use}`,
    'unknownQuery',
  )
}
