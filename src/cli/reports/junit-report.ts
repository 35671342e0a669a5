import { escapeXml } from './escape-xml.ts'
import type { Report, ReportGroup, ReportItem } from './report.ts'

/** Writes a report as JUnit XML: a suite for each group, in which errors have failed and the rest not met is skipped. */
export function junitReport({ title, groups }: Report): string {
  const items = groups.flatMap((group) => group.items)
  const suites = groups.map((group) => suiteOf(title, group))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(title)}"${countsOf(items)}>`,
    ...suites,
    '</testsuites>',
  ].join('\n')
}

function countsOf(items: readonly ReportItem[]): string {
  const failures = items.filter(({ level }) => level === 'error').length
  const passed = items.filter(({ level }) => level === 'ok').length
  const skipped = items.length - failures - passed
  return ` tests="${items.length}" failures="${failures}" errors="0" skipped="${skipped}"`
}

function suiteOf(title: string, { name, items }: ReportGroup): string {
  const cases = items.map((item) => caseOf(`${title}.${name}`, item))
  return [
    `  <testsuite name="${escapeXml(name)}"${countsOf(items)}>`,
    ...cases,
    '  </testsuite>',
  ].join('\n')
}

function caseOf(className: string, item: ReportItem): string {
  const { name, level, state, text } = item
  const start = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`
  const message = escapeXml([state, text].filter((one) => one !== '').join(': '))
  const details = escapeXml(detailsOf(item))
  if (level === 'ok') {
    return text === ''
      ? `${start}/>`
      : `${start}><system-out>${escapeXml(text)}</system-out></testcase>`
  }
  const outcome =
    level === 'error'
      ? `<failure type="${level}" message="${message}">${details}</failure>`
      : `<skipped message="${message}"/><system-out>${details}</system-out>`
  return `${start}>${outcome}</testcase>`
}

function detailsOf({ text, notes = {}, code = '' }: ReportItem): string {
  const more = Object.entries(notes).map(([label, note]) => `${label}: ${note}`)
  return [text, ...more, code].filter((one) => one !== '').join('\n')
}
