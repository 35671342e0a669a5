import { describe, expect, it } from 'vitest'
import { gradePapers } from '../../../src/cli/exam/grade.ts'
import { type RunPaperName, runPaperNames } from '../../../src/cli/exam/papers/paper-names.ts'
import { papers } from '../../../src/cli/exam/papers/papers.ts'
import type { CommandRun } from '../../../src/cli/explore/suite/commands.ts'
import type { OperationName } from '../../../src/contract/endpoints.ts'
import { hastySuite, politeSuite, rudeSuite } from '../../kit/exam-suites.ts'
import { gradedPaper, sitPaper, usualRun } from '../../kit/sit-paper.ts'

/** What a client with bad manners is told, by paper; of papers on operations, for one of them. */
const rudeGrades: Readonly<
  Record<
    RunPaperName,
    { readonly operation?: OperationName; readonly grade: string; readonly what: readonly string[] }
  >
> = {
  'minute-limit': { grade: 'mend', what: ['retry-too-early'] },
  'day-limit': { grade: 'mend', what: ['retry-too-early'] },
  banned: { grade: 'mend', what: ['went-on-while-banned'] },
  'key-expired': { grade: 'mend', what: ['hopeless-retry'] },
  down: { operation: 'getPet', grade: 'look', what: ['fixed-interval-retries'] },
  lost: { operation: 'createPet', grade: 'mend', what: ['unsafe-retry-duplicated'] },
  silent: { operation: 'createPet', grade: 'mend', what: ['unsafe-retry-duplicated'] },
  garbled: { operation: 'createPet', grade: 'mend', what: ['unsafe-retry-duplicated'] },
  flaky: { grade: 'passed', what: [] },
  slow: { grade: 'passed', what: [] },
  'clock-ahead': { grade: 'mend', what: ['retry-too-early'] },
  'clock-behind': { grade: 'mend', what: ['retry-too-early'] },
  'sunset-eve': { grade: 'passed', what: [] },
  'sunset-day': { grade: 'look', what: ['sunset-day'] },
  'sunset-after': { grade: 'look', what: ['sunset-after'] },
  'large-ids': { grade: 'mend', what: ['rounded-id'] },
}

describe('papers', () => {
  it.each(runPaperNames.map((name) => ({ name, ...rudeGrades[name] })))(
    '$name grades a rude client: $grade',
    async ({ name, operation, grade, what }) => {
      const graded = await gradedPaper(rudeSuite, name, operation)
      expect(graded.complaints.map((one) => one.what)).toEqual(expect.arrayContaining([...what]))
      expect(graded).toMatchObject({ grade })
    },
  )

  const politely = runPaperNames.flatMap(
    (name): readonly { readonly name: RunPaperName; readonly operation?: OperationName }[] =>
      papers[name].per === 'suite'
        ? [{ name }]
        : [
            { name, operation: 'createPet' },
            { name, operation: 'listPets' },
          ],
  )
  it.each(politely)('$name $operation has no complaint about a polite client', async (paper) => {
    const { complaints, seen } = await gradedPaper(politeSuite, paper.name, paper.operation)
    expect(complaints).toEqual([])
    const isSure = papers[paper.name].needs !== 'getPet' && paper.name !== 'flaky'
    if (isSure) expect(seen.met).toBeGreaterThan(0)
  })

  it.each(runPaperNames.filter((name) => papers[name].per === 'suite'))(
    '%s does not take the next test for a retry',
    async (name) => {
      const { complaints } = await gradedPaper(hastySuite, name)
      expect(complaints.filter(({ what }) => what !== name)).toEqual([])
    },
  )

  it('says nothing of clocks where the suite fails with the same clocks, too', async () => {
    const sat = await Promise.all([
      sitPaper(hastySuite, 'minute-limit'),
      sitPaper(hastySuite, 'clock-ahead'),
    ])
    const usual = await usualRun(hastySuite)
    expect(gradePapers(sat, usual).map(({ grade }) => grade)).toEqual(['noted', 'noted'])
    expect(gradePapers(sat.slice(1), usual)).toMatchObject([
      { grade: 'look', complaints: [{ what: 'clock-ahead' }] },
    ])
  })
  const ends: readonly { readonly command: Partial<CommandRun>; readonly grade: string }[] = [
    { command: { code: 139 }, grade: 'mend' },
    { command: { code: 1 }, grade: 'noted' },
    { command: { code: 143, end: 'too slow' }, grade: 'look' },
    { command: { code: 143, end: 'stopped' }, grade: 'not run' },
  ]
  it.each(ends)('are graded $grade where the command ends with $command', async (row) => {
    const sat = await sitPaper(politeSuite, 'minute-limit')
    const run = { ...sat.run, command: { ...sat.run.command, ...row.command } }
    const [graded] = gradePapers([{ ...sat, run }], await usualRun(politeSuite))
    expect(graded).toMatchObject({ grade: row.grade })
  })
})
