import type { AuditResult, createAuditor } from '../../checks/audit/auditor.ts'
import { type Finding, type FindingOptions, findingOptions } from '../../checks/audit/finding.ts'
import type { CoverageReport } from '../../checks/coverage/coverage-report.ts'
import { host, type LateBetween } from '../../mock/api/real-time.ts'
import { readInput } from '../../mock/input/schema.ts'
import type { ControlContext } from './access.ts'
import { routesOn } from './http/route.ts'
import { LogReader } from './log-reader.ts'

/** Controls for the findings on clients. */
export interface AuditControls {
  /**
   * Returns the findings on clients in the order in which they were detected. The first call starts the audit with the
   * requests in the log; from then on the audit covers all requests, across resets.
   *
   * @throws {@link InputError} for an invalid option.
   */
  findings(options?: FindingOptions): Promise<Finding[]>
  /** Calls a listener with each new finding, across resets; returns a function that removes it. */
  onFinding(listener: (finding: Finding) => void): () => void
}

/** Synchronous access to findings, for code that has already loaded the rules. */
export interface DirectAudit {
  /**
   * Returns the findings on the requests that the log still contains: those since the last reset.
   *
   * @internal For matchers.
   */
  findingsOfLog(create: typeof createAuditor, options?: FindingOptions): Finding[]
  /**
   * Returns the findings so far; `undefined` if the audit hasn't started.
   *
   * @internal For the status, and for reports.
   */
  resultSoFar(): AuditResult | undefined
  /**
   * Sets the measurement of the server's event loop, so that findings don't include delays of the machine.
   *
   * @internal For servers.
   */
  useLateness(lateBetween: LateBetween): void
}

/** Loads the rules of the audit. */
export function loadAuditor(): Promise<typeof import('../../checks/audit/auditor.ts')> {
  return import('../../checks/audit/auditor.ts')
}

/** Creates the controls for the findings on a sandbox's clients. */
export function auditControls({ state, past }: ControlContext): AuditControls & DirectAudit {
  let lateness: LateBetween = () => 0
  const lateBetween: LateBetween = (fromMs, toMs) => lateness(fromMs, toMs)
  const reader = new LogReader(state, async () => {
    const { createAuditor } = await loadAuditor()
    return createAuditor(state, lateBetween)
  })
  return {
    async findings(options = {}) {
      const read = readInput(findingOptions, options)
      return (await reader.read(past)).findings(read)
    },
    findingsOfLog(create, options = {}) {
      const read = readInput(findingOptions, options)
      const ofLog = create(state, lateBetween)
      for (const event of past()) ofLog.record(event)
      return ofLog.findings(read)
    },
    resultSoFar: () => reader.code?.result(),
    useLateness(next) {
      lateness = next
    },
    onFinding(listener) {
      let isOver = false
      let end = (): void => {}
      void reader.read(past).then((auditor) => {
        if (!isOver) end = auditor.subscribe(listener)
      })
      return () => {
        isOver = true
        end()
      }
    },
  }
}

/** Control for the coverage of a sandbox. */
export interface CoverageControls {
  /**
   * Returns the items that clients have exercised since the sandbox was created, across resets, and steps to cover the
   * rest. If coverage is off, the first call starts the count, with the requests in the log.
   */
  coverage(): Promise<CoverageReport>
}

/** Loads the code of coverage. */
export function loadCoverage(): Promise<typeof import('../../checks/coverage/coverage.ts')> {
  return import('../../checks/coverage/coverage.ts')
}

/** Creates the control for the coverage of a sandbox. Under `check`, results are also written to its folder. */
export function coverageControls(
  { state, past, coverage: isOn }: ControlContext,
  audit: AuditControls & DirectAudit,
): CoverageControls {
  const folder = isOn === false ? undefined : host.process?.env.PETSTORE_CHECK_DIR || undefined
  const reader = new LogReader(state, async () => {
    const { Coverage } = await loadCoverage()
    const loaded = new Coverage(folder)
    if (folder === undefined) return loaded
    const write = (): void => loaded.setFindings(audit.resultSoFar()?.findings ?? [])
    audit.onFinding(write)
    // Those on the requests before.
    await audit.findings()
    write()
    return loaded
  })
  if (isOn ?? folder !== undefined) void reader.read(past)
  if (folder !== undefined) void audit.findings()
  return { coverage: async () => (await reader.read(past)).report() }
}

/** Routes for the findings on clients. */
export const auditRoutes = {
  findings: routesOn<{ readonly controls: AuditControls }>('findings')('findings', {
    summary: 'Get the findings on the clients',
    description: [
      'Returns the findings on clients, in the order in which they were proved. Resets keep them.',
      'A key that never had two requests under way counts as one client. Of others,',
      'each connection counts by itself, by the responses that it got.',
      '`oneClient` says whether each key belongs to a single client, or to several.',
    ].join(' '),
    query: findingOptions,
    async run({ controls, query }) {
      return { findings: await controls.findings(query) }
    },
  }),
} as const

/** Route for the coverage of a sandbox. */
export const coverageRoutes = {
  coverage: routesOn<{ readonly controls: CoverageControls }>('coverage')('coverage', {
    summary: 'Get the documented situations that clients exercised, and how to cover the rest',
    description:
      'Counts the requests to the API since the sandbox was made, resets included; controls never count. If coverage is off, it starts to count when it is first asked for, with the requests in the log.',
    run: ({ controls }) => controls.coverage(),
  }),
} as const
