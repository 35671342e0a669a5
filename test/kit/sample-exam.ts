import { checks, type RunCheckName, runCheckNames } from '../../src/cli/exam/checks.ts'
import { checksFor } from '../../src/cli/exam/exam.ts'
import { causesOf, examReport } from '../../src/cli/exam/exam-report.ts'
import { type DoneCheck, gradeChecks } from '../../src/cli/exam/grade.ts'
import { type CheckName, checkNames } from '../../src/cli/options.ts'
import { shellLine } from '../../src/cli/suite/session.ts'
import { prettyReport } from '../../src/reports/pretty.ts'
import { rudeSuite } from './exam-suites.ts'
import { codeBlock, inCode, table } from './markdown.ts'
import { baselineRun, runCheck } from './run-check.ts'

/** The beginning of the report card of a client with bad manners, as a document shows it. */
export async function sampleExam(): Promise<string> {
  const baseline = await baselineRun(rudeSuite)
  const all = checksFor(checkNames, baseline)
  const done: DoneCheck[] = []
  // One after the other: together they would keep each other's clients waiting, which the report would tell of.
  for (const { name, operation } of all) done.push(await runCheck(rudeSuite, name, operation))
  const shown = {
    checks: gradeChecks(done, baseline),
    manners: baseline.findings.map(({ finding }) => finding),
    explored: undefined,
  }
  const report = examReport({
    ...shown,
    coverage: baseline.coverage,
    causes: causesOf(shown),
    runs: done.reduce((sum, { runs }) => sum + runs.length, 2),
    time: '41s',
    tests: 0,
    isInterrupted: false,
    isPartial: false,
    commandFor: (names) =>
      shellLine('exam', { given: {}, words: ['npm', 'test'] }, ['--only', names.join(',')]),
  })
  const [beginning = ''] = prettyReport(report).split('\n\n  2. ')
  return codeBlock('', `${beginning}\n…`)
}

/** What is examined without a run for it alone. */
const sideChecks: Readonly<Record<Exclude<CheckName, RunCheckName>, string>> = {
  manners: 'What the audit finds when nothing goes wrong.',
  coverage: 'Which documented outcomes the suite covers by itself.',
  explore: 'Which choices at gaps the suite depends on; this takes many runs.',
}

/** The checks, as a document shows them. */
export function checkTable(): string {
  const rows = runCheckNames.map((name) => {
    const { about, per } = checks[name]
    return [inCode(name), per === 'operation' ? `For each operation: ${about}` : about]
  })
  const side = Object.entries(sideChecks).map(([name, about]) => [inCode(name), about])
  return table([['check', 'what happens'], ...rows, ...side])
}
