import type { Mark, MarkKind } from '../../../state/journal-entry.ts'
import type { Span } from './lanes.ts'

/** The shapes of marks. */
export const markShapes = {
  'clock-moved': 'onward',
  'clock-set-back': 'back',
  'clock-mode': 'onward',
  reset: 'square',
  restored: 'square',
  'keys-changed': 'diamond',
  'pets-changed': 'diamond',
  'faults-changed': 'cross',
  'gaps-changed': 'diamond',
  'rate-limit-changed': 'diamond',
  'test-began': 'flag',
  'test-ended': 'flag',
} as const satisfies Readonly<Record<MarkKind, string>>

export type MarkShape = (typeof markShapes)[MarkKind]

/** Says what a mark is, in words. */
export function markText(kind: MarkKind): string {
  return kind.replaceAll('-', ' ')
}

/** A test that was announced, while it ran. */
export interface TestSpan extends Span {
  readonly name: string
}

/** The marks since the journal began anew. */
export function marksOfJournal(marks: readonly Mark[]): readonly Mark[] {
  const last = marks.findLastIndex(({ kind }) => kind === 'reset' || kind === 'restored')
  return marks.slice(Math.max(0, last))
}

/** The tests that were announced; the last one may still run. */
export function testsIn(marks: readonly Mark[], to: number): readonly TestSpan[] {
  const tests: TestSpan[] = []
  let began: Mark | undefined
  const end = (at: number): void => {
    if (began !== undefined) {
      tests.push({ from: Date.parse(began.at), to: at, name: began.name ?? 'a test' })
    }
    began = undefined
  }
  for (const mark of marks) {
    if (mark.kind === 'test-began' || mark.kind === 'test-ended') end(Date.parse(mark.at))
    if (mark.kind === 'test-began') began = mark
  }
  end(to)
  return tests
}
