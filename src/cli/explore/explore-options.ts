import { object, optional, withDefault } from '../../input/object.ts'
import { described, type Read } from '../../input/schema.ts'
import { flag, text, whole } from '../../input/values.ts'
import { serveOptions } from '../serve/serve-options.ts'
import { reportTargets } from '../write-reports.ts'

const serve = serveOptions.properties

/** The options that say how the sandbox of each run begins, as with `exec`. */
export const exploredOptions = object({
  'seed-file': serve['seed-file'],
  pets: serve.pets,
  seed: serve.seed,
  clock: serve.clock,
  frozen: serve.frozen,
  scale: serve.scale,
  gap: serve.gap,
  'rate-limit': serve['rate-limit'],
  scenario: serve.scenario,
  limit: serve.limit,
  config: serve.config,
})

/** The options that only `explore` has. */
export const explorerOptions = object({
  strength: withDefault(
    described('How many gaps are tried together in every combination: 2 or 3', whole(2, 3)),
    2,
  ),
  jobs: optional(
    described('How many runs at a time, at most 64', whole(1, 64), {
      default: 'what the processors can carry, by the first runs',
    }),
  ),
  all: withDefault(
    described(
      'Try all gaps: those too at which no reply could change, and what nobody has promised',
      flag,
    ),
    false,
  ),
  junit: optional(
    described(
      'File to which the command writes JUnit XML, to tell tests apart; {row} in it, and in the command, stands for the number of the run; without it, runs follow each other',
      text(),
      { format: 'path' },
    ),
  ),
  baseline: optional(
    described('Report in JSON whose dependencies are known: only new ones fail', text(), {
      format: 'path',
    }),
  ),
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
})

export type ExplorerOptions = Read<typeof explorerOptions>
