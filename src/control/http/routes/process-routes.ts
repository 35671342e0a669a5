import { list } from '../../../input/collections.ts'
import { MissingError } from '../../../input/input-error.ts'
import { object } from '../../../input/object.ts'
import { described, named } from '../../../input/schema.ts'
import { type ControlHost, route } from '../control-route.ts'
import { newSandbox, type ProcessControls, sandboxName, sandboxView } from '../process-controls.ts'
import { none, nothing, orNothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

/** The controls that only a process has. */
export const processRoutes = {
  'sandboxes.list': route({
    ...routePlaces['sandboxes.list'],
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
    ...routePlaces['sandboxes.create'],
    tag: 'sandboxes',
    summary: 'Make a named sandbox, with its own pets, keys, clock and all',
    description: 'Makes a sandbox; without a name it gets a random one.',
    params: none,
    query: none,
    body: orNothing(named('NewSandbox', newSandbox)),
    reply: sandboxView,
    status: 201,
    run: ({ body, ...host }) => processOf(host).sandboxes.create(body),
  }),
  'sandboxes.delete': route({
    ...routePlaces['sandboxes.delete'],
    tag: 'sandboxes',
    summary: 'Delete a named sandbox, and free its memory',
    description: 'Deletes a sandbox; its waiting requests and its streams end at once.',
    params: object({ name: described("The sandbox's name.", sandboxName) }, { title: 'sandbox' }),
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ params, ...host }) => processOf(host).sandboxes.delete(params.name),
  }),
  save: route({
    ...routePlaces.save,
    tag: 'sandboxes',
    summary: 'Write the state of all sandboxes to the file of --state',
    description: 'Saves what a graceful stop would save. Refused if the process has no such file.',
    params: none,
    query: none,
    body: nothing,
    reply: nothing,
    refusals: { 500: 'The file cannot be written; the message says why.' },
    async run(host) {
      await processOf(host).save()
    },
  }),
} as const

function processOf(host: ControlHost): ProcessControls {
  if (host.process !== undefined) return host.process
  throw new MissingError(
    'Cannot find the controls of a process: only its default sandbox has them; ask that one',
  )
}
