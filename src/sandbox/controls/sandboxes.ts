import { NotFoundError } from '../../mock/input/input-error.ts'
import { type GivenOf, type NamedSchema, object, optional } from '../../mock/input/object.ts'
import { described, named, type Schema } from '../../mock/input/schema.ts'
import { text } from '../../mock/input/values.ts'
import { type SharedSandboxOptions, sharedOptions } from '../../mock/state/beginning.ts'
import { orNothing, routesOn } from './http/route.ts'

/** Name of a sandbox. */
export const sandboxName: Schema<string> = text({
  use: '1 to 63 letters, digits, - and _, a letter or digit first',
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/,
})

const nameProperty = {
  /** Name of the sandbox, 1 to 63 letters, digits, `-` and `_`; random by default. */
  name: optional(sandboxName),
} as const

const newProperties = { ...nameProperty, ...sharedOptions } as const

/** Options of a new named sandbox; without a name it gets a random one. */
export interface NewSandbox extends SharedSandboxOptions, GivenOf<typeof nameProperty> {}

/** Options of a new named sandbox. */
export const newSandbox: NamedSchema<typeof newProperties, NewSandbox> = object(newProperties, {
  title: 'sandbox',
})

/** Name and addresses of a named sandbox. */
export interface SandboxView {
  /** Name of the sandbox. */
  readonly name: string
  /** Base address of its API, which ends in `/v1`. */
  readonly baseUrl: string
  /** Address of its controls. */
  readonly controlUrl: string
}

/** Returns the name and the addresses of a named sandbox of a server. */
export function viewSandbox(name: string, origin: string): SandboxView {
  const root = `${origin}/sandboxes/${name}`
  return { name, baseUrl: `${root}/v1`, controlUrl: `${root}/_sandbox` }
}

/** Controls of a server beyond those of its sandbox. */
export interface ProcessControls {
  /** Controls of the named sandboxes. */
  readonly sandboxes: {
    /** Returns the named sandboxes, with their addresses. */
    list(): SandboxView[]
    /**
     * Creates a named sandbox, and returns its addresses.
     *
     * @throws {@link InputError} for a name that is taken, or if the maximum number of sandboxes is reached.
     */
    create(settings?: NewSandbox): SandboxView
    /**
     * Deletes a named sandbox, and ends its requests in progress.
     *
     * @throws {@link NotFoundError} if no sandbox has the name.
     */
    delete(name: string): void
  }
  /**
   * Writes the state of all sandboxes to the file of `--state`.
   *
   * @throws {@link InputError} if the server has no such file, another error if it can't be written.
   */
  saveState(): void | Promise<void>
}

/** Host of controls; only the default sandbox of a server has the server's controls. */
export interface ProcessHost {
  readonly process?: ProcessControls | undefined
}

const route = routesOn<ProcessHost>('sandboxes')

/** Routes that only a server has. */
export const processRoutes = {
  'sandboxes.list': route('sandboxes.list', {
    summary: 'List the named sandboxes of the server, with their addresses',
    run: (host) => processOf(host).sandboxes.list(),
  }),
  'sandboxes.create': route('sandboxes.create', {
    summary: 'Make a named sandbox, with its own pets, keys, clock and all',
    description: 'Makes a sandbox; without a name it gets a random one.',
    body: orNothing(named('NewSandbox', newSandbox)),
    status: 201,
    run: ({ body, ...host }) => processOf(host).sandboxes.create(body),
  }),
  'sandboxes.delete': route('sandboxes.delete', {
    summary: 'Delete a named sandbox, and free its memory',
    description: 'Deletes a sandbox; its waiting requests and its streams end at once.',
    params: object({ name: described("The sandbox's name.", sandboxName) }, { title: 'sandbox' }),
    run: ({ params, ...host }) => processOf(host).sandboxes.delete(params.name),
  }),
  saveState: route('saveState', {
    summary: 'Write the state of all sandboxes to the --state file',
    description: 'Saves what a graceful stop would save. Rejected if the server has no such file.',
    errors: { 500: 'The file cannot be written; the message says why.' },
    async run(host) {
      await processOf(host).saveState()
    },
  }),
} as const

function processOf(host: ProcessHost): ProcessControls {
  if (host.process !== undefined) return host.process
  throw new NotFoundError(
    'Cannot find the controls of a server: only its default sandbox has them; send the request to that one',
  )
}
