import { list } from '../../../input/collections.ts'
import { MissingError } from '../../../input/input-error.ts'
import { object } from '../../../input/object.ts'
import { type ControlHost, none, nothing, orNothing, route } from '../control-route.ts'
import { newSandbox, type ProcessControls, sandboxName, sandboxView } from '../process-controls.ts'

/** The controls that only a process has. */
export const processRoutes = {
  'sandboxes.list': route({
    method: 'GET',
    path: '/sandboxes',
    tag: 'sandboxes',
    summary: 'List the named sandboxes',
    description: 'Gives the names of the sandboxes of this process, and where they are served.',
    params: none,
    query: none,
    body: nothing,
    reply: list(sandboxView),
    run: (host) => processOf(host).sandboxes.list(),
  }),
  'sandboxes.create': route({
    method: 'POST',
    path: '/sandboxes',
    tag: 'sandboxes',
    summary: 'Make a named sandbox, with its own pets, keys, clock and all',
    description: 'Makes a sandbox; without a name it gets a random one.',
    params: none,
    query: none,
    body: orNothing(newSandbox),
    reply: sandboxView,
    status: 201,
    run: ({ body, ...host }) => processOf(host).sandboxes.create(body),
  }),
  'sandboxes.delete': route({
    method: 'DELETE',
    path: '/sandboxes/{name}',
    tag: 'sandboxes',
    summary: 'Delete a named sandbox, and free its memory',
    description: 'Deletes a sandbox; what waits for its answer gets it now, and its streams end.',
    params: object({ name: sandboxName }),
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ params, ...host }) => processOf(host).sandboxes.delete(params.name),
  }),
  save: route({
    method: 'POST',
    path: '/save',
    tag: 'sandboxes',
    summary: 'Write the state of all sandboxes to the file of --state',
    description: 'Saves what a graceful stop would save.',
    params: none,
    query: none,
    body: nothing,
    reply: nothing,
    run: (host) => processOf(host).save(),
  }),
} as const

function processOf({ process }: ControlHost): ProcessControls {
  if (process !== undefined) return process
  throw new MissingError('Cannot find the controls of a process: ask its default sandbox')
}
