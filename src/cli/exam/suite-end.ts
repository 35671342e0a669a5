import { wholeSuite } from '../../explore/suite/observation.ts'
import { formatDuration } from '../../input/duration.ts'
import type { RowRun } from '../explore/suite/suite-runner.ts'

/** What became of a suite. */
export interface SuiteEnd {
  readonly kind: 'green' | 'red' | 'slow' | 'crash'
  readonly text: string
}

/** The exit codes of processes that a signal has ended. */
const firstSignalCode = 129
const lastSignalCode = 159

/**
 * Says what became of a suite in a run.
 *
 * @param tests How many tests it has; 0 if single tests aren't known.
 */
export function suiteEnd({ command, results }: RowRun, tests: number): SuiteEnd {
  const { code, end, ms } = command
  if (end !== 'by itself') {
    const after = formatDuration(Math.round(ms / 1_000) * 1_000)
    return { kind: 'slow', text: `the suite was still running after ${after}, and was ended` }
  }
  const failed = [...results].filter(([, result]) => result === 'failed').map(([test]) => test)
  if (code === 0 && failed.length === 0) {
    return { kind: 'green', text: tests === 0 ? 'the suite passes' : `all ${tests} tests pass` }
  }
  if (code >= firstSignalCode && code <= lastSignalCode) {
    return { kind: 'crash', text: `the suite crashes, with exit code ${code}` }
  }
  const named = failed.filter((test) => test !== wholeSuite)
  if (named.length === 0) return { kind: 'red', text: `the suite fails, with exit code ${code}` }
  if (named.length === tests) return { kind: 'red', text: `all ${tests} tests fail` }
  const verb = named.length === 1 ? 'fails' : 'fail'
  return { kind: 'red', text: `${named.length} of ${tests} tests ${verb}: ${listed(named)}` }
}

/** How many of several are named. */
const mostListed = 2

/** Names the first of several, and says how many more there are. */
export function listed(names: readonly string[]): string {
  const rest = names.length - mostListed
  const shown = names.slice(0, mostListed).join(', ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}
