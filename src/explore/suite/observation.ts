import type { GapChoice } from '../other-choices.ts'
import { hasAll, type Row, rowText } from './row.ts'

/** How a test, or the suite as a whole, ended. */
export type TestResult = 'passed' | 'failed'

/** The name under which the suite as a whole has a result. */
export const wholeSuite = ''

/** What a run of a suite has shown. */
export interface SuiteRun {
  /** By the names of tests; of those that are left out nothing is known. */
  readonly results: ReadonlyMap<string, TestResult>
  /** The choices that would have changed a reply, had they been taken instead. */
  readonly mattering: readonly GapChoice[]
  /** The choices of the row that changed a reply. */
  readonly effective: Row
}

/** A run, and the row under which it was. */
export interface Observation extends SuiteRun {
  readonly row: Row
}

/** What is known of one test: in which rows it passed and failed. */
export class Evidence {
  readonly #passed: readonly Observation[]
  /** Rows in which it failed, the smallest first; none in which it passed as well. */
  readonly failed: readonly Observation[]
  /** Whether it has passed and failed in the same row. */
  readonly isUnsteady: boolean
  /** Whether it has failed at the usual choices, at which it has passed as well. */
  readonly failsAsUsual: boolean

  constructor(observations: readonly Observation[], test: string) {
    const having = (result: TestResult): Observation[] =>
      observations.filter(({ results }) => results.get(test) === result)
    this.#passed = having('passed')
    const passed = new Set(this.#passed.map(({ row }) => rowText(row)))
    const failed = having('failed')
    this.failed = failed
      .filter(({ row }) => !passed.has(rowText(row)))
      .toSorted((one, other) => one.row.length - other.row.length)
    this.isUnsteady = this.failed.length < failed.length
    this.failsAsUsual = failed.some(({ row }) => row.length === 0)
  }

  /** How many rows it has passed in. */
  get passes(): number {
    return this.#passed.length
  }

  /** How often it has passed at the usual choices. */
  get usualPasses(): number {
    return this.#passed.filter(({ row }) => row.length === 0).length
  }

  /** Whether it has passed under just these choices. */
  hasPassed(row: Row): boolean {
    return this.#passed.some((one) => isSameRow(one.row, row))
  }

  /** Whether it has passed under these choices, whatever stood beside them. */
  hasPassedWith(part: Row): boolean {
    return this.#passed.some(({ row }) => hasAll(row, part))
  }

  /** Whether it has failed under just these choices. */
  hasFailed(row: Row): boolean {
    return this.failed.some((one) => isSameRow(one.row, row))
  }

  /** How many rows with these choices it has failed in. */
  failuresWith(part: Row): number {
    return this.failed.filter(({ row }) => hasAll(row, part)).length
  }

  /** Whether choices are cleared: it has passed where all of them changed replies, or under just them. */
  clears(part: Row): boolean {
    return this.#passed.some(({ row, effective }) => {
      return hasAll(effective, part) || isSameRow(row, part)
    })
  }
}

function isSameRow(one: Row, other: Row): boolean {
  return one.length === other.length && hasAll(one, other)
}
