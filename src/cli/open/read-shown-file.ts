import { type Finding, finding } from '../../audit/finding.ts'
import { list } from '../../input/collections.ts'
import { InputError } from '../../input/input-error.ts'
import { object } from '../../input/object.ts'
import { isRecord } from '../../input/record.ts'
import { readInput } from '../../input/schema.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { readCapture } from '../replay/read-capture.ts'

/** An audit report as JSON, as `audit` and `exec --audit` write it. */
const auditReport = object({ findings: list(finding) }, { title: 'report', unknown: 'ignore' })

/** What a file holds that can be shown. */
export type Shown =
  | { readonly kind: 'capture'; readonly capture: Awaited<ReturnType<typeof readCapture>> }
  | { readonly kind: 'report'; readonly findings: readonly Finding[] }

/** The largest file of either kind, in bytes. */
const mostBytes = 2 ** 27

/**
 * Reads a file that `open` shows.
 *
 * @throws {@link CliError} for a file that can't be read, or is neither a capture nor an audit report.
 */
export async function readShownFile(file: string): Promise<Shown> {
  const findings = await readFindings(file)
  if (findings !== undefined) return { kind: 'report', findings }
  return { kind: 'capture', capture: await readCapture(file) }
}

/** Gives the findings of an audit report; `undefined` for a capture. */
async function readFindings(file: string): Promise<readonly Finding[] | undefined> {
  return await readJsonFile(
    file,
    (found) => {
      if (isRecord(found) && 'petstoreCapture' in found) return undefined
      if (isRecord(found) && 'findings' in found) return readInput(auditReport, found).findings
      throw new InputError(
        'Cannot show the file: it is neither a capture nor an audit report; use a file of petstore-sandbox capture, or of --report json=FILE',
      )
    },
    mostBytes,
  )
}
