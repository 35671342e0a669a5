import { faultSettings } from '../../../faults/fault-rules.ts'
import { list, oneOrMany } from '../../../input/collections.ts'
import { object } from '../../../input/object.ts'
import { faultView } from '../../views/fault-view.ts'
import { route } from '../control-route.ts'
import { idInPath, none, nothing, oneOrSeveral } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

/** The controls of faults. */
export const faultRoutes = {
  'faults.list': route({
    ...routePlaces['faults.list'],
    tag: 'faults',
    summary: 'List the faults, and how often each has struck',
    description: 'Gives the faults in the order in which they were added.',
    params: none,
    query: none,
    body: nothing,
    reply: list(faultView),
    run: ({ controls }) => controls.faults.list(),
  }),
  'faults.add': route({
    ...routePlaces['faults.add'],
    tag: 'faults',
    summary: 'Add a fault or an array of faults',
    description:
      'Adds all of them or none. Latencies add up; of all other faults that fit a request, only the first strikes it.',
    params: none,
    query: none,
    body: oneOrSeveral(faultSettings, ['fault', 'faults']),
    reply: oneOrMany(faultView),
    status: 201,
    run: ({ controls, body }) => controls.faults.add(body),
  }),
  'faults.clear': route({
    ...routePlaces['faults.clear'],
    tag: 'faults',
    summary: 'Remove all faults',
    description: 'Removes every fault; their effects on requests under way go on.',
    params: none,
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls }) => controls.faults.clear(),
  }),
  'faults.remove': route({
    ...routePlaces['faults.remove'],
    tag: 'faults',
    summary: 'Remove a fault',
    description: 'Removes one fault; its effects on requests under way go on.',
    params: object({ id: idInPath("The fault's id.") }, { title: 'fault' }),
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls, params }) => controls.faults.remove(params.id),
  }),
} as const
