import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import type { SandboxEvent } from '../../mock/log/request-log.ts'
import type { Finding } from '../audit/finding.ts'
import type { Situation } from './cells.ts'
import type { CategoryName, CoverageReport } from './coverage-report.ts'
import { Covered, FragmentFile } from './covered.ts'

/** Situation that is covered once the key gets through after a wait. */
interface Wait {
  readonly cell: Situation
  /** Unix milliseconds. */
  readonly untilAt: number
}

/** Counts what the requests to a sandbox cover, across resets and evictions from the log. */
export class Coverage {
  readonly #covered = new Covered()
  readonly #waits = new Map<string, Wait>()
  readonly #file: FragmentFile | undefined
  readonly #key = {}
  #hasChanged = false
  /** Name of the running test, if tests are announced. */
  #test: string | undefined

  /**
   * @param folder Folder for the file of the process, if any.
   * @throws Error if the file can't be written.
   */
  constructor(folder: string | undefined) {
    this.#file = folder === undefined ? undefined : FragmentFile.in(folder)
  }

  /** Counts a request, or notes the start or end of a test. */
  record(event: SandboxEvent): void {
    if (!('mark' in event)) {
      this.#count(event)
      this.#file?.add(this.#hasChanged ? this.report() : undefined)
      this.#hasChanged = false
    } else if (event.mark.kind === 'test-started') {
      this.#test = event.mark.name
    } else if (event.mark.kind === 'test-ended') {
      this.#test = undefined
      this.#file?.flush()
    }
  }

  /** Writes findings to the file of the process, if there is one. */
  setFindings(findings: readonly Finding[]): void {
    this.#file?.setFindings(this.#key, findings)
  }

  /** Returns all items, and whether each is covered. */
  report(): CoverageReport {
    return this.#covered.report()
  }

  /** Counts what a client has exercised. */
  #count(logged: LoggedRequest): void {
    const { outcome, result } = logged
    const { appliedFaults, abortedBy, operation, petId } = result
    for (const { fault } of appliedFaults) this.#cover('situations', `fault ${fault}`)
    const hasResponse = abortedBy === undefined && !isCorrupted(logged)
    if (!hasResponse) {
      if (petId !== undefined) this.#situation('createPet took effect, response lost')
      return
    }
    const isReplaced = appliedFaults.some(({ action }) => action.step === 'reject')
    if (!isReplaced) this.#addSituations(logged)
    if (operation === undefined || !('status' in outcome)) return
    this.#cover('outcomes', `${operation} ${outcome.status}`)
  }

  #situation(cell: Situation): void {
    this.#cover('situations', cell)
  }

  #addSituations(logged: LoggedRequest): void {
    const { outcome, at, result } = logged
    const { rejection, window, remaining, resetAt, token, isSpent } = result
    if (rejection === undefined) {
      if (remaining === 0 && isSpent) this.#situation('last request of a window')
      if ('status' in outcome && outcome.headers.deprecation !== undefined) {
        this.#situation('deprecation announced')
      }
    } else if (rejection.code === 'rate_limit_exceeded') {
      this.#situation(window === 'day' ? '429 by day' : '429 by minute')
      this.#waits.set(token, { cell: 'succeeded after 429', untilAt: resetAt })
      return
    } else if (rejection.code === 'key_banned') {
      this.#situation('banned')
      this.#waits.set(token, { cell: 'succeeded after a ban', untilAt: resetAt })
      return
    } else if (rejection.code === 'unauthorized') {
      if (rejection.keyProblem !== undefined) this.#situation(`key ${rejection.keyProblem}`)
      return
    } else if (rejection.gap === 'afterSunset') {
      this.#situation('operation removed')
    }
    this.#endWait(token, at)
  }

  /**
   * Ends the wait of a key that is no longer rejected; the wait counts if its time has passed, and not if a control
   * ended it.
   */
  #endWait(token: string, at: number): void {
    const wait = this.#waits.get(token)
    if (wait === undefined) return
    this.#waits.delete(token)
    if (at >= wait.untilAt) this.#situation(wait.cell)
  }

  #cover(tier: CategoryName, cell: string): void {
    if (this.#covered.add(tier, cell, this.#test)) this.#hasChanged = true
  }
}

/** Returns whether a fault kept the client from getting the intended response. */
function isCorrupted({ outcome, result: { appliedFaults } }: LoggedRequest): boolean {
  if (appliedFaults.length === 0) return false
  if (outcome.kind === 'broken-response') return outcome.end !== 'whole'
  if (outcome.kind !== 'response') return true
  return appliedFaults.some(({ action }) => action.step === 'corrupt')
}
