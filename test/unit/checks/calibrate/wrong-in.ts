import type { Calibration } from '../../../../src/checks/calibrate/calibrate.ts'
import { type GapName, gapDescriptions, gapNames, gaps } from '../../../../src/mock/api/gaps.ts'
import { duration } from '../../../../src/mock/input/values.ts'

/** Whether a choice is among those of a report, or in one of its ranges. */
export function agrees(
  name: GapName,
  choice: string | number,
  choices: readonly string[],
): boolean {
  const gap = gaps[name]
  if (choices.includes(String(choice))) return true
  if (gap.kind === 'enum' || isWord(choice)) return false
  const read = (text: string | number): number =>
    gap.kind === 'count'
      ? Number(text)
      : gap.kind === 'instant'
        ? Date.parse(String(text))
        : Number(duration.parse(text))
  return choices.some((one) => {
    if (isWord(one)) return false
    const [from = '', to] = one.split('..')
    // An instant or a duration is told to the second.
    const slack = gap.kind === 'count' || to !== undefined ? 0 : 1000
    const [least, most] = [read(from) - slack, read(to ?? from) + slack]
    return read(choice) >= least && read(choice) <= most
  })
}

/** Whether a choice is no value of its kind, but a word. */
function isWord(choice: string | number): boolean {
  return choice === 'none' || choice === 'never' || choice === 'at-once'
}

/** Lists what a report says that is wrong of a service. */
export function wrongIn(
  report: Calibration,
  chosen: Readonly<Record<string, string | number>>,
): string[] {
  const wrong = gapNames.flatMap((name) => {
    const gap = gaps[name]
    const choice = chosen[name] ?? (gap.kind === 'enum' ? gap.values[0] : gap.default)
    const text =
      gap.kind === 'instant' && typeof choice === 'number' ? new Date(choice).toISOString() : choice
    const { values, requests } = report.gaps[name]
    return agrees(name, text, values)
      ? []
      : [`${name}: ${choice} is not in ${values} (${requests.slice(0, 6)})`]
  })
  const problems = Object.values(report.clauses).flatMap((clause) => clause.problems)
  return [...wrong, ...[...problems, ...report.unexplained].map((one) => JSON.stringify(one))]
}

/** Gaps whose value no traffic shows. */
const never: readonly GapName[] = gapNames.filter((name) => gapDescriptions[name].ask === null)

/**
 * Lists what a report says that is wrong of a service that keeps the spec.
 *
 * @param truth Its values, `null` where no value of the sandbox fits, as far as that can be said.
 */
export function wrongAbout(
  { gaps: found, clauses, unexplained }: Calibration,
  truth: { readonly [Name in GapName]?: string | number | null },
): string[] {
  const wrong = gapNames.flatMap((name) => {
    const { result, values, requests } = found[name]
    const choice = never.includes(name) ? null : truth[name]
    if (choice === undefined) return []
    const isTold = result === 'confirmed' || result === 'narrowed'
    const isRight = choice === null ? !isTold : agrees(name, choice, values)
    return isRight
      ? []
      : [`${name}: ${choice}, found ${result} ${values} (${requests.slice(0, 5)})`]
  })
  const problems = Object.entries(clauses).flatMap(([clause, one]) =>
    one.problems.map((problem) => `${clause}: ${JSON.stringify(problem)}`),
  )
  return [...wrong, ...problems, ...unexplained.map((one) => JSON.stringify(one))]
}
