import { question, type RemoteCommand } from './action.ts'
import { statusScreen } from './status-screen.ts'

/** Shows where a running sandbox stands. */
export const statusCommand: RemoteCommand = {
  about: 'Show where a running sandbox stands, on one screen',
  actions: {
    show: question({
      about: 'Clock, limits, keys, faults, changed gaps and the latest requests',
      words: {},
      run: (client) => client.status(),
      show: statusScreen,
    }),
  },
}
