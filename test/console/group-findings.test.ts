import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/audit/finding.ts'
import { findingsJunit, findingsMarkdown } from '../../src/console/model/finding-reports.ts'
import { groupFindings, severitiesText } from '../../src/console/model/group-findings.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

const early: Finding = {
  rule: 'retry-too-early',
  severity: 'warning',
  verdict: 'Sent GET /pets again.',
  advice: 'Wait.',
  clause: 'spec 8.2; RFC 9110, 10.2.3',
  caller: 1,
  exchanges: [1, 4],
}

const hammered: Finding = { ...early, rule: 'hammered-into-ban', severity: 'error', exchanges: [3] }

describe('groupFindings()', () => {
  it('puts the findings of a rule together, the worst rule first', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 2; count++) await send(sandbox)
    sandbox.clock.advance('5s')
    for (let count = 0; count < 3; count++) await send(sandbox)
    const again = { ...early, exchanges: [2, 5] }
    const other = { ...early, verdict: 'Sent GET /pets/1 again.', severity: 'info' } as const
    const groups = groupFindings([early, hammered, again, other], sandbox.journal.entries())
    expect(groups).toMatchObject([
      { rule: 'hammered-into-ban', severity: 'error', count: 1 },
      {
        rule: 'retry-too-early',
        severity: 'warning',
        count: 3,
        sources: ['spec 8.2', 'RFC 9110, 10.2.3'],
        sayings: [
          { verdict: 'Sent GET /pets again.', count: 2, exchanges: [1, 2, 4, 5] },
          { verdict: 'Sent GET /pets/1 again.', count: 1, exchanges: [1, 4] },
        ],
        first: { id: 1, at: '2026-01-01T00:00:00Z' },
        last: { id: 5, at: '2026-01-01T00:00:05Z' },
      },
    ])
  })

  it('names no exchange whose id is that of another one after a reset', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 5; count++) await send(sandbox)
    const [group] = groupFindings([{ ...early, beforeReset: true }], sandbox.journal.entries())
    expect(group).toMatchObject({ count: 1, first: undefined, last: undefined })
    expect(group?.sayings[0]?.exchanges).toEqual([])
  })

  it.each([
    { findings: [], text: 'Nothing found' },
    { findings: [early], text: '1 warning' },
    { findings: [early, hammered, hammered], text: '2 errors, 1 warning' },
  ])('counts them by severity: $text', ({ findings, text }) => {
    expect(severitiesText(findings)).toBe(text)
  })
})

describe('the reports of findings', () => {
  const hostile = { ...hammered, verdict: 'Sent <b>&"\'\u0000 | `x` [a](http://b)\n# @you' }
  const groups = groupFindings([early, hostile], [])

  it('are Markdown in which texts of clients mean nothing', () => {
    const text = findingsMarkdown(groups)
    expect(text).toContain('### retry-too-early (warning, 1 time)')
    expect(text).toContain('- Sent GET /pets again. (requests 1, 4)')
    expect(text).toContain('Source: spec 8.2; RFC 9110, 10.2.3')
    expect(text).not.toMatch(/<b>|`|\]\(|^# /m)
  })

  it('are JUnit XML in which only errors have failed', () => {
    const text = findingsJunit(groups)
    expect(text).toContain(
      '<testsuites name="Audit" tests="2" failures="1" errors="0" skipped="1">',
    )
    expect(text).toContain(
      'name="hammered-into-ban"><failure type="error" message="error: Sent &#60;b&#62;',
    )
    expect(text).toContain('name="retry-too-early"><skipped message="warning: Sent GET')
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('\u0000')
  })
})
