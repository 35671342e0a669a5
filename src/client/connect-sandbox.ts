import type { Duration } from '../input/duration.ts'
import type { Instant } from '../input/instant.ts'
import { object, optional } from '../input/object.ts'
import { type Given, readInput } from '../input/schema.ts'
import { string, text } from '../input/values.ts'
import { controlAddress } from './control-address.ts'
import { EntryStream } from './entry-stream.ts'
import { Remote } from './remote.ts'
import { callsTo } from './route-calls.ts'
import type { RouteCalls, SandboxClient } from './sandbox-client.ts'

export { InputError, MissingError } from '../input/input-error.ts'
export { RemoteError, type RemoteReason } from './remote-error.ts'
export type { SandboxClient } from './sandbox-client.ts'
export type { EventsOptions, JournalEntry, SandboxEvents } from './sandbox-events.ts'

const connectOptions = object({
  /** The name of one of the process's sandboxes; its default one without. */
  sandbox: optional(string),
  /** The control token, where the process asks for one. */
  token: optional(text()),
})

/** Which sandbox of a process to control, and with which token. */
export type ConnectOptions = Given<typeof connectOptions>

/**
 * Gives the controls of a sandbox that a process serves; the first call asks whether one does.
 *
 * @param url Where the process serves; the address of an API, ending in `/v1` or `/_sandbox`, will do too.
 * @throws {@link InputError} for an address or option that can't be used.
 */
export function connectSandbox(url: string, options: ConnectOptions = {}): SandboxClient {
  const { sandbox, token } = readInput(connectOptions, options)
  const remote = new Remote(controlAddress(url, sandbox), token)
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
