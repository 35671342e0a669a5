import { named } from '../../../input/schema.ts'
import { clockChange } from '../../controls/clock-controls.ts'
import { clockView } from '../../views/clock-view.ts'
import { route } from '../control-route.ts'
import { none, nothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

/** The controls of the clock. */
export const clockRoutes = {
  'clock.read': route({
    ...routePlaces['clock.read'],
    tag: 'clock',
    summary: 'Read the clock',
    description: 'Says where the clock stands, and how it runs.',
    params: none,
    query: none,
    body: nothing,
    reply: clockView,
    run: ({ controls }) => controls.clock.read(),
  }),
  'clock.change': route({
    ...routePlaces['clock.change'],
    tag: 'clock',
    summary: 'Move or stop the clock, or change its pace',
    description:
      'Takes `advance` or `set`, a `mode`, or both. When it answers, windows have rolled, bans have ended, and waits that fell due are over. A frozen clock stays frozen unless a mode is given.',
    params: none,
    query: none,
    body: named('ClockChange', clockChange),
    reply: clockView,
    run: ({ controls, body }) => controls.clock.change(body),
  }),
} as const
