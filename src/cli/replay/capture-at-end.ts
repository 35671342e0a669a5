import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { toJson } from '../../contract/json.ts'
import { InputError } from '../../input/input-error.ts'
import type { Sandbox } from '../../sandbox.ts'
import { writeReasonOf } from '../files/reason-of.ts'
import { expectFile, targetOf } from '../files/replace-file.ts'
import { writeFile } from '../files/write-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { report } from '../terminal/report.ts'

/** The permissions of a new capture, which has other names for the keys. */
const mode = 0o644

/**
 * Checks, before anything is captured, that there will be a place for it; returns what writes the capture at the end.
 *
 * @throws {@link CliError} when the file can't be written.
 */
export function captureAtEnd(file: string, sandbox: Sandbox): () => Promise<void> {
  try {
    const target = targetOf(file)
    accessSync(dirname(target), constants.W_OK | constants.X_OK)
    expectFile(target)
  } catch (error) {
    throw new CliError(`Cannot write the capture to ${file}: ${writeReasonOf(error)}`, 1)
  }
  return async () => {
    try {
      writeFile(file, `${toJson(await sandbox.capture())}\n`, mode)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      // The work of clients is done, and its result counts.
      const [, why = error.message] = error.message.split(/: (.*)/s)
      report(`Cannot write the capture to ${file}: ${why}`)
    }
  }
}
