import type { ReadCapture } from '../../mock/controls/reports.ts'
import type { Sandbox } from '../../mock/sandbox.ts'
import { readCaptureJson } from '../../mock/sandbox-runs.ts'
import { toJson } from '../../mock/spec/json.ts'
import { expectPlace, readJsonFile, writeFile } from '../files.ts'

/**
 * Reads a file of `capture`.
 *
 * @throws {@link CliError} for a file that can't be read, or is not a capture, or one of a later version.
 */
export async function readCapture(file: string): Promise<ReadCapture> {
  return await readJsonFile(file, readCaptureJson)
}

/**
 * Checks, before anything is captured, that there will be a place for it; returns what writes the capture at the end.
 *
 * @throws {@link CliError} when the file can't be written.
 */
export function captureAtEnd(file: string, sandbox: Sandbox): () => Promise<void> {
  expectPlace(file)
  return async () => writeFile(file, `${toJson(await sandbox.capture())}\n`, 0o644)
}
