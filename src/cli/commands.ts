import { agents } from './commands/agents.ts'
import { calibrate } from './commands/calibrate.ts'
import { capture } from './commands/capture.ts'
import { check } from './commands/check.ts'
import { clock } from './commands/clock.ts'
import { completion } from './commands/completion.ts'
import { exec } from './commands/exec.ts'
import { faults } from './commands/faults.ts'
import { findings } from './commands/findings.ts'
import { gaps } from './commands/gaps.ts'
import { init } from './commands/init.ts'
import { keys } from './commands/keys.ts'
import { open } from './commands/open.ts'
import { openapi } from './commands/openapi.ts'
import { pets } from './commands/pets.ts'
import { replay } from './commands/replay.ts'
import { requests } from './commands/requests.ts'
import { reset } from './commands/reset.ts'
import { sandboxes } from './commands/sandboxes.ts'
import { scenario } from './commands/scenario.ts'
import { screenshots } from './commands/screenshots.ts'
import { serve } from './commands/serve.ts'
import { snapshot } from './commands/snapshot.ts'
import { status } from './commands/status.ts'
import type { Command } from './yargs-options.ts'

/** Commands that `--help` lists, fifteen at most. */
export const mainCommands: readonly Command[] = [
  serve,
  init,
  check,
  screenshots,
  exec,
  open,
  clock,
  keys,
  faults,
  scenario,
  gaps,
  reset,
  status,
  requests,
  findings,
]

/** Commands that only `help --all` lists. */
export const otherCommands: readonly Command[] = [
  pets,
  capture,
  replay,
  snapshot,
  sandboxes,
  calibrate,
  openapi,
  agents,
  completion,
]
