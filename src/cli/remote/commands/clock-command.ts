import { duration, formatDuration } from '../../../input/duration.ts'
import { instant } from '../../../input/instant.ts'
import { described } from '../../../input/schema.ts'
import { clockScale } from '../../../state/clock.ts'
import { change, question, type RemoteCommand } from './action.ts'
import { clockText, unitNote } from './answer-sentences.ts'

/** Reads and moves the clock of a running sandbox. */
export const clockCommand: RemoteCommand = {
  about: 'Read or move the clock of a running sandbox',
  actions: {
    show: question({ about: 'Show the clock', words: {}, run: (client) => client.clock.read() }),
    advance: change({
      about: 'Advance the clock',
      words: {
        duration: described(
          'How far, such as 61s, 5m or 1h30m; a bare number is milliseconds',
          duration,
        ),
      },
      examples: { '61s': 'Begin the next minute window' },
      run: (client, { duration: advance }) => client.clock.change({ advance }),
      says: (reading, words, { texts }) =>
        `The clock went on by ${formatDuration(words.duration)}${unitNote(texts.duration)}: ${clockText(reading)}`,
    }),
    set: change({
      about: 'Set the clock, forward or back',
      words: {
        instant: described(
          'Where to, such as 2030-12-05T00:00:00Z; a bare number is Unix milliseconds',
          instant,
        ),
      },
      examples: { '2030-12-05': 'See GET /pets/{petId} gone' },
      run: (client, { instant: set }) => client.clock.change({ set }),
      says: (reading) => `The clock is set: ${clockText(reading)}`,
    }),
    freeze: change({
      about: 'Freeze the clock',
      words: {},
      run: (client) => client.clock.change({ mode: 'frozen' }),
      says: (reading) => `The clock is frozen at ${reading.now}`,
    }),
    resume: change({
      about: 'Resume the clock from where it is',
      words: {},
      run: (client) => client.clock.change({ mode: 'offset' }),
      says: (reading) => `The clock goes on: ${clockText(reading)}`,
    }),
    scale: change({
      about: 'Run the clock this many times as fast',
      words: { times: described('Sandbox seconds in a real second', clockScale) },
      examples: { 60: 'Let a minute pass in a second' },
      run: (client, { times: scale }) => client.clock.change({ mode: 'scaled', scale }),
      says: (reading) => `The clock goes on: ${clockText(reading)}`,
    }),
    system: change({
      about: "Follow the system's clock",
      words: {},
      run: (client) => client.clock.change({ mode: 'system' }),
      says: (reading) => `The clock follows the system's: ${reading.now}`,
    }),
  },
}
