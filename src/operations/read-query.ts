import type { Endpoint } from '../contract/endpoints.ts'
import { invalidRequest } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { show } from '../input/show.ts'

const noValues: ReadonlyMap<string, string> = new Map()

/** A query of which nothing is encoded. */
const plainQuery = /^[\w.~&=-]*$/

/**
 * Reads an operation's query parameters, by the choices at their gaps (spec 4.1).
 *
 * @throws {@link ApiError} `invalid_request` naming the parameter.
 */
export function readQuery(
  query: string,
  { query: known }: Endpoint,
  gaps: GapChoices,
): ReadonlyMap<string, string> {
  if (query === '') return noValues
  const values = new Map<string, string>()
  for (const [name, value] of pairsOf(query)) {
    if (!known.includes(name)) refuseUnknown(name, known, gaps)
    else if (!values.has(name) || gaps.repeatedQuery === 'last') values.set(name, value)
    else if (gaps.repeatedQuery === 'reject') {
      throw invalidRequest(
        `Cannot use ${name}: it is given more than once; send it once`,
        'repeatedQuery',
      )
    }
  }
  return values
}

/** Gives the pairs of a query as `URLSearchParams` does, which alone would take a twentieth of a request. */
function pairsOf(query: string): Iterable<readonly [name: string, value: string]> {
  if (!plainQuery.test(query)) return new URLSearchParams(query)
  const pairs: [string, string][] = []
  for (const part of query.split('&')) {
    const mark = part.indexOf('=')
    if (mark >= 0) pairs.push([part.slice(0, mark), part.slice(mark + 1)])
    else if (part !== '') pairs.push([part, ''])
  }
  return pairs
}

function refuseUnknown(name: string, known: readonly string[], gaps: GapChoices): void {
  if (gaps.unknownQuery === 'ignore') return
  const use = known.length === 0 ? 'this operation takes none' : `use ${known.join(', ')}`
  throw invalidRequest(
    `Cannot use query parameter ${show(name)}: it is unknown; ${use}`,
    'unknownQuery',
  )
}
