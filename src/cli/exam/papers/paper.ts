import type { OperationName } from '../../../contract/endpoints.ts'
import type { Row } from '../../../explore/suite/row.ts'
import type { Sandbox } from '../../../sandbox.ts'
import type { JournalEntry } from '../../../state/journal/journal-entry.ts'

/** What papers are about. */
export const subjects = {
  limits: 'limits and keys',
  faults: 'faults',
  time: 'time and the sunset',
  pets: 'pets',
} as const

export type Subject = keyof typeof subjects

/** What it means when the suite doesn't pass: it had to be expected, or it should not be so. */
export type Weight = 'noted' | 'look'

/** A situation in which a suite runs once. */
export interface Paper {
  readonly subject: Subject
  /** What happens, in one sentence. */
  readonly about: string
  readonly spec: string
  /** Whether it is set once, or once for each operation that the suite calls. */
  readonly per: 'suite' | 'operation'
  /** The operation without which it would show nothing; `any` for none. */
  readonly needs: OperationName | 'any'
  /** The choices at gaps that it is set with. */
  readonly gaps: Row
  /**
   * Sets it up; is called again after each reset by the suite.
   *
   * @param operation The one that it is about, of a paper for each operation.
   */
  set(sandbox: Sandbox, operation: OperationName | undefined): void
  /** Whether the client has met in this exchange what the paper is about. */
  isMet(exchange: JournalEntry): boolean
  /** What follows when the client has met it for the first time. */
  afterwards?(sandbox: Sandbox): void
  /** What it means that tests fail. */
  readonly red: Weight
  /** The paper that it repeats but for one thing: where that one fails already, to fail here says nothing of the thing. */
  readonly repeats: string | undefined
  /** What it means that the suite has not ended in time. */
  readonly slow: Weight
  /** How much longer than others it may take, in milliseconds. */
  readonly moreMs: number
  /** The rules whose findings are what the paper shows anyway. */
  readonly expected: readonly string[]
  /** What to do when the suite doesn't pass. */
  readonly advice: string
}

/** What most papers have in common. */
export const usualPaper = {
  per: 'suite',
  needs: 'any',
  gaps: [],
  red: 'noted',
  slow: 'look',
  moreMs: 0,
  repeats: undefined,
  expected: [],
} as const
