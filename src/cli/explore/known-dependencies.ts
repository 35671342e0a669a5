import { dictionary, list } from '../../input/collections.ts'
import { object, optional } from '../../input/object.ts'
import { readInput } from '../../input/schema.ts'
import { string } from '../../input/values.ts'
import { readJsonFile } from '../files/read-json-file.ts'

/** A dependency as a report in JSON has it. */
export interface KnownDependency {
  readonly test?: string | undefined
  readonly choices: Readonly<Record<string, string>>
}

const loose = { unknown: 'ignore' } as const

const report = object(
  {
    dependencies: list(object({ test: optional(string), choices: dictionary(string) }, loose)),
  },
  { ...loose, title: 'baseline', example: '{ "dependencies": [] }' },
)

/**
 * Reads the dependencies in a report; none without a file.
 *
 * @throws {@link CliError} for a file that can't be read, or is no such report.
 */
export async function readKnown(file: string | undefined): Promise<readonly KnownDependency[]> {
  if (file === undefined) return []
  const { dependencies } = await readJsonFile(file, (found) => readInput(report, found))
  return dependencies
}

/** Whether two dependencies are of the same test, on the same choices. */
export function isSameDependency(one: KnownDependency, other: KnownDependency): boolean {
  return one.test === other.test && textOf(one) === textOf(other)
}

function textOf({ choices }: KnownDependency): string {
  return JSON.stringify(Object.entries(choices).sort())
}
