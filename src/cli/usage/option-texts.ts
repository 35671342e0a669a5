import type { Properties } from '../../input/object.ts'
import { describeEach } from './yargs-options.ts'

/**
 * Takes the texts of options from a command line. The values of a list are joined; of any other option the last one
 * counts, so that options in a script can be overridden after it.
 *
 * @param given As yargs has taken it apart.
 * @param argv As it was written, since yargs takes any text of a flag but `true` for false.
 */
export function optionTexts(
  properties: Properties,
  given: Readonly<Record<string, unknown>>,
  argv: readonly string[],
): Record<string, string> {
  const described = Object.entries(describeEach(properties))
  return Object.fromEntries(
    described.flatMap(([name, { type }]) => {
      const values = [given[name] ?? []].flat().map(String)
      const last = values.at(-1)
      if (last === undefined) return []
      const start = `--${name}=`
      const written = argv.findLast((word) => word.startsWith(start))?.slice(start.length)
      if (type === 'array') return [[name, values.join(',')]]
      return [[name, type === 'boolean' ? (written ?? last) : last]]
    }),
  )
}
