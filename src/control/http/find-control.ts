import { ApiError } from '../../contract/error.ts'
import { maxBodyBytes } from '../../contract/http/read-request.ts'
import { show } from '../../input/show.ts'
import type { ControlHost, ControlRoute, ControlRoutes } from './control-route.ts'
import { allRoutes, controlRoutes } from './routes/routes.ts'

/** A control, and what its path names. */
interface FoundControl {
  readonly route: ControlRoute
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** A control whose path can be held against that of a request. */
interface Candidate {
  readonly route: ControlRoute
  readonly pattern: RegExp
}

// Made once: a pattern costs more than all else that a small request does.
const ofProcess: readonly Candidate[] = Object.values<ControlRoute>(allRoutes).map(candidateOf)

const ofSandbox: readonly Candidate[] = Object.values<ControlRoute>(controlRoutes).map(candidateOf)

function candidateOf(route: ControlRoute): Candidate {
  const escaped = route.path.replace(/\./g, '\\.')
  return { route, pattern: new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }
}

/** The controls that a host has, in the order of their table. */
export function controlsOf(host: ControlHost): ControlRoutes {
  return host.process === undefined ? controlRoutes : allRoutes
}

/**
 * Finds the control of a request.
 *
 * @param path What comes after `/_sandbox`.
 * @throws {@link ApiError} for an unknown path, or a method that the path doesn't have.
 */
export function findControl(method: string, path: string, host: ControlHost): FoundControl {
  const candidates = host.process === undefined ? ofSandbox : ofProcess
  const known = path === '' ? '/' : path
  const others: ControlRoute[] = []
  for (const { route, pattern } of candidates) {
    const match = pattern.exec(known)
    if (match === null) continue
    if (hasMethod(route, method)) return { route, params: decoded(match.groups ?? {}) }
    others.push(route)
  }
  if (others.length > 0) throw notAllowed(method, path, others)
  throw new ApiError(
    'not_found',
    `Cannot find ${show(`/_sandbox${path}`)}: no control has this path; /_sandbox lists them`,
    { reason: 'not-found' },
  )
}

/** The largest body that the controls of a path take, in bytes; 1 MiB where none has the path. */
export function mostBytesAt(path: string): number {
  const known = ofProcess.filter(({ pattern }) => pattern.test(path))
  return Math.max(maxBodyBytes, ...known.map(({ route }) => route.maxBytes))
}

/** HEAD is answered as GET, without the body; a stream has nothing to show for it. */
function hasMethod(route: ControlRoute, method: string): boolean {
  if (method === 'HEAD') return methodsOf(route).includes('HEAD')
  return route.method === method
}

function methodsOf({ method, mediaType }: ControlRoute): readonly string[] {
  return method === 'GET' && mediaType === 'application/json' ? ['GET', 'HEAD'] : [method]
}

/** Refuses a method that a path doesn't have. */
function notAllowed(method: string, path: string, routes: readonly ControlRoute[]): ApiError {
  const allow = routes.flatMap(methodsOf).join(', ')
  return new ApiError(
    'method_not_allowed',
    `Cannot use ${show(method)} on ${show(`/_sandbox${path}`)}: use ${allow}`,
    { headers: { allow } },
  )
}

/** Decodes what a path names; broken escapes stay as they are. */
function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}
