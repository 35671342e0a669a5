import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CoverageFragment, coverageFragment } from '../../coverage/coverage-report.ts'
import { InputError } from '../../input/input-error.ts'
import { isRecord } from '../../input/record.ts'
import { readInput } from '../../input/schema.ts'
import { isFolder } from '../files/is-folder.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { reasonOf } from '../files/reason-of.ts'
import { CliError } from '../terminal/cli-error.ts'

/**
 * Reads the fragments in folders, or single ones.
 *
 * @throws {@link CliError} when there are none, or one can't be read.
 */
export async function readFragments(paths: readonly string[]): Promise<CoverageFragment[]> {
  const files = paths.flatMap((path) => (isFolder(path) ? fragmentsIn(path) : [path]))
  if (files.length > 0) return await Promise.all(files.map(readFragment))
  throw new CliError(
    `Cannot report coverage: no fragment is in ${paths.join(', ')}; run the tests with PETSTORE_COVERAGE_DIR set to this folder`,
    1,
  )
}

function readFragment(file: string): Promise<CoverageFragment> {
  return readJsonFile(file, (found) => {
    if (isRecord(found) && 'tiers' in found) return readInput(coverageFragment, found)
    throw new InputError(
      'Cannot read the file: it is not coverage; use a file of PETSTORE_COVERAGE_DIR, or a report in JSON',
    )
  })
}

/** The fragments in a folder; one whose name begins with a dot is still being written. */
function fragmentsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    throw new CliError(`Cannot read ${folder}: ${reasonOf(error)}`, 1)
  }
}
