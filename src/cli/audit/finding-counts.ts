import { type Severity, severities } from '../../audit/severity.ts'

/** Says how many findings there are, such as `2 errors, 1 warning`. */
export function countsText(counts: Readonly<Record<Severity, number>>): string {
  const texts = severities.flatMap((severity) =>
    counts[severity] === 0 ? [] : [countText(counts[severity], severity)],
  )
  return texts.length === 0 ? 'nothing found' : texts.join(', ')
}

function countText(count: number, severity: Severity): string {
  if (severity === 'info') return `${count} info`
  return `${count} ${severity}${count === 1 ? '' : 's'}`
}
