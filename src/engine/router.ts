import { basePath } from '../contract/endpoints.ts'
import type { GapChoices, GapName } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { Availability, Operation } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'

/** Where a request leads. */
export type Route =
  | {
      readonly kind: 'operation'
      readonly operation: Operation
      readonly params: Readonly<Record<string, string>>
      readonly query: string
    }
  | { readonly kind: 'other-method'; readonly path: string; readonly allow: string }
  | { readonly kind: 'removed'; readonly operation: Operation; readonly gap: GapName }
  | {
      readonly kind: 'unknown'
      readonly path: string
      /** The gap whose choice makes it unknown. */
      readonly gap: GapName | undefined
    }

/** Matches a path; returns its parameters, or `undefined`. */
type PathMatcher = (path: string) => Readonly<Record<string, string>> | undefined

/** The operations of one path. */
interface PathItem {
  readonly match: PathMatcher
  readonly operations: readonly Operation[]
}

const pathItems: readonly PathItem[] = [...new Set(operations.map(({ path }) => path))].map(
  (path) => ({
    match: matcherOf(`${basePath}${path}`),
    operations: operations.filter((operation) => operation.path === path),
  }),
)

function matcherOf(path: string): PathMatcher {
  const named = path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  if (named === path) {
    const noParams = {}
    return (wanted) => (wanted === path ? noParams : undefined)
  }
  const pattern = new RegExp(`^${named}$`)
  return (wanted) => pattern.exec(wanted)?.groups
}

/**
 * Finds where a request leads; splits its target at the first question mark and doesn't resolve it as a URL (spec 4).
 */
export function findRoute(
  { method, url }: Pick<ApiRequest, 'method' | 'url'>,
  gaps: GapChoices,
  now: number,
): Route {
  // An absolute target, as sent to proxies, includes the host.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const unslashed = path.endsWith('/') ? path.slice(0, -1) : path
  const wanted = path !== unslashed && gaps.trailingSlash === 'same' ? unslashed : path
  for (const { match, operations: ofPath } of pathItems) {
    const params = match(wanted)
    if (params === undefined) continue
    const operation = ofPath.find((one) => one.method === (method === 'HEAD' ? 'GET' : method))
    if (operation === undefined) return otherMethod(ofPath, path, gaps, now)
    const availability = availabilityOf(operation, gaps, now)
    if (availability.kind === 'hidden') return otherMethod(ofPath, path, gaps, now)
    if (availability.kind === 'gone') return { kind: 'removed', operation, gap: availability.gap }
    const query = mark < 0 ? '' : target.slice(mark + 1)
    return { kind: 'operation', operation, params, query }
  }
  const isSlashWrong =
    wanted !== unslashed && findRoute({ method, url: unslashed }, gaps, now).kind !== 'unknown'
  return { kind: 'unknown', path, gap: isSlashWrong ? 'trailingSlash' : undefined }
}

const here: Availability = { kind: 'here' }

function availabilityOf(operation: Operation, gaps: GapChoices, now: number): Availability {
  return operation.availability?.(gaps, now) ?? here
}

/** Leads to the methods that a path has, or nowhere if all of its operations are hidden. */
function otherMethod(
  ofPath: readonly Operation[],
  path: string,
  gaps: GapChoices,
  now: number,
): Route {
  const allowed: string[] = []
  let hidingGap: GapName | undefined
  for (const operation of ofPath) {
    const availability = availabilityOf(operation, gaps, now)
    if (availability.kind === 'hidden') hidingGap = availability.gap
    else allowed.push(...(operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]))
  }
  if (allowed.length === 0) return { kind: 'unknown', path, gap: hidingGap }
  return { kind: 'other-method', path, allow: allowed.join(', ') }
}
