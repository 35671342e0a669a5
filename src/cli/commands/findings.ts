import { findingsOptions } from '../options.ts'
import { type Command, exampleLines, optionsOf, readOptions } from '../yargs-options.ts'

export const findings: Command = {
  command: 'findings',
  describe: 'Report the findings on clients of a running sandbox',
  builder: (yargs) =>
    yargs
      .options(optionsOf(findingsOptions.properties))
      .example(
        ...exampleLines('$0 findings', 'See all findings since the sandbox started, across resets'),
      )
      .example(
        ...exampleLines(
          '$0 findings --fail-on warning --report github --report markdown=findings.md',
          'The same in CI',
        ),
      ),
  async handler(found) {
    const options = readOptions(findingsOptions.properties, found)
    const { showFindings } = await import('../findings.ts')
    await showFindings(options, process.stdout, process.env)
  },
}
