import { apiAddress } from '../remote/api-address.ts'
import { atSandbox, type RemotePlace } from '../remote/connect.ts'
import { readExceptions } from '../serve/config-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { writeReports } from '../write-reports.ts'
import type { AuditCommandOptions } from './audit-command-options.ts'
import { auditReport } from './audit-report.ts'
import { unaskedReport } from './unasked-report.ts'
import { acceptVerdict, verdictOn } from './verdict.ts'

/**
 * Reports which rules of the interface the clients of a running sandbox broke.
 *
 * @throws {@link CliError} with exit code 4 if a finding is bad enough to fail, and with 5 if there is nothing to judge.
 */
export async function showAudit(
  { 'fail-on': failOn, 'one-client': oneClient, report, config, ...place }: AuditCommandOptions,
  stdout: NodeJS.WritableStream,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const exceptions = await readExceptions(
    config ?? (environment.PETSTORE_SANDBOX_CONFIG || undefined),
  )
  const { findings, judged } = await atSandbox(place, async (client) => {
    const found = await client.audit({ oneClient })
    const { findings: summary } = await client.status()
    return { findings: found, judged: summary?.judged }
  })
  if (judged === 0) {
    writeReports(unaskedReport(unaskedText(place)), report, stdout, environment)
    throw new CliError('Cannot judge the clients: there is no request to judge', 5)
  }
  const verdict = verdictOn(findings, { exceptions, failOn }, Date.now())
  writeReports(auditReport(verdict), report, stdout, environment)
  acceptVerdict(verdict)
}

function unaskedText(place: RemotePlace): string {
  return `There is no request to judge. Does the client use ${apiAddress(place)}? What came before a reset is judged only if a verdict had been asked for by then.`
}
