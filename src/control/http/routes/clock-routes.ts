import { clockChange, clockReading } from '../../controls/clock-controls.ts'
import { none, nothing, route } from '../control-route.ts'

/** The controls of the clock. */
export const clockRoutes = {
  'clock.read': route({
    method: 'GET',
    path: '/clock',
    tag: 'clock',
    summary: 'Read the clock',
    description: 'Says where the clock stands, and how it runs.',
    params: none,
    query: none,
    body: nothing,
    reply: clockReading,
    run: ({ controls }) => controls.clock.read(),
  }),
  'clock.change': route({
    method: 'PATCH',
    path: '/clock',
    tag: 'clock',
    summary: 'Move the clock, stop it, or let it run at another pace',
    description:
      'Takes `advance` or `set`, a `mode`, or both. When it answers, windows have rolled, bans have ended, and waits that fell due are over. A frozen clock stays frozen unless a mode is given.',
    params: none,
    query: none,
    body: clockChange,
    reply: clockReading,
    run: ({ controls, body }) => controls.clock.change(body),
  }),
} as const
