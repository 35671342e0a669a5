import { type Complaint, type GradedPaper, grades, titleOf } from './grade.ts'

/** A complaint, and all the papers in which it was seen. */
export interface Cause extends Complaint {
  readonly papers: readonly string[]
}

/** A part of an exam with complaints. */
type Complaining = Pick<GradedPaper, 'complaints'> & { readonly title: string }

/** What papers complain about, as causes take it. */
export function complaining(paper: GradedPaper): Complaining {
  return { title: titleOf(paper), complaints: paper.complaints }
}

/** The rules that spoil data or give a key away when they are broken. */
const gravest: readonly string[] = [
  'unsafe-retry-duplicated',
  'rounded-id',
  'key-in-url',
  'key-elsewhere',
]

/**
 * Puts complaints together that the same change mends: those of the same rule, else those with the same advice. What is
 * proved comes first, of that what spoils data or gives a key away, then what more papers show.
 */
export function causesOf(parts: readonly Complaining[]): readonly Cause[] {
  const causes = new Map<string, Cause>()
  for (const { title, complaints } of parts) {
    for (const one of complaints) {
      const known = causes.get(one.advice)
      causes.set(
        one.advice,
        known === undefined ? { ...one, papers: [title] } : joined(known, one, title),
      )
    }
  }
  return [...causes.values()].toSorted((one, other) => {
    return rankOf(one) - rankOf(other) || other.papers.length - one.papers.length
  })
}

/** The worse of two complaints tells the cause. */
function joined(known: Cause, one: Complaint, title: string): Cause {
  if (rankOf(one) < rankOf(known)) return { ...one, papers: [title] }
  const isNew = one.grade === known.grade && !known.papers.includes(title)
  return isNew ? { ...known, papers: [...known.papers, title] } : known
}

/** Smaller for what should be mended earlier. */
function rankOf({ grade, what }: Complaint): number {
  return grades.indexOf(grade) - (gravest.includes(what) ? 0.5 : 0)
}
