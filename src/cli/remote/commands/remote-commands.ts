import type { RemoteCommand } from './action.ts'
import { clockCommand } from './clock-command.ts'
import { faultsCommand } from './faults-command.ts'
import { keysCommand } from './keys-command.ts'
import { petsCommand } from './pets-command.ts'
import {
  captureCommand,
  gapCommand,
  resetCommand,
  sandboxesCommand,
  scenarioCommand,
  snapshotCommand,
} from './sandbox-commands.ts'

import { statusCommand } from './status-command.ts'

/** The commands for a running sandbox, by name. */
export const remoteCommands: Readonly<Record<string, RemoteCommand>> = {
  status: statusCommand,
  clock: clockCommand,
  keys: keysCommand,
  pets: petsCommand,
  faults: faultsCommand,
  scenario: scenarioCommand,
  gap: gapCommand,
  reset: resetCommand,
  snapshot: snapshotCommand,
  capture: captureCommand,
  sandboxes: sandboxesCommand,
}
