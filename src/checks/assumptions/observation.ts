import type { WhatIf } from '../../mock/controls/reports.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { list, object, optional } from '../../mock/input/object.ts'
import type { Output } from '../../mock/input/schema.ts'
import { flag, integer, string } from '../../mock/input/values.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import type { GapName } from '../../mock/spec/gaps.ts'
import { type Configuration, configurationText, type GapValue, hasAll } from '../replay/choices.ts'

const count = integer(0, Number.MAX_SAFE_INTEGER)

/** How clients were told to wait, and whether they did. */
const waits = object({
  /** The longest wait that a refusal asked for, in milliseconds; 0 for none. */
  longestMs: count,
  /** The longest of those that were not over at the end, and after which nothing came; 0 for none. */
  openMs: count,
  /** Whether no request was sent again before its wait was over. */
  areKept: flag,
})

type Waits = Output<typeof waits>

/** What the fixtures of a test runner tell of the sandbox of one test, for `check`. */
export const usageReport = object(
  {
    test: string,
    requests: count,
    /** The choices that would have changed a reply, such as `banStatus=403`; none if that isn't known. */
    relevantValues: optional(list(string)),
    waits,
  },
  { title: 'asked', example: '{ "test": "", "requests": 0, "waits": {} }' },
)

export type UsageReport = Output<typeof usageReport>

/** What a sandbox has to tell of what it was asked. */
interface AskedSandbox {
  readonly requests: { list(): readonly RequestView[] }
  readonly clock: { now(): number }
  whatIf(): Promise<WhatIf>
}

/**
 * Says what a sandbox was asked, and which choices matter to that.
 *
 * @param test The name of the test that has asked it.
 * @param chosen The choices of the test itself, at whose gaps no other is tried.
 */
export async function usageOf(
  sandbox: AskedSandbox,
  test: string,
  chosen: object = {},
): Promise<UsageReport> {
  const asked = { test, waits: waitsOf(sandbox.requests.list(), sandbox.clock.now()) }
  // What it has forgotten may have been anything.
  const forgotten = { ...asked, requests: 1, relevantValues: undefined }
  try {
    const { requests, dropped, results } = await sandbox.whatIf()
    if (dropped !== undefined) return forgotten
    const relevantValues = results
      .filter(({ changesResponse }) => changesResponse)
      .flatMap(({ gaps }) => Object.entries(gaps))
      .filter(([gap]) => !Object.hasOwn(chosen, gap))
      .map(([gap, value]) => `${gap}=${value}`)
    return { ...asked, requests, relevantValues }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return forgotten
  }
}

/** What somebody waits for. */
interface Wait {
  readonly refusedAt: number
  readonly until: number
  readonly request: string
}

/**
 * Finds how clients were told to wait in what a sandbox was asked.
 *
 * @param now When that ended, on the sandbox's clock, in Unix milliseconds.
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
      // Requests under way at the same time are no retries.
      areKept &&= sentAt <= before.refusedAt || sentAt >= before.until
    }
    waiting.delete(client)
    const isRefusal = outcome.kind === 'response' && waitStatuses.includes(outcome.status)
    if (!isRefusal || decision.retryAt === undefined) continue
    const wait = { refusedAt: sentAt, until: Date.parse(decision.retryAt), request: text }
    longestMs = Math.max(longestMs, wait.until - sentAt)
    waiting.set(client, wait)
  }
  const open = [...waiting.values()].filter(({ until }) => until > now)
  const openMs = Math.max(0, ...open.map(({ until, refusedAt }) => until - refusedAt))
  return { longestMs, openMs, areKept }
}

/** The statuses of refusals that say when to come back. */
const waitStatuses: readonly number[] = [429, 503]

/** How a test, or the suite as a whole, ended. */
export type TestResult = 'passed' | 'failed'

/** The name under which the suite as a whole has a result. */
export const wholeSuite = ''

/** What is known of the requests of one test, or of a whole run. */
export interface AskedFacts {
  /** The choices that would have changed a reply; `undefined` if that isn't known. */
  readonly relevantValues: readonly GapValue[] | undefined
  /** The choices of the row that changed a reply. */
  readonly effective: Configuration
  readonly waits: Waits
}

