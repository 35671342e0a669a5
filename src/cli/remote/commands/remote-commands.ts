import type { RemoteCommand } from './action.ts'
import { clockCommand } from './clock-command.ts'
import { faultsCommand } from './faults-command.ts'
import { keysCommand } from './keys-command.ts'
import { petsCommand } from './pets-command.ts'
import {
  gapCommand,
  resetCommand,
  sandboxesCommand,
  scenarioCommand,
  snapshotCommand,
} from './sandbox-commands.ts'

/** The commands for a running sandbox, by name. */
export const remoteCommands: Readonly<Record<string, RemoteCommand>> = {
  clock: clockCommand,
  keys: keysCommand,
  pets: petsCommand,
  faults: faultsCommand,
  scenario: scenarioCommand,
  gap: gapCommand,
  reset: resetCommand,
  snapshot: snapshotCommand,
  sandboxes: sandboxesCommand,
}
