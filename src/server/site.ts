import { ApiError } from '../contract/error.ts'
import type { ApiRequest, Handler, Outcome } from '../contract/message.ts'
import { handleControl, refusalReply } from '../control/http/handle-control.ts'
import type { ControlRoute } from '../control/http/routes.ts'
import { InputError } from '../input/input-error.ts'
import type { Sandbox } from '../sandbox.ts'
import type { NewSandbox, SandboxPool } from '../sandbox-pool.ts'
import { enforceGuard, type GuardOptions } from './guard.ts'

/** Everything that a process serves: the default sandbox, named ones, and their control. */
export interface Site {
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  readonly guard: GuardOptions
  /** Writes the state to its file; absent without one. */
  readonly save: (() => void) | undefined
  /** Where it is served, such as `http://127.0.0.1:7387`; known once it is. */
  readonly origin: () => string
}

/** What a URL of a site leads to. */
export type Target =
  | {
      readonly kind: 'api'
      readonly handle: Handler
      readonly url: string
      /** Throws a MissingError where there is none of the name. */
      readonly sandbox: () => Sandbox
    }
  | { readonly kind: 'control'; readonly handle: Handler; readonly url: string }
  | { readonly kind: 'events'; readonly sandbox: () => Sandbox }

/** The sandbox of a target; `undefined` where there is none of its name. */
export function foundBy(find: () => Sandbox): Sandbox | undefined {
  const found = attempt(find)
  return 'value' in found ? found.value : undefined
}

const namedPath = /^\/sandboxes\/([^/?]+)(\/.*|\?.*|)$/s

/** Finds what a URL leads to (DESIGN 8): nothing of ours is under the API's own paths. */
export function findTarget(url: string, site: Site): Target {
  const named = url.startsWith('/sandboxes/') ? namedPath.exec(url) : null
  const [, name, rest = ''] = named ?? []
  const path = named === null ? url : rest
  const sandbox = (): Sandbox => (name === undefined ? site.sandbox : site.pool.get(name))
  if (!isControl(path)) {
    if (name === undefined) return { kind: 'api', handle: site.sandbox.handle, url, sandbox }
    return { kind: 'api', url: path, handle: apiOf(sandbox, `/sandboxes/${name}`), sandbox }
  }
  if (/^\/_sandbox\/events(?:\?|$)/.test(path)) return { kind: 'events', sandbox }
  return { kind: 'control', url: path, handle: controlOf(site, sandbox, name) }
}

function isControl(path: string): boolean {
  return path.startsWith('/_sandbox') && /^\/_sandbox(?:[/?]|$)/.test(path)
}

/** The API of a named sandbox: what it points to is under its own prefix. */
function apiOf(sandbox: () => Sandbox, prefix: string): Handler {
  return async (request) => {
    const found = attempt(sandbox)
    if ('refusal' in found) return found.refusal
    const outcome = await found.value.handle(request)
    if (!('headers' in outcome) || outcome.headers.link === undefined) return outcome
    const link = outcome.headers.link.replace(/^<\//, `<${prefix}/`)
    return { ...outcome, headers: { ...outcome.headers, link } }
  }
}

function controlOf(site: Site, sandbox: () => Sandbox, name: string | undefined): Handler {
  const prefix = name === undefined ? '' : `/sandboxes/${name}`
  return async (request: ApiRequest): Promise<Outcome> => {
    const found = attempt(() => {
      enforceGuard(request.headers, site.guard)
      return sandbox()
    })
    if ('refusal' in found) return found.refusal
    return await handleControl(request, {
      controls: found.value,
      origin: `${site.origin()}${prefix}`,
      routes: name === undefined ? [eventsRoute, ...sandboxRoutes(site)] : [eventsRoute],
    })
  }
}

function attempt<Value>(find: () => Value) {
  try {
    return { value: find() }
  } catch (thrown) {
    return { refusal: refusalReply(thrown) }
  }
}

/** Stands in the lists of controls; requests for it are streamed before they come here. */
const eventsRoute: ControlRoute = {
  name: 'events',
  method: 'GET',
  path: '/events',
  summary: 'Stream the exchanges to come, as server-sent events',
  type: 'text/event-stream',
  run: () => undefined,
}

/** The controls of named sandboxes, which only the process has. */
function sandboxRoutes({ pool, origin, save }: Site): ControlRoute[] {
  const view = (name: string) => ({
    name,
    baseUrl: `${origin()}/sandboxes/${name}/v1`,
    controlUrl: `${origin()}/sandboxes/${name}/_sandbox`,
  })
  return [
    {
      name: 'listSandboxes',
      method: 'GET',
      path: '/sandboxes',
      summary: 'List the named sandboxes',
      run: () => pool.names().map(view),
    },
    {
      name: 'createSandbox',
      method: 'POST',
      path: '/sandboxes',
      summary: 'Make a named sandbox, with its own pets, keys, clock and all',
      body: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          seed: { type: 'object' },
          randomSeed: { type: 'integer' },
          gaps: { type: 'object' },
          clock: {},
          rateLimit: { enum: ['enforced', 'reported'] },
          journalSize: { type: 'integer' },
        },
        additionalProperties: false,
      },
      status: 201,
      run: ({ body }) => view(pool.create(body as NewSandbox | undefined).name),
    },
    {
      name: 'deleteSandbox',
      method: 'DELETE',
      path: '/sandboxes/{name}',
      summary: 'Delete a named sandbox, and free its memory',
      run: ({ params }) => pool.delete(params.name ?? ''),
    },
    {
      name: 'save',
      method: 'POST',
      path: '/save',
      summary: 'Write the state of all sandboxes to the file of --state',
      run() {
        if (save === undefined) {
          throw new InputError(
            'Cannot save the state: there is no file for it; start with --state FILE',
          )
        }
        try {
          save()
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          throw new ApiError('internal_error', reason)
        }
      },
    },
  ]
}
