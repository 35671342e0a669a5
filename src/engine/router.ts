import { basePath } from '../contract/endpoints.ts'
import type { GapChoices, GapName } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { Operation } from '../operations/operation.ts'
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
  | { readonly kind: 'removed'; readonly operation: Operation }
  | {
      readonly kind: 'unknown'
      readonly path: string
      /** The gap whose choice hides it. */
      readonly gap: GapName | undefined
    }

/** What a path's parameters are in a request; `undefined` where the path is another. */
type Match = (path: string) => Readonly<Record<string, string>> | undefined

/** The operations of one path, by method. */
interface PathItem {
  readonly match: Match
  readonly byMethod: ReadonlyMap<string, Operation>
  /** One of them; gaps hide all operations of a path or none. */
  readonly any: Operation
  readonly allow: string
}

const pathItems: readonly PathItem[] = operations
  .filter(({ path }, index) => operations.findIndex((other) => other.path === path) === index)
  .map((any) => {
    const ofPath = operations.filter(({ path }) => path === any.path)
    const methods = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    return {
      match: matcherOf(`${basePath}${any.path}`),
      byMethod: new Map(
        methods.flatMap((method) =>
          ofPath
            .filter((operation) => operation.method === (method === 'HEAD' ? 'GET' : method))
            .map((operation) => [method, operation]),
        ),
      ),
      any,
      allow: methods.join(', '),
    }
  })

function matcherOf(path: string): Match {
  const named = path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  if (named === path) {
    const noParams = {}
    return (wanted) => (wanted === path ? noParams : undefined)
  }
  const pattern = new RegExp(`^${named}$`)
  return (wanted) => pattern.exec(wanted)?.groups
}

/**
 * Finds where a request leads (spec 4): its target is split at the first question mark and taken as it is,
 * not resolved as a URL.
 */
export function findRoute(
  { method, url }: Pick<ApiRequest, 'method' | 'url'>,
  gaps: GapChoices,
  now: number,
): Route {
  // An absolute target, as proxies send it, names the host again.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const unslashed = path.endsWith('/') ? path.slice(0, -1) : path
  const wanted = gaps.trailingSlash === 'same' ? unslashed : path
  for (const { match, byMethod, any, allow } of pathItems) {
    const params = match(wanted)
    if (params === undefined) continue
    const gap = hidingGap(any, gaps, now)
    if (gap !== undefined) return { kind: 'unknown', path, gap }
    const operation = byMethod.get(method)
    if (operation === undefined) return { kind: 'other-method', path, allow }
    if (isGone(operation, gaps, now)) return { kind: 'removed', operation }
    const query = mark < 0 ? '' : target.slice(mark + 1)
    return { kind: 'operation', operation, params, query }
  }
  const isSlashWrong =
    wanted !== unslashed && findRoute({ method, url: unslashed }, gaps, now).kind !== 'unknown'
  return { kind: 'unknown', path, gap: isSlashWrong ? 'trailingSlash' : undefined }
}

/** The gap by whose choice a path answers as if it had never been there. */
function hidingGap(operation: Operation, gaps: GapChoices, now: number): GapName | undefined {
  if (operation.name === 'listOrders' && gaps.storeOrders === 'not-found') return 'storeOrders'
  const isHidden = gaps.afterSunset === 'not-found' && isPastSunset(operation, now)
  return isHidden ? 'afterSunset' : undefined
}

function isGone(operation: Operation, gaps: GapChoices, now: number): boolean {
  return gaps.afterSunset === 'gone' && isPastSunset(operation, now)
}

/** Whether an operation's day of removal has come (spec 4.3). */
function isPastSunset({ deprecated }: Operation, now: number): boolean {
  return deprecated !== undefined && now >= deprecated.sunsetAt
}
