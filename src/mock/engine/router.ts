import { basePath, type OperationName } from '../api/endpoints.ts'
import { ApiError } from '../api/error.ts'
import { slashRedirect } from '../api/gaps/errors.ts'
import type { GapName, GapValues } from '../api/gaps.ts'
import type { ApiRequest } from '../api/message.ts'
import { show } from '../input/input-error.ts'
import { formatInstant } from '../input/values.ts'
import type { State } from '../state/state.ts'
import { createPet } from './operations/create-pet.ts'
import { getPet } from './operations/get-pet.ts'
import { listOrders } from './operations/list-orders.ts'
import { listPets } from './operations/list-pets.ts'
import type { Operation, OperationResult } from './operations/operation.ts'

const byName: { readonly [Name in OperationName]: Operation<Name> } = {
  listPets,
  createPet,
  getPet,
  listOrders,
}

/** All operations (spec 4). */
export const operations: readonly Operation[] = Object.values(byName)

/** Result of routing a request. */
export type Route =
  | {
      readonly kind: 'operation'
      readonly operation: Operation
      readonly params: Readonly<Record<string, string>>
      readonly query: string
    }
  | { readonly kind: 'other-method'; readonly path: string; readonly allow: string }
  | {
      readonly kind: 'redirect'
      readonly path: string
      readonly status: number
      /** Relative, so that it holds wherever the API is mounted. */
      readonly location: string
    }
  | { readonly kind: 'removed'; readonly operation: Operation; readonly gap: GapName }
  | {
      readonly kind: 'unknown'
      readonly path: string
      /** Gap whose value makes the path unknown. */
      readonly gap: GapName | undefined
    }

/** Paths with their operations. */
const pathItems = [...new Set(operations.map(({ path }) => path))].map((path) => ({
  pattern: new RegExp(`^${basePath}${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  ofPath: operations.filter((operation) => operation.path === path),
}))

/**
 * Returns the route of a request. It splits the target at the first question mark and doesn't resolve it as a URL
 * (spec 4).
 */
export function findRoute(
  { method, url }: Pick<ApiRequest, 'method' | 'url'>,
  gaps: GapValues,
  now: number,
): Route {
  // An absolute target, as sent to proxies, includes the host.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const unslashed = path.endsWith('/') ? path.slice(0, -1) : path
  const wanted = path !== unslashed && gaps.trailingSlash === 'ignore' ? unslashed : path
  for (const { pattern, ofPath } of pathItems) {
    const match = pattern.exec(wanted)
    if (match === null) continue
    const operation = ofPath.find((one) => one.method === (method === 'HEAD' ? 'GET' : method))
    if (operation === undefined) return otherMethod(ofPath, path, gaps, now)
    const absence = operation.absence?.(gaps, now)
    if (absence?.kind === 'hidden') return otherMethod(ofPath, path, gaps, now)
    if (absence?.kind === 'gone') return { kind: 'removed', operation, gap: absence.gap }
    const query = mark < 0 ? '' : target.slice(mark + 1)
    return { kind: 'operation', operation, params: match.groups ?? {}, query }
  }
  const isSlashWrong =
    wanted !== unslashed && findRoute({ method, url: unslashed }, gaps, now).kind !== 'unknown'
  const status = slashRedirect(gaps)
  if (isSlashWrong && status !== undefined) {
    const query = mark < 0 ? '' : target.slice(mark)
    return { kind: 'redirect', path, status, location: siblingPath(unslashed) + escaped(query) }
  }
  return { kind: 'unknown', path, gap: isSlashWrong ? 'trailingSlash' : undefined }
}

/** Returns a path relative to the same path with a trailing slash. */
function siblingPath(path: string): string {
  return escaped(`..${path.slice(path.lastIndexOf('/'))}`)
}

const encoder = new TextEncoder()

/** Percent-encodes the characters that no header may contain. */
function escaped(text: string): string {
  return text.replace(/[^!-~]+/g, (found) =>
    [...encoder.encode(found)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}

/** Leads to the methods that a path has, or nowhere if all of its operations are hidden. */
function otherMethod(
  ofPath: readonly Operation[],
  path: string,
  gaps: GapValues,
  now: number,
): Route {
  const allowed: string[] = []
  let hidingGap: GapName | undefined
  for (const operation of ofPath) {
    const absence = operation.absence?.(gaps, now)
    if (absence?.kind === 'hidden') hidingGap = absence.gap
    else allowed.push(...(operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]))
  }
  if (allowed.length === 0) return { kind: 'unknown', path, gap: hidingGap }
  return { kind: 'other-method', path, allow: allowed.join(', ') }
}

/**
 * Runs a route's operation.
 *
 * @throws {@link ApiError} if the route has no operation, or if the operation rejects the request.
 */
export function runRoute(request: ApiRequest, route: Route, state: State): OperationResult {
  switch (route.kind) {
    case 'operation':
      return route.operation.run({ request, params: route.params, query: route.query, state })
    case 'redirect':
      throw new ApiError(
        'moved',
        `Cannot serve ${show(route.path)}: it ends with a slash; use ${show(route.path.slice(0, -1))}`,
        {
          status: route.status,
          headers: { location: route.location },
          gap: 'trailingSlash',
        },
      )
    case 'removed':
      throw new ApiError('gone', goneMessage(route.operation), { gap: route.gap })
    case 'other-method':
      throw new ApiError(
        'method_not_allowed',
        `Cannot use ${show(request.method)} on ${show(route.path)}: use ${route.allow}`,
        { headers: { allow: route.allow } },
      )
    case 'unknown':
      throw new ApiError(
        'not_found',
        `Cannot find ${show(route.path)}: no such path; the API is under ${basePath}`,
        { gap: route.gap },
      )
  }
}

/** Returns the error with which a route would reject a request; `undefined` if it accepts it. Changes nothing. */
export function rejectionByRoute(
  request: ApiRequest,
  route: Route,
  state: State,
): ApiError | undefined {
  try {
    if (route.kind === 'operation' && route.operation.check !== undefined) {
      route.operation.check({ request, params: route.params, query: route.query, state })
    } else runRoute(request, route, state)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    return thrown
  }
}

function goneMessage({ name, method, deprecated }: Operation): string {
  if (deprecated === undefined) return `Cannot use ${name}: it was removed`
  const removedOn = formatInstant(deprecated.sunsetAt['start-of-day']).slice(0, 'YYYY-MM-DD'.length)
  return `Cannot use ${name}: it was removed on ${removedOn}; use ${method} ${deprecated.successor}`
}
