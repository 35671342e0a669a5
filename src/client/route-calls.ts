import { routePlaces } from '../control/http/route-places.ts'
import type { RouteName } from '../control/http/routes/routes.ts'
import { InputError } from '../input/input-error.ts'
import { isRecord, namesOf } from '../input/record.ts'
import { inPath } from './control-address.ts'
import type { Remote } from './remote.ts'
import type { RouteCalls } from './sandbox-client.ts'

/** The compiler says which route has no place. */
const places: Readonly<Record<RouteName, Place>> = routePlaces

type AnyCall = (...given: readonly unknown[]) => Promise<unknown>

/** Makes the controls that a remote sandbox has, one of each route. */
export function callsTo(remote: Remote): RouteCalls {
  const single: Record<string, AnyCall> = {}
  const groups: Record<string, Record<string, AnyCall>> = {}
  for (const name of namesOf(places)) {
    const [first = '', member] = name.split('.')
    const call = callTo(remote, places[name])
    if (member === undefined) single[first] = call
    else groups[first] = { ...groups[first], [member]: call }
  }
  const calls: object = { ...single, ...groups }
  // The type and the calls are made of the same table, by the same rule.
  return calls as RouteCalls
}

/** Where a control is, and which property of its body and answer stands for the whole. */
interface Place {
  readonly method: string
  readonly path: string
  readonly wraps?: string | undefined
}

function callTo(remote: Remote, { method, path, wraps }: Place): AnyCall {
  const names = path.match(/\{\w+\}/g) ?? []
  return async (...given) => {
    const place = names.reduce<string>((so, name, at) => so.replace(name, inPath(given[at])), path)
    const [last, others] = given.slice(names.length)
    const isWrapped = wraps !== undefined && last !== undefined
    const body = isWrapped ? { ...objectOf(others), [wraps]: last } : last
    const answer = await remote
      .call(
        method === 'GET' ? { method, path: place + queryOf(last) } : { method, path: place, body },
      )
      .catch((error: unknown) => {
        throw isWrapped ? withoutWrap(error, wraps) : error
      })
    return wraps !== undefined && isRecord(answer) ? answer[wraps] : answer
  }
}

/** The refusal of what the typed control takes alone: there it has no property. */
function withoutWrap(error: unknown, wraps: string): unknown {
  if (!(error instanceof InputError) || error.path[0] !== wraps) return error
  return new InputError(error.message, error.path.slice(1), error.reason)
}

function objectOf(value: unknown): object {
  return isRecord(value) ? value : {}
}

function queryOf(query: unknown): string {
  const given = Object.entries(objectOf(query)).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, textOf(value)]))}`
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}
