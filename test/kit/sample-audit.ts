import { auditReport, verdictOn } from '../../src/cli/audit.ts'
import { prettyReport } from '../../src/reports/pretty.ts'
import { frozenSandbox } from './frozen-sandbox.ts'
import { codeBlock } from './markdown.ts'
import { requestOf, type TestRequest } from './send.ts'

/** The beginning of a report on a client with bad manners, as a document shows it. */
export async function sampleAudit(): Promise<string> {
  const sandbox = frozenSandbox()
  const ask = async (request: TestRequest): Promise<void> => {
    await sandbox.handle(requestOf(request))
    sandbox.clock.advance('200ms')
  }
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  for (let tried = 0; tried < 3; tried++) await ask({})
  await ask({ url: '/v1/pets?limit=100&api_key=pro-key', key: 'pro-key' })
  await ask({ url: '/v1/pets/1', key: 'pro-key' })
  const settings = { exceptions: [], failOn: 'error' } as const
  const text = prettyReport(auditReport(verdictOn(await sandbox.audit(), settings, 0)))
  const twoFindings = text.split('\n\n').slice(0, 3).join('\n\n')
  return codeBlock('', `${twoFindings}\n…`)
}
