import { createAuditor } from '../../checks/audit/auditor.ts'
import type { Finding, FindingOptions } from '../../checks/audit/finding.ts'
import { InputError, show } from '../../mock/input/input-error.ts'
import { definedOf, isRecord } from '../../mock/input/record.ts'
import { readInput } from '../../mock/input/schema.ts'
import { oneOf } from '../../mock/input/values.ts'
import type { RequestView, StateChange } from '../../mock/log/request-view.ts'
import { type OperationName, operationNames } from '../../mock/spec/endpoints.ts'

/** What runners tell a matcher. */
export interface MatcherCall {
  /** Whether it was called by way of `.not`. */
  readonly isNot?: boolean | undefined
}

/** Which exchanges a matcher looks at. */
interface ExchangeQuery {
  readonly operation?: OperationName
  readonly key?: string
}

/** What matchers judge: a sandbox, or the client of one. */
export interface Judged {
  findings(options?: FindingOptions): Promise<Finding[]>
  readonly requests: {
    list(query?: ExchangeQuery): RequestView[] | Promise<RequestView[]>
    changes(): StateChange[] | Promise<StateChange[]>
  }
}

/** A sandbox of this process, which says all at once. */
interface InProcess {
  findingsOfLog(create: typeof createAuditor, options: FindingOptions): Finding[]
  readonly requests: {
    list(query: ExchangeQuery): RequestView[]
    changes(): StateChange[]
  }
}

/** What a sandbox knows of its clients. */
interface Evidence {
  readonly findings: readonly Finding[]
  readonly entries: readonly RequestView[]
  readonly marks: readonly StateChange[]
}

/** What runners take from a matcher. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** What a matcher looks at. */
interface Sight {
  readonly operation?: OperationName
  readonly key?: string | undefined
  /** How to judge clients, for a matcher on findings. */
  readonly audit?: FindingOptions
}

const operationName = oneOf<OperationName>(operationNames)

/**
 * Judges what a sandbox knows: at once where it is in this process, else later.
 *
 * @param judge Says whether it is as expected, and how it is: after the operation, if the matcher is about one.
 * @throws {@link InputError} for what is not a sandbox, and for an unknown operation.
 */
export function examine(
  received: unknown,
  matcher: string,
  { isNot }: MatcherCall,
  sight: Sight,
  judge: (evidence: Evidence) => { readonly pass: boolean; readonly text: string },
): MatcherResult | Promise<MatcherResult> {
  const { operation, key, audit } = sight
  if ('operation' in sight) readInput(operationName, operation, `${matcher}.operation`)
  const query = definedOf({ operation, key })
  const [given, subject] = operation === undefined ? ['', ''] : [`'${operation}'`, `${operation} `]
  const headline = `expect(sandbox)${isNot === true ? '.not' : ''}.${matcher}(${given})`
  const resultOf = (evidence: Evidence): MatcherResult => {
    const { pass, text } = judge(evidence)
    return { pass, message: () => `${headline}\n\n${subject}${text}` }
  }
  if (isInProcess(received)) {
    const { requests } = received
    return resultOf({
      findings: audit === undefined ? [] : received.findingsOfLog(createAuditor, audit),
      entries: requests.list(query),
      marks: requests.changes(),
    })
  }
  if (isJudged(received)) return gather(received, query, audit).then(resultOf)
  throw new InputError(
    `Cannot judge a client: found ${show(received)}; use expect(sandbox), with a sandbox or what connectSandbox() returns`,
  )
}

async function gather(
  received: Judged,
  query: ExchangeQuery,
  options: FindingOptions | undefined,
): Promise<Evidence> {
  const findings = options === undefined ? [] : await received.findings(options)
  return {
    // After a reset, other exchanges have the ids of those that prove it.
    findings: findings.map((one) => (one.beforeReset === true ? { ...one, requests: [] } : one)),
    entries: await received.requests.list(query),
    marks: await received.requests.changes(),
  }
}

function isInProcess(received: unknown): received is InProcess {
  return (
    isRecord(received) &&
    typeof received.findingsOfLog === 'function' &&
    isRecord(received.requests)
  )
}

function isJudged(received: unknown): received is Judged {
  return (
    isRecord(received) && typeof received.findings === 'function' && isRecord(received.requests)
  )
}
