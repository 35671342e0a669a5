import { examReport } from '../../src/cli/exam/exam-report.ts'
import { gradePapers, type SatPaper } from '../../src/cli/exam/grade.ts'
import { causesOf, complaining } from '../../src/cli/exam/mend-first.ts'
import { papersOf } from '../../src/cli/exam/paper-runs.ts'
import { subjects } from '../../src/cli/exam/papers/paper.ts'
import { runPaperNames } from '../../src/cli/exam/papers/paper-names.ts'
import { papers, sidePapers } from '../../src/cli/exam/papers/papers.ts'
import { mannerComplaints } from '../../src/cli/exam/side-items.ts'
import { shellLine } from '../../src/cli/explore/exec-line.ts'
import { prettyReport } from '../../src/cli/reports/pretty-report.ts'
import { rudeSuite } from './exam-suites.ts'
import { codeBlock, inCode, table } from './markdown.ts'
import { sitPaper, usualRun } from './sit-paper.ts'

/** The report card of a client with bad manners, as a document shows it. */
export async function sampleExam(): Promise<string> {
  const usual = await usualRun(rudeSuite)
  const all = papersOf(runPaperNames, usual)
  const sat: SatPaper[] = []
  // One after the other: together they would keep each other's clients waiting, which the report would tell of.
  for (const { name, operation } of all) sat.push(await sitPaper(rudeSuite, name, operation))
  const graded = gradePapers(sat, usual)
  const manners = usual.findings.map(({ finding }) => finding)
  const report = examReport({
    papers: graded,
    manners,
    coverage: usual.coverage,
    explored: undefined,
    causes: causesOf([
      { title: 'manners', complaints: mannerComplaints(manners) },
      ...graded.map(complaining),
    ]),
    runs: all.length + 2,
    time: '41s',
    tests: 0,
    isInterrupted: false,
    isPartial: false,
    commandFor: (names) =>
      shellLine('exam', { options: {}, words: ['npm', 'test'] }, ['--only', names.join(',')]),
  })
  return codeBlock('', prettyReport(report))
}

/** The papers, as a document shows them. */
export function paperTable(): string {
  const rows = runPaperNames.map((name) => {
    const { subject, about, spec, per } = papers[name]
    const of = per === 'operation' ? ', one for each operation' : ''
    return [inCode(name), `${subjects[subject]}${of}`, about, spec]
  })
  const side = Object.entries(sidePapers).map(([name, about]) => [
    inCode(name),
    'the suite as it is',
    about,
    '',
  ])
  return table([['paper', 'about', 'what happens', 'spec'], ...rows, ...side])
}
