import type { Level, Report } from '../reports/report.ts'

/** Says in a report that nothing was judged, since there was no request. */
export function unaskedReport(level: Level, text: string): Report {
  const item = { name: 'requests', level, state: 'none', text }
  return {
    title: 'Audit',
    summary: 'nothing judged',
    layout: 'paragraphs',
    groups: [{ name: 'requests', summary: 'none', items: [item] }],
    json: { findings: [], judged: 0 },
  }
}
