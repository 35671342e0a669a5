import { list } from '../../../input/collections.ts'
import { object } from '../../../input/object.ts'
import { described, named } from '../../../input/schema.ts'
import { string } from '../../../input/values.ts'
import { keyText, unnamedKey } from '../../../state/keys.ts'
import { keyChange } from '../../controls/key-controls.ts'
import { keyView } from '../../views/key-view.ts'
import { route } from '../control-route.ts'
import { none, nothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

// Of any form, so that the refusal is that of an unknown key, which doesn't show it whole.
const anyKey = { ...described('The whole key.', keyText), read: string.read }
const keyOfPath = object({ key: anyKey }, { title: 'key' })

/** The controls of keys. */
export const keyRoutes = {
  'keys.list': route({
    ...routePlaces['keys.list'],
    tag: 'keys',
    summary: 'List the keys, with the requests they have left',
    description: 'Gives every key with its state, its limits, and where it stands in both windows.',
    params: none,
    query: none,
    body: nothing,
    reply: list(keyView),
    run: ({ controls }) => controls.keys.list(),
  }),
  'keys.issue': route({
    ...routePlaces['keys.issue'],
    tag: 'keys',
    summary: 'Issue a key',
    description:
      'Issues a key of a plan; without a `key` of its own it gets a random one. Plan `enterprise` needs `limits`.',
    params: none,
    query: none,
    body: named('NewKey', unnamedKey),
    reply: keyView,
    status: 201,
    run: ({ controls, body }) => controls.keys.issue(body),
  }),
  'keys.get': route({
    ...routePlaces['keys.get'],
    tag: 'keys',
    summary: 'Get a key, with the requests it has left',
    description: 'Gives one key with its state, its limits, and where it stands in both windows.',
    params: keyOfPath,
    query: none,
    body: nothing,
    reply: keyView,
    run: ({ controls, params }) => controls.keys.get(params.key),
  }),
  'keys.change': route({
    ...routePlaces['keys.change'],
    tag: 'keys',
    summary: 'Change a key: plan, limits, expiry, requests left; revoke, ban or pardon it',
    description:
      'Changes what is given; the rest stays. A new plan brings its limits; what was used stays used.',
    params: keyOfPath,
    query: none,
    body: named('KeyChange', keyChange),
    reply: keyView,
    run: ({ controls, params, body }) => controls.keys.change(params.key, body),
  }),
  'keys.delete': route({
    ...routePlaces['keys.delete'],
    tag: 'keys',
    summary: 'Delete a key',
    description: 'Deletes one key, and forgets what it has used.',
    params: keyOfPath,
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls, params }) => controls.keys.delete(params.key),
  }),
} as const
