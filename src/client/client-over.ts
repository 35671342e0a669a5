import type { Duration } from '../input/duration.ts'
import type { Instant } from '../input/instant.ts'
import { EntryStream } from './entry-stream.ts'
import type { Remote } from './remote.ts'
import { callsTo } from './route-calls.ts'
import type { RouteCalls, SandboxClient } from './sandbox-client.ts'

/** Gives the controls of a sandbox over a control API. */
export function clientOver(remote: Remote): SandboxClient {
  const calls = callsTo(remote)
  const { clock, keys, journal, pets } = calls
  return {
    ...calls,
    clock: { ...clock, ...clockCalls(clock) },
    keys: { ...keys, setRemaining: (key, remaining) => keys.change(key, { remaining }) },
    pets: { ...pets, size: async () => (await pets.list()).length },
    journal: {
      ...journal,
      last: async (query) => (await journal.entries({ ...query, limit: 1 })).at(-1),
    },
    events: (given) => new EntryStream(remote, given),
  }
}

/** The controls of the clock that are changes of it, each under a name of its own. */
function clockCalls({ read, change }: RouteCalls['clock']) {
  const changeBy = async (wanted: Parameters<typeof change>[0]): Promise<void> => {
    await change(wanted)
  }
  return {
    now: async () => Date.parse((await read()).now),
    advance: (by: Duration) => changeBy({ advance: by }),
    set: (to: Instant) => changeBy({ set: to }),
    freeze: () => changeBy({ mode: 'frozen' }),
    resume: () => changeBy({ mode: 'offset' }),
    scale: (scale: number) => changeBy({ mode: 'scaled', scale }),
    followSystem: () => changeBy({ mode: 'system' }),
  }
}
