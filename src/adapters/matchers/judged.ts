import { createAuditor } from '../../audit/auditor.ts'
import type { AuditOptions, Finding } from '../../audit/finding.ts'
import { type OperationName, operationNames } from '../../contract/endpoints.ts'
import { InputError } from '../../input/input-error.ts'
import { isRecord } from '../../input/record.ts'
import { readInput } from '../../input/schema.ts'
import { show } from '../../input/show.ts'
import { oneOf } from '../../input/values.ts'
import type { JournalEntry, Mark } from '../../state/journal-entry.ts'

/** What runners tell a matcher. */
export interface MatcherCall {
  /** Whether it was called by way of `.not`. */
  readonly isNot?: boolean | undefined
}

const operationName = oneOf<OperationName>(operationNames)

/**
 * Reads the operation that a matcher is about.
 *
 * @throws {@link InputError} naming the operations that there are.
 */
export function readOperation(matcher: string, operation: unknown): OperationName {
  return readInput(operationName, operation, `${matcher}.operation`)
}

/** Begins a message by what was expected. */
export function headline(matcher: string, { isNot }: MatcherCall, operation = ''): string {
  const given = operation === '' ? '' : `'${operation}'`
  return `expect(sandbox)${isNot === true ? '.not' : ''}.${matcher}(${given})`
}

/** Which exchanges a matcher looks at. */
interface ExchangeQuery {
  readonly operation?: OperationName
  readonly key?: string
}

/** What matchers judge: a sandbox, or the client of one. */
export interface Judged {
  audit(options?: AuditOptions): Promise<Finding[]>
  readonly journal: {
    entries(query?: ExchangeQuery): JournalEntry[] | Promise<JournalEntry[]>
    marks(): Mark[] | Promise<Mark[]>
  }
}

/** A sandbox of this process, which says all at once. */
interface InProcess {
  auditJournal(create: typeof createAuditor, options: AuditOptions): Finding[]
  readonly journal: {
    entries(query: ExchangeQuery): JournalEntry[]
    marks(): Mark[]
  }
}

/** What a sandbox knows of its clients. */
interface Evidence {
  readonly findings: () => readonly Finding[]
  readonly entries: () => readonly JournalEntry[]
  readonly marks: () => readonly Mark[]
  /** The exchanges that findings are about, as far as they are known. */
  readonly proof: () => readonly JournalEntry[]
}

/** What runners take from a matcher. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** What a matcher looks at. */
interface Sight {
  readonly exchanges?: ExchangeQuery
  readonly audit?: AuditOptions
}

/**
 * Judges what a sandbox knows: at once where it is in this process, else later.
 *
 * @throws {@link InputError} for what is no sandbox.
 */
export function examine(
  received: unknown,
  { exchanges = {}, audit = {} }: Sight,
  judge: (evidence: Evidence) => MatcherResult,
): MatcherResult | Promise<MatcherResult> {
  if (isInProcess(received)) {
    const { journal } = received
    return judge({
      findings: () => received.auditJournal(createAuditor, audit),
      entries: () => journal.entries(exchanges),
      marks: () => journal.marks(),
      proof: () => journal.entries({}),
    })
  }
  if (isJudged(received)) return gather(received, exchanges, audit).then(judge)
  throw new InputError(
    `Cannot judge a client: found ${show(received)}; use expect(sandbox), with a sandbox or what connectSandbox() gives`,
  )
}

async function gather(
  received: Judged,
  query: ExchangeQuery,
  options: AuditOptions,
): Promise<Evidence> {
  const findings = await received.audit(options)
  const entries = await received.journal.entries(query)
  const marks = await received.journal.marks()
  const proof = entriesMeant(entries, marks)
  return {
    findings: () => findings,
    entries: () => entries,
    marks: () => marks,
    proof: () => proof,
  }
}

/** The entries that findings of a process may mean: a journal that begins anew gives the same ids to others. */
function entriesMeant(
  entries: readonly JournalEntry[],
  marks: readonly Mark[],
): readonly JournalEntry[] {
  return marks.some(({ kind }) => kind === 'reset' || kind === 'restored') ? [] : entries
}

function isInProcess(received: unknown): received is InProcess {
  return (
    isRecord(received) && typeof received.auditJournal === 'function' && isRecord(received.journal)
  )
}

function isJudged(received: unknown): received is Judged {
  return isRecord(received) && typeof received.audit === 'function' && isRecord(received.journal)
}
