import type { OperationName } from '../../mock/api/endpoints.ts'
import { defaultGaps, type GapName, type GapValues } from '../../mock/api/gaps.ts'
import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import type { State } from '../../mock/state/state.ts'
import type { Finding } from '../audit/finding.ts'
import { gapItem, type ResponseItem, type Situation, valueChoices } from './cells.ts'
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
  readonly #test: () => string | undefined
  readonly #file: FragmentFile | undefined
  readonly #key = {}
  #hasChanged = false
  /** State in force, and a copy of it whose gaps report each read. */
  #watched: { readonly of: State; readonly state: State } | undefined
  /** Whether a request is being handled; later reads of its record don't count. */
  #isHandling = false

  /**
   * @param test Returns the name of the running test, if tests are announced.
   * @param folder Folder for the file of the process, if any.
   * @throws Error if the file can't be written.
   */
  constructor(test: () => string | undefined, folder: string | undefined) {
    this.#test = test
    this.#file = folder === undefined ? undefined : FragmentFile.in(folder)
  }

  /**
   * Handles a request, and records the gaps that its response depends on.
   *
   * @param handle Handles the request; reads the gaps before it waits for anything.
   */
  watch<Result>(state: State, handle: (state: State) => Result): Result {
    if (this.#watched?.of !== state) {
      const gaps = observed(state.gaps, (gap, choice) => {
        if (this.#isHandling) this.#cover('gaps', gapItem(gap, choice))
      })
      this.#watched = { of: state, state: { ...state, gaps } }
    }
    this.#isHandling = true
    try {
      return handle(this.#watched.state)
    } finally {
      this.#isHandling = false
    }
  }

  /** Counts a request. */
  add(logged: LoggedRequest): void {
    this.#count(logged)
    this.#file?.add(this.#hasChanged ? this.report() : undefined)
    this.#hasChanged = false
  }

  /** Writes findings to the file of the process, if there is one. */
  setFindings(findings: readonly Finding[]): void {
    this.#file?.setFindings(this.#key, findings)
  }

  /** Writes what the file of the process doesn't contain yet. */
  flush(): void {
    this.#file?.flush()
  }

  /** Returns all items, and whether each is covered. */
  report(): CoverageReport {
    return this.#covered.report()
  }

  /** Counts what a client has exercised. */
  #count(logged: LoggedRequest): void {
    const { appliedFaults, abortedBy, operation, outcome, rejection } = logged
    for (const { fault } of appliedFaults) this.#cover('situations', `fault ${fault}`)
    const hasResponse = abortedBy === undefined && !isCorrupted(logged)
    if (!hasResponse) {
      if (logged.petId !== undefined) this.#situation('createPet took effect, response lost')
      return
    }
    const isReplaced = appliedFaults.some(({ action }) => action.step === 'reject')
    if (!isReplaced) this.#addSituations(logged)
    if (operation === undefined || !('status' in outcome)) return
    this.#cover('outcomes', `${operation} ${outcome.status}`)
    if (rejection !== undefined) return
    for (const { name, cells } of valueChoices.filter((one) => one.operation === operation)) {
      const sent = sentAt(name, logged)
      for (const { name: cell, covers } of cells) if (covers(sent)) this.#cover('values', cell)
    }
    this.#addListed(operation, outcome.body, logged.total ?? 0)
  }

  #situation(cell: Situation): void {
    this.#cover('situations', cell)
  }

  #addSituations(logged: LoggedRequest): void {
    const { rejection, outcome, window, remaining, resetAt, token, at, isSpent } = logged
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

  #addListed(operation: OperationName, body: string, total: number): void {
    // Read from the text, since a number would lose digits.
    for (const id of body.match(/"id":-?\d{16,}/g) ?? []) {
      if (!Number.isSafeInteger(Number(id.slice('"id":'.length)))) this.#listed('id above 2^53')
    }
    if (operation !== 'listPets' || body === '') return
    // The quotes in a name are escaped.
    const count = body.split('"id":').length - 1
    if (count === 0) this.#listed('listPets empty')
    if (count < total) this.#listed('listPets cut')
  }

  #listed(cell: ResponseItem): void {
    this.#cover('values', cell)
  }

  #cover(tier: CategoryName, cell: string): void {
    if (this.#covered.add(tier, cell, this.#test())) this.#hasChanged = true
  }
}

/** Wraps gap values so that each read of one is reported. */
function observed(
  gaps: GapValues,
  onRead: (gap: GapName, value: GapValues[GapName]) => void,
): GapValues {
  return new Proxy(gaps, {
    get(choices, name) {
      if (isGap(name)) onRead(name, choices[name])
      return Reflect.get(choices, name)
    },
  })
}

function isGap(name: string | symbol): name is GapName {
  return Object.hasOwn(defaultGaps, name)
}

/** Returns whether a fault kept the client from getting the intended response. */
function isCorrupted({ outcome, appliedFaults }: LoggedRequest): boolean {
  if (appliedFaults.length === 0) return false
  if (outcome.kind === 'broken-response') return outcome.end !== 'whole'
  if (outcome.kind !== 'response') return true
  return appliedFaults.some(({ action }) => action.step === 'corrupt')
}

/** Returns the text that a request sent for a parameter, or for a property of its body. */
function sentAt(
  name: string,
  { request: { method, url, body } }: LoggedRequest,
): string | undefined {
  const pattern = method === 'POST' ? `"${name}"\\s*:\\s*"(\\w*)"` : `[?&]${name}=([^&]*)`
  return new RegExp(pattern).exec(method === 'POST' ? body : url)?.[1]
}
