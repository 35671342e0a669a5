import { toJson } from '../../mock/api/json.ts'
import { prettyReport } from './pretty.ts'
import {
  headingOf,
  isNumber,
  type Level,
  linesOf,
  type Paint,
  type Report,
  type ReportGroup,
  type ReportItem,
  shownItems,
} from './report.ts'
import { markdownCode, markdownText, printable, printableJson, xmlText } from './text.ts'

/**
 * Writes a report as JUnit XML: a test suite per group, in which errors fail and other items that aren't `ok` are
 * skipped. What is to fix or review is one test case, so that CI counts it once.
 */
export function junitReport({ title, groups: all }: Report): string {
  const groups = all.flatMap((group) => {
    const items = group.items.filter((item) => !isRepeated(item))
    return items.length === 0 ? [] : { ...group, items }
  })
  const items = groups.flatMap((group) => group.items)
  const suites = groups.map((group) => suiteOf(title, group))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlText(title)}"${countsOf(items)}>`,
    ...suites,
    '</testsuites>',
  ].join('\n')
}

/** Returns whether an item of the first group already reports what an item reports. */
function isRepeated({ level, isExplained }: ReportItem): boolean {
  return isExplained === true && isComplaint(level)
}

/** Returns whether a level is that of something to fix or review. */
function isComplaint(level: Level): boolean {
  return level === 'error' || level === 'warning'
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
    `  <testsuite name="${xmlText(name)}"${countsOf(items)}>`,
    ...cases,
    '  </testsuite>',
  ].join('\n')
}

function caseOf(className: string, item: ReportItem): string {
  const { name, place = '', level, state, text } = item
  const start = `    <testcase classname="${xmlText(className)}" name="${xmlText(name)}"`
  const parts = [...(isNumber(state) ? [] : [state]), text]
  const message = xmlText(parts.filter((one) => one !== '').join(': '))
  const seen = place === '' ? [] : [`seen under: ${place}`]
  const details = xmlText([...linesOf(item), ...seen].join('\n'))
  if (level === 'ok') {
    return text === ''
      ? `${start}/>`
      : `${start}><system-out>${xmlText(text)}</system-out></testcase>`
  }
  const outcome =
    level === 'error'
      ? `<failure type="${level}" message="${message}">${details}</failure>`
      : `<skipped message="${message}"/><system-out>${details}</system-out>`
  return `${start}>${outcome}</testcase>`
}

/** Writes a report as workflow commands of GitHub Actions, which show each error and warning beside the run. */
function githubReport({ title, summary, groups }: Report): string {
  const lines = groups.flatMap(({ items }) => items.flatMap(commandOf))
  return [...lines, `::notice title=${property(title)}::${data(summary)}`].join('\n')
}

function commandOf(item: ReportItem): string[] {
  const { level, state, text } = item
  // The job summary contains what is only information.
  if (isRepeated(item) || !isComplaint(level)) return []
  const said = [...(text === '' ? [state] : []), ...linesOf(item)].join('\n')
  return [`::${level} title=${property(headingOf(item))}::${data(said)}`]
}

/** Escapes the text of a workflow command; shows characters that control a terminal or the log. */
function data(text: string): string {
  const lines = text.split('\n').map((line) => printable(line).replaceAll('%', '%25'))
  return lines.join('%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Writes a report as Markdown: headings and lists, which are also readable as plain text. */
export function markdownReport({ title, summary, groups, next }: Report): string {
  return [
    `## ${markdownText(title)}`,
    markdownText(summary),
    ...groups.map(markdownGroup),
    ...(next === undefined ? [] : [`${markdownText(next.text)}: ${markdownCode(next.code)}`]),
  ].join('\n\n')
}

function markdownGroup(group: ReportGroup): string {
  const { name, summary, items, isSummed } = group
  const heading = `### ${markdownText(name)}: ${markdownText(summary)}`
  if (items.length === 0 || isSummed) return heading
  const { shown, rest } = shownItems(group)
  const others = rest === '' ? [] : [`- ${markdownText(rest)}`]
  return `${heading}\n\n${[...shown.flatMap(listItem), ...others].join('\n')}`
}

/** Writes a list item, with its other texts in a list below it; a state that is a number becomes the marker. */
function listItem(item: ReportItem): string[] {
  const { state, code = '', brief } = item
  const marker = isNumber(state) ? state : '-'
  const head = [
    markdownText(headingOf(item)),
    ...(marker === '-' ? [markdownText(state)] : []),
  ].join(': ')
  if (brief !== undefined) return [`${marker} ${head}: ${markdownText(brief)}`]
  const lines = [
    ...linesOf({ ...item, code: '' }).map(markdownText),
    ...(code === '' ? [] : code.split('\n').map(markdownCode)),
  ]
  const indent = ' '.repeat(marker.length + 1)
  return [`${marker} ${head}`, ...lines.map((line) => `${indent}- ${line}`)]
}

/** Writers of reports, by the name of the format. */
export const reportFormats = {
  pretty: prettyReport,
  json: (report) => printableJson(toJson(report.json)),
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
} as const satisfies Readonly<Record<string, (report: Report, paint?: Paint) => string>>

export type ReportFormat = keyof typeof reportFormats
