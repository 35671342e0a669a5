import { InputError } from '../../input/input-error.ts'
import { printable } from '../../reports/text.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { readExceptions } from '../serve/config-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { report } from '../terminal/report.ts'
import { expectReportPlaces, type ReportTarget, writeReports } from '../write-reports.ts'
import type { ExecAuditOptions } from './audit-command-options.ts'
import { auditReport } from './audit-report.ts'
import { collectFindings } from './collect-findings.ts'
import { unaskedReport } from './unasked-report.ts'
import { acceptVerdict, verdictOn } from './verdict.ts'

/** Judges a command while it runs. */
export interface ExecAudit {
  /** Begins; returns what is to be called when the command has ended, with its exit code, and gives that of `exec`. */
  begin(server: RunningServer): Promise<(code: number) => number>
}

/**
 * Reads what an audit needs, before anything is started.
 *
 * @param config The config file, if one is named.
 * @throws {@link CliError} for an exception that can't be used, and for a report that can't be written.
 */
export async function execAudit(
  { 'fail-on': failOn, 'one-client': oneClient, report: targets }: ExecAuditOptions,
  config: string | undefined,
): Promise<ExecAudit> {
  const exceptions = await readExceptions(config)
  expectReportPlaces(targets)
  return {
    async begin(server) {
      const end = await collectFindings(server, { oneClient })
      return (code) => {
        try {
          const { findings, judged } = end()
          if (judged === 0) reportUnasked(targets)
          const verdict = verdictOn(findings, { exceptions, failOn }, Date.now())
          writeReports(auditReport(verdict), targets, process.stdout, process.env)
          acceptVerdict(verdict)
          return code
        } catch (error) {
          const isOurs = error instanceof CliError || error instanceof InputError
          // What the command says of itself comes first.
          if (code === 0 || !isOurs) throw error
          report(printable(error.message))
          return code
        }
      }
    },
  }
}

/** @throws {@link CliError} with exit code 5: a green verdict on nothing would mislead. */
function reportUnasked(targets: readonly ReportTarget[]): never {
  const text = 'No request reached the sandbox. Does the command use $PETSTORE_URL?'
  writeReports(unaskedReport(text), targets, process.stdout, process.env)
  throw new CliError(
    'Cannot judge the command: no request reached the sandbox; have it use $PETSTORE_URL',
    5,
  )
}
