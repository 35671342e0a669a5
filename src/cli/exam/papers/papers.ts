import { faultPapers } from './fault-papers.ts'
import { limitPapers } from './limit-papers.ts'
import type { Paper } from './paper.ts'
import type { RunPaperName, SidePaperName } from './paper-names.ts'
import { petPapers } from './pet-papers.ts'
import { timePapers } from './time-papers.ts'

/** The situations in which a suite runs, by name. */
export const papers: Readonly<Record<RunPaperName, Paper>> = {
  ...limitPapers,
  ...faultPapers,
  ...timePapers,
  ...petPapers,
}

/** What is examined without a run for it alone. */
export const sidePapers: Readonly<Record<SidePaperName, string>> = {
  manners: 'What the audit says of the client when nothing goes wrong.',
  coverage: 'Which documented outcomes the suite makes the client face by itself.',
  explore: 'On which choices at gaps the suite depends; this takes many runs.',
}
