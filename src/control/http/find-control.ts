import { ApiError } from '../../contract/error.ts'
import { show } from '../../input/show.ts'
import type { ControlHost, ControlRoute } from './control-route.ts'
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

const ofProcess: readonly Candidate[] = Object.values<ControlRoute>(allRoutes).map(candidateOf)

const ofSandbox: readonly Candidate[] = Object.values<ControlRoute>(controlRoutes).map(candidateOf)

function candidateOf(route: ControlRoute): Candidate {
  const escaped = route.path.replace(/\./g, '\\.')
  return { route, pattern: new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }
}

/** The controls that a host has, in the order of their table. */
export function controlsOf({ process }: ControlHost): readonly ControlRoute[] {
  return (process === undefined ? ofSandbox : ofProcess).map(({ route }) => route)
}

/**
 * Finds the control of a request.
 *
 * @param path What comes after `/_sandbox`.
 * @throws {@link ApiError} for an unknown path, or a method that the path doesn't have.
 */
export function findControl(method: string, path: string, host: ControlHost): FoundControl {
  const candidates = host.process === undefined ? ofSandbox : ofProcess
  const methods: string[] = []
  for (const { route, pattern } of candidates) {
    const match = pattern.exec(path)
    if (match === null) continue
    if (route.method === method) return { route, params: decoded(match.groups ?? {}) }
    methods.push(route.method)
  }
  if (methods.length > 0) throw notAllowed(method, path, methods)
  throw new ApiError(
    'not_found',
    `Cannot find ${show(`/_sandbox${path}`)}: no control has this path; /_sandbox lists them`,
  )
}

/** Refuses a method that a path doesn't have. */
export function notAllowed(method: string, path: string, methods: readonly string[]): ApiError {
  const allow = methods.join(', ')
  return new ApiError(
    'method_not_allowed',
    `Cannot use ${show(method)} on ${show(`/_sandbox${path}`)}: the path has only ${allow}`,
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
