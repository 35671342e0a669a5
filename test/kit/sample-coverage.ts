import { coverageText } from '../../src/cli/coverage.ts'
import { prettyReport } from '../../src/reports/pretty.ts'
import { createSandbox } from '../../src/sandbox.ts'
import { runLine } from '../coverage/run-line.ts'
import { startAt } from './frozen-sandbox.ts'
import { codeBlock } from './markdown.ts'

/** What two tests of a small client cover. */
const tests = {
  'shop > lists the pets': ['await client().listPets()', "await client('old-key').listPets()"],
  'shop > adds a pet': [
    "await client().createPet({ name: 'Rex', categoryId: 1 })",
    "await client().createPet({ name: '' })",
    "await client('old-key').createPet({ name: 'Rex', categoryId: 1 })",
  ],
}

/** The beginning of a report on coverage, as a document shows it. */
export async function sampleCoverage(): Promise<string> {
  const sandbox = createSandbox({ coverage: true, clock: { now: startAt, mode: 'frozen' } })
  for (const [name, lines] of Object.entries(tests)) {
    sandbox.journal.mark({ kind: 'test-began', name })
    for (const line of lines) await runLine(sandbox, line)
  }
  const text = prettyReport(coverageText(await sandbox.coverage(), {}))
  const [beginning = ''] = text.split(/\n.*getPet 401/)
  return codeBlock('', `${beginning}\n…`)
}
