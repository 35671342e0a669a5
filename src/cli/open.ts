import { basename } from 'node:path'
import { type Finding, finding } from '../checks/audit/finding.ts'
import { printable, printableJson } from '../checks/reports/text.ts'
import { InputError } from '../mock/input/input-error.ts'
import { list, object } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Output, readInput } from '../mock/input/schema.ts'
import { SharedMemory } from '../mock/log/byte-budget.ts'
import { type Sandbox, sandboxOf } from '../mock/sandbox.ts'
import { toJson } from '../mock/spec/json.ts'
import { sandboxOptions } from '../mock/state/beginning.ts'
import { serveSandbox } from '../server/start-server.ts'
import { CliError } from './cli-error.ts'
import { readJsonFile } from './files.ts'
import type { openOptions } from './options.ts'
import { openPage } from './processes.ts'
import { playedSandbox, readCapture } from './replay/captures.ts'
import { toldToStop } from './serve/serve.ts'

/**
 * Shows a capture or an audit report in the console, until the process is told to stop; nothing of it can be changed.
 *
 * @throws {@link CliError} for a file that can't be shown, or when it can't listen.
 */
export async function showFile(
  file: string,
  { port, browser, json }: Output<typeof openOptions>,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const stopped = toldToStop()
  const findings = await readFindings(file)
  const sandbox =
    findings === undefined
      ? (await playedSandbox(await readCapture(file), {})).sandbox
      : sandboxWith(findings)
  const name = basename(file)
  const server = await serveSandbox({ port, sandbox }, { file: name }).catch((error) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new CliError(`Cannot show the file on port ${port}: ${why}; use another --port`, 1)
  })
  const screen = findings === undefined ? '' : '#/findings'
  const url = `${server.url}/_sandbox/ui/${screen}`
  stdout.write(
    json
      ? `${printableJson(toJson({ file: name, url }))}\n`
      : `${printable(name)} is shown at ${url}\nPress Ctrl+C to end.\n`,
  )
  if (browser) openPage(url)
  await stopped
  await server.close()
}

/** Makes a sandbox that has the findings of a report and nothing else. */
function sandboxWith(findings: readonly Finding[]): Sandbox {
  const numbers = findings.flatMap(({ requests }) => requests)
  const requests = numbers.reduce((most, number) => Math.max(most, number), 0)
  const clock = { now: undefined, mode: 'frozen', speed: 1 } as const
  return sandboxOf(
    { ...sandboxOptions.parse({}), seed: { pets: [], keys: [] }, clock },
    new SharedMemory(),
    { judgement: { findings, requests } },
  )
}

/** A report as JSON, as `check` and `findings` write it. */
const auditReport = object({ findings: list(finding) }, { title: 'report', unknown: 'ignore' })

/**
 * Returns the findings of a report; `undefined` for a capture.
 *
 * @throws {@link CliError} for a file that can't be read, or is neither.
 */
async function readFindings(file: string): Promise<readonly Finding[] | undefined> {
  return await readJsonFile(file, (found) => {
    if (isRecord(found) && 'petstoreCapture' in found) return undefined
    if (isRecord(found) && 'findings' in found) return readInput(auditReport, found).findings
    throw new InputError(
      'Cannot show the file: it is neither a capture nor a report with findings; use a file of the command capture, or of --report json=FILE',
    )
  })
}
