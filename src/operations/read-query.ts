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
  const take = (name: string, value: string): void => {
    if (!known.includes(name)) refuseUnknown(name, known, gaps)
    else if (!values.has(name) || gaps.repeatedQuery === 'last') values.set(name, value)
    else if (gaps.repeatedQuery === 'reject') {
      throw invalidRequest(
        `Cannot use ${name}: it is given more than once; send it once`,
        'repeatedQuery',
      )
    }
  }
  if (plainQuery.test(query)) eachPlainPair(query, take)
  else for (const [name, value] of new URLSearchParams(query)) take(name, value)
  return values
}

/** Calls back with each pair of a plain query, as `URLSearchParams` has them, which takes several times as long. */
function eachPlainPair(query: string, take: (name: string, value: string) => void): void {
  for (const part of query.split('&')) {
    const mark = part.indexOf('=')
    if (mark >= 0) take(part.slice(0, mark), part.slice(mark + 1))
    else if (part !== '') take(part, '')
  }
}

function refuseUnknown(name: string, known: readonly string[], gaps: GapChoices): void {
  if (gaps.unknownQuery === 'ignore') return
  const use = known.length === 0 ? 'this operation takes none' : `use ${known.join(', ')}`
  throw invalidRequest(
    `Cannot use query parameter ${show(name)}: it is unknown; ${use}`,
    'unknownQuery',
  )
}
