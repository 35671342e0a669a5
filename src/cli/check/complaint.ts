import type { Severity } from '../../checks/audit/finding.ts'

/** Grades of what was found, the worst first. */
export const grades = ['fix', 'review', 'info'] as const

/** `fix` is proved, `review` needs a look, `info` is good to know. */
export type Grade = (typeof grades)[number]

/** Grades of findings, by their severity. */
export const gradeOf: Readonly<Record<Severity, Grade>> = {
  error: 'fix',
  warning: 'review',
  info: 'info',
}

/** Problem that was found. */
export interface Complaint {
  readonly grade: Grade
  /** Name: a rule, a condition, or a short name of the problem; problems with the same name and advice are one item. */
  readonly what: string
  readonly text: string
  readonly advice: string
  readonly source: string
  /** Command that shows it; that of its checks by default. */
  readonly command?: string | undefined
}
