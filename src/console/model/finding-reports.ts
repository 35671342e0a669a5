import { countText } from './count-text.ts'
import type { FindingGroup } from './group-findings.ts'

/** Signs that mean something in Markdown or in HTML. */
const markdownSigns = /[\\`*_[\]~|@$#<>&]|:(?=\/)/g

const xmlSigns = /[<>&"']/g

/** What XML 1.0 can't hold, not even as a reference. */
const notInXml = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

/** Writes findings as Markdown, as issues and chats show it; what clients sent stays text. */
export function findingsMarkdown(groups: readonly FindingGroup[]): string {
  return groups.map(groupMarkdown).join('\n')
}

function groupMarkdown({ rule, severity, count, sayings, advice, sources }: FindingGroup): string {
  return [
    `### ${plain(rule)} (${severity}, ${countText(count, 'time')})`,
    '',
    ...sayings.map(({ verdict, count: times, exchanges }) => {
      const notes = [
        ...(exchanges.length === 0 ? [] : [`requests ${exchanges.join(', ')}`]),
        ...(times === 1 ? [] : [countText(times, 'time')]),
      ]
      return `- ${plain(verdict)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
    }),
    '',
    `What to do: ${plain(advice)}`,
    '',
    `Source: ${plain(sources.join('; '))}`,
    '',
  ].join('\n')
}

function plain(text: string): string {
  return referenced(text.replace(/\s+/g, ' '), markdownSigns)
}

/** Writes findings as JUnit XML, as `audit --report junit` does: errors have failed, the rest is skipped. */
export function findingsJunit(groups: readonly FindingGroup[]): string {
  const failures = groups.filter(({ severity }) => severity === 'error').length
  const counts = `tests="${groups.length}" failures="${failures}" errors="0" skipped="${groups.length - failures}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Audit" ${counts}>`,
    `  <testsuite name="rules" ${counts}>`,
    ...groups.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase({ rule, severity, sayings, advice, sources }: FindingGroup): string {
  const verdicts = sayings.map(({ verdict }) => verdict).join('\n')
  const details = xml(`${verdicts}\nwhat to do: ${advice}\nsource: ${sources.join('; ')}`)
  const message = `message="${xml(`${severity}: ${verdicts}`)}"`
  const outcome =
    severity === 'error'
      ? `<failure type="error" ${message}>${details}</failure>`
      : `<skipped ${message}/><system-out>${details}</system-out>`
  return `    <testcase classname="Audit.rules" name="${xml(rule)}">${outcome}</testcase>`
}

function xml(text: string): string {
  return referenced(text.toWellFormed().replace(notInXml, '\ufffd'), xmlSigns)
}

/** Writes signs as character references, which Markdown, HTML and XML know. */
function referenced(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => `&#${sign.charCodeAt(0)};`)
}
