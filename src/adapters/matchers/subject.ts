import { createAuditor } from '../../checks/audit/auditor.ts'
import type { Finding, FindingOptions } from '../../checks/audit/finding.ts'
import { type OperationName, operationNames } from '../../mock/api/endpoints.ts'
import { InputError, show } from '../../mock/input/input-error.ts'
import { definedOf, isRecord } from '../../mock/input/record.ts'
import { readInput } from '../../mock/input/schema.ts'
import { oneOf } from '../../mock/input/values.ts'
import type { RequestView, StateChange } from '../../mock/log/request-view.ts'

/** The context that runners pass to a matcher. */
export interface MatcherCall {
  /** Whether it was called through `.not`. */
  readonly isNot?: boolean | undefined
}

/** The requests that a matcher examines. */
interface MatcherQuery {
  /** Only requests of this operation. */
  readonly operation?: OperationName
  /** Only requests with this key. */
  readonly key?: string
}

/** The subject of the matchers: a sandbox, or the result of `connectSandbox()`. */
export interface MatcherSubject {
  /** Returns the findings on clients. */
  findings(options?: FindingOptions): Promise<Finding[]>
  /** The request log. */
  readonly requests: {
    /** Returns the matching requests, oldest first. */
    list(query?: MatcherQuery): RequestView[] | Promise<RequestView[]>
    /** Returns the state changes between requests, oldest first. */
    changes(): StateChange[] | Promise<StateChange[]>
  }
}

/** A sandbox in the same process, which returns everything synchronously. */
interface InProcess {
  findingsOfLog(create: typeof createAuditor, options: FindingOptions): Finding[]
  readonly requests: {
    list(query: MatcherQuery): RequestView[]
    changes(): StateChange[]
  }
}

/** The data that matchers examine. */
interface Evidence {
  readonly findings: readonly Finding[]
  readonly entries: readonly RequestView[]
  readonly marks: readonly StateChange[]
}

/** The result that runners expect from a matcher. */
export interface MatcherResult {
  /** Whether the expectation holds. */
  readonly pass: boolean
  /** Returns the message of a failure. */
  readonly message: () => string
}

/** The scope of a matcher. */
interface Sight {
  readonly operation?: OperationName
  readonly key?: string | undefined
  /** Audit options, for a matcher of findings. */
  readonly audit?: FindingOptions
}

const operationName = oneOf<OperationName>(operationNames)

/**
 * Examines the data of a sandbox: synchronously if it is in the same process, otherwise asynchronously.
 *
 * @param check Returns whether the data meets the expectation, and the message. In the message, this text follows the
 * name of the operation, if the matcher is about one.
 * @throws {@link InputError} for a value that isn't a sandbox, and for an unknown operation.
 */
export function examine(
  received: unknown,
  matcher: string,
  { isNot }: MatcherCall,
  sight: Sight,
  check: (evidence: Evidence) => { readonly pass: boolean; readonly text: string },
): MatcherResult | Promise<MatcherResult> {
  const { operation, key, audit } = sight
  if ('operation' in sight) readInput(operationName, operation, `${matcher}.operation`)
  const query = definedOf({ operation, key })
  const [given, subject] = operation === undefined ? ['', ''] : [`'${operation}'`, `${operation} `]
  const headline = `expect(sandbox)${isNot === true ? '.not' : ''}.${matcher}(${given})`
  const resultOf = (evidence: Evidence): MatcherResult => {
    const { pass, text } = check(evidence)
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
  if (isSubject(received)) return gather(received, query, audit).then(resultOf)
  throw new InputError(
    `Cannot check a client: found ${show(received)}; use expect(sandbox), with a sandbox or what connectSandbox() returns`,
  )
}

async function gather(
  received: MatcherSubject,
  query: MatcherQuery,
  options: FindingOptions | undefined,
): Promise<Evidence> {
  const findings = options === undefined ? [] : await received.findings(options)
  return {
    // After a reset, the ids of a finding's requests belong to other requests.
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

function isSubject(received: unknown): received is MatcherSubject {
  return (
    isRecord(received) && typeof received.findings === 'function' && isRecord(received.requests)
  )
}
