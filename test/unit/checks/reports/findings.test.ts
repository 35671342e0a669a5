import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../src/checks/audit/finding.ts'
import { ruleNames } from '../../../../src/checks/audit/rules.ts'
import {
  findingsReport,
  groupFindings,
  placeOfRule,
  severitiesText,
} from '../../../../src/checks/reports/findings.ts'
import { markdownReport } from '../../../../src/checks/reports/formats.ts'

const early: Finding = {
  rule: 'retry-too-early',
  severity: 'warning',
  message: 'Sent GET /pets again.',
  advice: 'Wait.',
  source: 'spec 8.2; RFC 9110, 10.2.3',
  client: 1,
  requests: [1, 4],
}

const hammered: Finding = {
  ...early,
  rule: 'retried-until-banned',
  severity: 'error',
  requests: [3],
}

describe('groupFindings()', () => {
  it('puts the findings of a rule together, the worst first', () => {
    const again = { ...early, requests: [2, 5] }
    const other = { ...early, message: 'Sent GET /pets/1 again.', severity: 'info' } as const
    expect(groupFindings([other, early, hammered, again])).toMatchObject([
      { rule: 'retried-until-banned', severity: 'error', findings: [hammered] },
      {
        rule: 'retry-too-early',
        severity: 'warning',
        findings: [early, again, other],
        sources: ['spec 8.2', 'RFC 9110, 10.2.3'],
        requests: [1, 2, 4, 5],
        messages: [
          { message: 'Sent GET /pets again.', count: 2, requests: [1, 2, 4, 5] },
          { message: 'Sent GET /pets/1 again.', count: 1, requests: [1, 4] },
        ],
      },
    ])
  })

  it('names no request whose id is that of another one after a reset', () => {
    const [group] = groupFindings([{ ...early, beforeReset: true }])
    expect(group).toMatchObject({ requests: [], messages: [{ requests: [] }] })
  })

  it('shows by one since the reset, if there is one', () => {
    const [group] = groupFindings([{ ...early, beforeReset: true }, early])
    expect(group?.messages[0]).toMatchObject({ count: 2, shown: early })
  })

  it.each([
    { findings: [], text: 'nothing found' },
    { findings: [early], text: '1 warning' },
    { findings: [early, hammered, hammered], text: '2 errors, 1 warning' },
  ])('counts them by severity: $text', ({ findings, text }) => {
    expect(severitiesText(findings)).toBe(text)
  })
})

it.each(ruleNames)('names a heading of the documents for %s', async (rule) => {
  const [file, heading] = placeOfRule(rule).split('#')
  expect(await readFile(`${file}`, 'utf8')).toContain(`\n### ${heading}\n`)
})

describe('findingsReport()', () => {
  const hostile = { ...hammered, message: 'Sent <b>&"\'\u0000 | `x` [a](http://b)\n# @you' }
  const report = findingsReport(groupFindings([early, hostile]))

  it('becomes Markdown in which texts of clients mean nothing', () => {
    const text = markdownReport(report)
    expect(text).toContain('## Audit\n\n1 error, 1 warning')
    expect(text).toContain(`- retry-too-early: warning
  - Sent GET /pets again. (client 1, requests 1, 4)
  - what to do: Wait.
  - source: spec 8.2; RFC 9110, 10.2.3
  - more: node_modules/petstore-sandbox/docs/reference/audit-rules.md#retry-too-early`)
    expect(text).not.toMatch(/<b>|^# |[^\\]\[|[^`]http|[^`]@/m)
  })
})
