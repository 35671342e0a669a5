import { duration } from '../../../input/duration.ts'
import { instant } from '../../../input/instant.ts'
import { described } from '../../../input/schema.ts'
import { clockScale } from '../../../state/clock/clock-settings.ts'
import { action, type RemoteCommand } from './action.ts'

/** Reads and moves the clock of a running sandbox. */
export const clockCommand: RemoteCommand = {
  about: 'Read or move the clock of a running sandbox',
  actions: {
    show: action({ about: 'Show it', words: {}, run: (client) => client.clock.read() }),
    advance: action({
      about: 'Advance it',
      words: { duration: described('How far, for instance 61s, 5m or 1h30m', duration) },
      examples: { '61s': 'Begin the next minute window' },
      run: (client, { duration: advance }) => client.clock.change({ advance }),
    }),
    set: action({
      about: 'Set it, forth or back',
      words: { instant: described('Where to, for instance 2030-12-05T00:00:00Z', instant) },
      examples: { '2030-12-05': 'See GET /pets/{petId} gone' },
      run: (client, { instant: set }) => client.clock.change({ set }),
    }),
    freeze: action({
      about: 'Stop it',
      words: {},
      run: (client) => client.clock.change({ mode: 'frozen' }),
    }),
    resume: action({
      about: 'Resume from where it is',
      words: {},
      run: (client) => client.clock.change({ mode: 'offset' }),
    }),
    scale: action({
      about: 'Run this many times as fast',
      words: { times: described('Sandbox seconds in a real second', clockScale) },
      examples: { 60: 'Let a minute pass in a second' },
      run: (client, { times: scale }) => client.clock.change({ mode: 'scaled', scale }),
    }),
    system: action({
      about: "Follow the system's clock",
      words: {},
      run: (client) => client.clock.change({ mode: 'system' }),
    }),
  },
}
