import type { GapName } from '../../mock/api/gaps.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { list, object, optional } from '../../mock/input/object.ts'
import type { Output } from '../../mock/input/schema.ts'
import { flag, integer, string } from '../../mock/input/values.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import type { WhatIf } from '../../sandbox/controls/reports.ts'
import { type Configuration, configurationText, type GapValue, hasAll } from '../replay/choices.ts'

const count = integer(0, Number.MAX_SAFE_INTEGER)

/** Waits that error responses asked clients for, and whether clients kept them. */
const waits = object({
  /** Longest wait that a response asked for, in milliseconds; 0 if none did. */
  longestMs: count,
  /** Longest wait that was still running at the end, with no later request, in milliseconds; 0 if there was none. */
  openMs: count,
  /** Whether no request was repeated before its wait was over. */
  areKept: flag,
})

type Waits = Output<typeof waits>

/** Report of a test runner's fixture on the sandbox of one test, for `check`. */
export const usageReport = object(
  {
    test: string,
    requests: count,
    /** Gap values that would have changed a response, such as `banStatus=403`; left out if that isn't known. */
    relevantValues: optional(list(string)),
    waits,
  },
  { title: 'asked', example: '{ "test": "", "requests": 0, "waits": {} }' },
)

export type UsageReport = Output<typeof usageReport>

/** Parts of a sandbox that a report reads. */
interface UsedSandbox {
  readonly requests: { list(): readonly RequestView[] }
  readonly clock: { now(): number }
  whatIf(): Promise<WhatIf>
}

/**
 * Reports the requests that a sandbox has received, and the gap values that would change their responses.
 *
 * @param test Name of the test that sent them.
 * @param chosen Gap values that the test sets itself; no others are tried at these gaps.
 */
export async function usageOf(
  sandbox: UsedSandbox,
  test: string,
  chosen: object = {},
): Promise<UsageReport> {
  const usage = { test, waits: waitsOf(sandbox.requests.list(), sandbox.clock.now()) }
  // Requests that the log has dropped may depend on any gap value.
  const forgotten = { ...usage, requests: 1, relevantValues: undefined }
  try {
    const { requests, dropped, results } = await sandbox.whatIf()
    if (dropped !== undefined) return forgotten
    const relevantValues = results
      .filter(({ changesResponse }) => changesResponse)
      .flatMap(({ gaps }) => Object.entries(gaps))
      .filter(([gap]) => !Object.hasOwn(chosen, gap))
      .map(([gap, value]) => `${gap}=${value}`)
    return { ...usage, requests, relevantValues }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return forgotten
  }
}

/** Wait of a client after a rejected request. */
interface Wait {
  readonly rejectedAt: number
  readonly until: number
  readonly request: string
}

/**
 * Finds the waits that clients were asked for, in a list of requests.
 *
 * @param now End of the observation on the sandbox's clock, in Unix milliseconds.
 */
export function waitsOf(entries: readonly RequestView[], now: number): Waits {
  const waiting = new Map<RequestView['client'], Wait>()
  let longestMs = 0
  let areKept = true
  for (const { at, client, request, outcome, decision } of entries) {
    const sentAt = Date.parse(at)
    const text = `${request.method} ${request.url} ${request.body}`
    const before = waiting.get(client)
    if (before !== undefined && before.request === text) {
      // A request that was in flight together with the rejected one isn't a retry.
      areKept &&= sentAt <= before.rejectedAt || sentAt >= before.until
    }
    waiting.delete(client)
    const isRejection = outcome.kind === 'response' && waitStatuses.includes(outcome.status)
    if (!isRejection || decision.retryAt === undefined) continue
    const wait = { rejectedAt: sentAt, until: Date.parse(decision.retryAt), request: text }
    longestMs = Math.max(longestMs, wait.until - sentAt)
    waiting.set(client, wait)
  }
  const open = [...waiting.values()].filter(({ until }) => until > now)
  const openMs = Math.max(0, ...open.map(({ until, rejectedAt }) => until - rejectedAt))
  return { longestMs, openMs, areKept }
}

/** Statuses of error responses that say when to retry. */
const waitStatuses: readonly number[] = [429, 503]

/** Result of a test, or of the suite as a whole. */
export type TestResult = 'passed' | 'failed'

/** Name of the result of the suite as a whole. */
export const wholeSuite = ''

/** Facts about the requests of one test, or of a whole run. */
export interface UsageFacts {
  /** Gap values that would have changed a response; `undefined` if that isn't known. */
  readonly relevantValues: readonly GapValue[] | undefined
  /** Values of the row that changed a response. */
  readonly effective: Configuration
  readonly waits: Waits
}

/** Results of one run of a suite. */
export interface TestRun {
  /** Facts by test, as its fixture names it; {@link wholeSuite} has those of the run's own sandbox. */
  readonly facts?: ReadonlyMap<string, UsageFacts>
  /** Tests that timed out, according to their runner. */
  readonly timedOut?: ReadonlySet<string>
  /** Results by test; a test that is left out has no known result. */
  readonly results: ReadonlyMap<string, TestResult>
  /** Gap values that would have changed a response if they had been set. */
  readonly relevantValues: readonly GapValue[]
  /** Values of the row that changed a response. */
  readonly effective: Configuration
}

/** Run with the row that it used. */
export interface ObservedRun extends TestRun {
  readonly row: Configuration
}

