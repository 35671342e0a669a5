import type { RemoteCommand } from './action.ts'
import { clockCommand } from './clock-actions.ts'
import { faultsCommand } from './fault-actions.ts'
import { keysCommand } from './key-actions.ts'
import { petsCommand } from './pet-actions.ts'
import {
  gapCommand,
  resetCommand,
  sandboxesCommand,
  scenarioCommand,
  snapshotCommand,
} from './sandbox-actions.ts'

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
