import type { Report, ReportItem } from '../../reports/report.ts'

/** Says in a report that nothing was judged, since there was no request. */
export function unaskedReport(text: string): Report {
  const item: ReportItem = { name: 'requests', level: 'error', state: 'none', text }
  return {
    title: 'Audit',
    summary: 'nothing judged',
    layout: 'paragraphs',
    groups: [{ name: 'requests', summary: 'none', items: [item] }],
    json: { findings: [], judged: 0 },
  }
}