/** Returns the name by which a test's facts are found, as runners differ in the punctuation of names. */
export function factName(test: string): string {
  return test.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** Returns the facts about a test, whose name may begin with those of its file and its groups. */
function factsOf({ facts }: TestRun, test: string): UsageFacts | undefined {
  if (facts === undefined || facts.size === 0) return undefined
  if (test === wholeSuite) return facts.get(wholeSuite)
  const words = factName(test).split(' ')
  for (let first = 0; first < words.length; first++) {
    const found = facts.get(words.slice(first).join(' '))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the gaps at which another value changes responses to a test; `undefined` if that isn't known. */
export function gapsOf(
  observations: readonly ObservedRun[],
  test: string,
): ReadonlySet<GapName> | undefined {
  const found = new Set<GapName>()
  for (const one of observations) {
    if (!one.results.has(test)) continue
    const { relevantValues, effective = [] } = factsOf(one, test) ?? {}
    if (relevantValues === undefined) return undefined
    for (const { gap } of [...relevantValues, ...effective]) found.add(gap)
  }
  return found
}

/** Returns a run as one test has seen it: without the values that changed none of its responses. */
function seenBy(test: string, one: ObservedRun): ObservedRun {
  const { relevantValues, effective } = factsOf(one, test) ?? {}
  if (test === wholeSuite || relevantValues === undefined || effective === undefined) return one
  return { ...one, row: one.row.filter((choice) => effective.includes(choice)), effective }
}

/** Minimum by which a wait must exceed that at the baseline values to make a test fail, in milliseconds. */
const longerMs = 1_000

/** Rows in which one test has passed and failed. */
export class TestHistory {
  readonly #test: string
  readonly #passed: readonly ObservedRun[]
  /** Rows in which the test failed, the smallest first, without those in which it also passed. */
  readonly failed: readonly ObservedRun[]
  /** Whether the test has passed and failed in the same row. */
  readonly isUnsteady: boolean
  /** Whether each run reports which values changed responses to the test. */
  readonly isTraced: boolean
  /** Whether the test has failed at the baseline values. */
  readonly failsAsUsual: boolean

  constructor(observations: readonly ObservedRun[], test: string) {
    this.#test = test
    this.isTraced = test !== wholeSuite && gapsOf(observations, test) !== undefined
    const having = (result: TestResult): ObservedRun[] =>
      observations.filter(({ results }) => results.get(test) === result)
    const [passed, failed] = [having('passed'), having('failed')]
    this.#passed = passed.map((one) => seenBy(test, one))
    const texts = new Set([...passed, ...this.#passed].map(({ row }) => configurationText(row)))
    const steady = failed.filter(({ row }) => !passed.some((one) => isSameRow(one.row, row)))
    this.failed = steady
      .map((one) => {
        const seen = seenBy(test, one)
        // Two values may each have no effect beside the other.
        return texts.has(configurationText(seen.row)) ? one : seen
      })
      .toSorted((one, other) => one.row.length - other.row.length)
    this.isUnsteady = steady.length < failed.length
    this.failsAsUsual = failed.some(({ row }) => row.length === 0)
  }

  /**
   * Returns whether gap values only slow the test down: wherever it fails with them, its client correctly waits for
   * longer than at the baseline values, and the test doesn't.
   *
   * @param others Other causes of the test's failures.
   */
  isSlowedBy(part: Configuration, others: readonly Configuration[]): boolean {
    const isElse = (row: Configuration): boolean =>
      others.some((other) => !isSameRow(other, part) && hasAll(row, other))
    const own = this.failed.filter(({ row }) => hasAll(row, part) && !isElse(row))
    const baselineMs = Math.max(
      0,
      ...this.#passed
        .filter(({ row }) => row.length === 0)
        .map((one) => this.#waitsIn(one)?.longestMs ?? 0),
    )
    return own.length > 0 && own.every((one) => this.#waitMsIn(one) > baselineMs + longerMs)
  }

  /** Returns how long the client was still correctly waiting when the test ended, in milliseconds; 0 if it wasn't. */
  #waitMsIn(one: ObservedRun): number {
    const waits = this.#waitsIn(one)
    if (!waits?.areKept) return 0
    const isOwn = factsOf(one, this.#test) !== undefined
    if (isOwn) return waits.openMs
    return one.timedOut?.has(this.#test) === true ? waits.longestMs : 0
  }

  #waitsIn(one: ObservedRun): Waits | undefined {
    return (factsOf(one, this.#test) ?? factsOf(one, wholeSuite))?.waits
  }

  /** Number of runs in which the test has passed. */
  get passes(): number {
    return this.#passed.length
  }

  /** Number of passes at the baseline values. */
  get baselinePasses(): number {
    return this.#passed.filter(({ row }) => row.length === 0).length
  }

  /** Returns whether the test has passed with exactly these values. */
  hasPassed(row: Configuration): boolean {
    return this.#passed.some((one) => isSameRow(one.row, row))
  }

  /** Returns whether the test has passed with these values, whatever others were set. */
  hasPassedWith(part: Configuration): boolean {
    return this.#passed.some(({ row }) => hasAll(row, part))
  }

  /** Returns whether the test has failed with exactly these values. */
  hasFailed(row: Configuration): boolean {
    return this.failed.some((one) => isSameRow(one.row, row))
  }

  /** Returns the number of runs with these values in which the test has failed. */
  failuresWith(part: Configuration): number {
    return this.failed.filter(({ row }) => hasAll(row, part)).length
  }

  /**
   * Returns whether values are ruled out: the test has passed with all of them effective, or with just these values.
   */
  passesWith(part: Configuration): boolean {
    return this.#passed.some(({ row, effective }) => {
      return hasAll(effective, part) || isSameRow(row, part)
    })
  }
}

function isSameRow(one: Configuration, other: Configuration): boolean {
  return one.length === other.length && hasAll(one, other)
}
