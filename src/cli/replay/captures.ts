import { printable } from '../../checks/reports/text.ts'
import { toJson } from '../../mock/api/json.ts'
import type { ReadCapture } from '../../sandbox/controls/captures.ts'
import { readCaptureJson } from '../../sandbox/played-sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { expectPlace, readJsonFile, writeFile } from '../files.ts'
import { report } from '../terminal.ts'

/** Hint after an empty capture. */
const othersText = 'tests with a sandbox of their own write their own captures when they fail'

/**
 * Reads a capture file.
 *
 * @throws {@link CliError} for a file that can't be read, isn't a capture, or has a later version.
 */
export async function readCapture(file: string): Promise<ReadCapture> {
  return await readJsonFile(file, readCaptureJson)
}

/**
 * Checks before anything is captured that the file can be written; returns a function that writes the capture at the
 * end.
 *
 * @throws {@link CliError} if the file can't be written.
 */
export function captureAtEnd(file: string, sandbox: Sandbox): () => Promise<void> {
  expectPlace(file)
  return async () => {
    const capture = await sandbox.capture()
    writeFile(file, `${toJson(capture)}\n`, 0o644)
    if (!capture.steps.some((step) => step.do === 'request')) {
      report(printable(`${file} has no requests, since none reached this sandbox; ${othersText}`))
    }
  }
}