/** What a run of a suite has shown. */
export interface TestRun {
  /** By test, as its fixture names it; by {@link wholeSuite} what came to the sandbox of the run. */
  readonly facts?: ReadonlyMap<string, AskedFacts>
  /** The tests that failed since they took too long, as their runner says. */
  readonly timedOut?: ReadonlySet<string>
  /** By the names of tests; of those that are left out nothing is known. */
  readonly results: ReadonlyMap<string, TestResult>
  /** The choices that would have changed a reply, had they been taken instead. */
  readonly relevantValues: readonly GapValue[]
  /** The choices of the row that changed a reply. */
  readonly effective: Configuration
}

/** A run, and the row under which it was. */
export interface ObservedRun extends TestRun {
  readonly row: Configuration
}

/** The name of a test by which its facts are found: runners write the same name with other signs in it. */
export function factName(test: string): string {
  return test.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** What is known of the requests of a test, whose name may begin with those of its file and its groups. */
function factsOf({ facts }: TestRun, test: string): AskedFacts | undefined {
  if (facts === undefined || facts.size === 0) return undefined
  if (test === wholeSuite) return facts.get(wholeSuite)
  const words = factName(test).split(' ')
  for (let first = 0; first < words.length; first++) {
    const found = facts.get(words.slice(first).join(' '))
    if (found !== undefined) return found
  }
  return undefined
}

/** The gaps at which a choice matters to a test; `undefined` if that isn't known. */
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

/** A run as one test has seen it: without the choices that changed none of its replies. */
function seenBy(test: string, one: ObservedRun): ObservedRun {
  const { relevantValues, effective } = factsOf(one, test) ?? {}
  if (test === wholeSuite || relevantValues === undefined || effective === undefined) return one
  return { ...one, row: one.row.filter((choice) => effective.includes(choice)), effective }
}

/** How much longer than at the baseline a wait has to be before a test may fail for it, in milliseconds. */
const longerMs = 1_000

/** What is known of one test: in which rows it passed and failed. */
export class TestHistory {
  readonly #test: string
  readonly #passed: readonly ObservedRun[]
  /** Rows in which it failed, the smallest first; none in which it passed as well. */
  readonly failed: readonly ObservedRun[]
  /** Whether it has passed and failed in the same row. */
  readonly isUnsteady: boolean
  /** Whether it is known of each run which choices changed its replies. */
  readonly isTraced: boolean
  /** Whether it has failed at the baseline choices, at which it has passed as well. */
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
        // Two choices may each have no effect beside the other.
        return texts.has(configurationText(seen.row)) ? one : seen
      })
      .toSorted((one, other) => one.row.length - other.row.length)
    this.isUnsteady = steady.length < failed.length
    this.failsAsUsual = failed.some(({ row }) => row.length === 0)
  }

  /**
   * Whether choices make it no more than slower: where it fails with them, its client waits, as it is told to, for longer
   * than at the baseline, and the test doesn't.
   *
   * @param others What else makes it fail.
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

  /** For how long its client still waits where a run of it has ended, as it should; 0 if it doesn't. */
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

  /** How many rows it has passed in. */
  get passes(): number {
    return this.#passed.length
  }

  /** How often it has passed at the baseline choices. */
  get baselinePasses(): number {
    return this.#passed.filter(({ row }) => row.length === 0).length
  }

  /** Whether it has passed under just these choices. */
  hasPassed(row: Configuration): boolean {
    return this.#passed.some((one) => isSameRow(one.row, row))
  }

  /** Whether it has passed under these choices, whatever stood beside them. */
  hasPassedWith(part: Configuration): boolean {
    return this.#passed.some(({ row }) => hasAll(row, part))
  }

  /** Whether it has failed under just these choices. */
  hasFailed(row: Configuration): boolean {
    return this.failed.some((one) => isSameRow(one.row, row))
  }

  /** How many rows with these choices it has failed in. */
  failuresWith(part: Configuration): number {
    return this.failed.filter(({ row }) => hasAll(row, part)).length
  }

  /** Whether choices are cleared: it has passed where all of them changed replies, or under just them. */
  passesWith(part: Configuration): boolean {
    return this.#passed.some(({ row, effective }) => {
      return hasAll(effective, part) || isSameRow(row, part)
    })
  }
}

function isSameRow(one: Configuration, other: Configuration): boolean {
  return one.length === other.length && hasAll(one, other)
}
