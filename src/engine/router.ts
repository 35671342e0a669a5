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

/** The operations of one path, by method. */
interface PathItem {
  readonly pattern: RegExp
  readonly byMethod: ReadonlyMap<string, Operation>
  readonly allow: string
}

const pathItems: readonly PathItem[] = [...new Set(operations.map(({ path }) => path))].map(
  (path) => {
    const ofPath = operations.filter((operation) => operation.path === path)
    const methods = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const named = path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    return {
      pattern: new RegExp(`^${basePath}${named}$`),
      byMethod: new Map(
        methods.flatMap((method) =>
          ofPath
            .filter((operation) => operation.method === (method === 'HEAD' ? 'GET' : method))
            .map((operation) => [method, operation]),
        ),
      ),
      allow: methods.join(', '),
    }
  },
)

const noParams: Readonly<Record<string, string>> = {}

/**
 * Finds where a request leads (spec 4): its target is split at the first question mark and taken as it is,
 * not resolved as a URL.
 */
export function findRoute({ method, url }: ApiRequest, gaps: GapChoices, now: number): Route {
  // An absolute target, as proxies send it, names the host again.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const wanted = gaps.trailingSlash === 'same' && path.endsWith('/') ? path.slice(0, -1) : path
  for (const { pattern, byMethod, allow } of pathItems) {
    const match = pattern.exec(wanted)
    if (match === null) continue
    const operation = byMethod.get(method)
    const [any] = byMethod.values()
    const gap = any === undefined ? undefined : hidingGap(any, gaps, now)
    if (gap !== undefined) return { kind: 'unknown', path, gap }
    if (operation === undefined) return { kind: 'other-method', path, allow }
    if (isGone(operation, gaps, now)) return { kind: 'removed', operation }
    const query = mark < 0 ? '' : target.slice(mark + 1)
    return { kind: 'operation', operation, params: match.groups ?? noParams, query }
  }
  return { kind: 'unknown', path, gap: path.endsWith('/') ? 'trailingSlash' : undefined }
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
