import { describe, expect, it } from 'vitest'
import type { Finding, Severity } from '../../../src/checks/audit/finding.ts'
import { type RuleName, ruleNames } from '../../../src/checks/audit/rules.ts'
import { reportFormats } from '../../../src/checks/reports/formats.ts'
import { acceptedFindings, auditReport, type FindingsResult } from '../../../src/cli/findings.ts'

/** A finding of a rule, with texts of its own. */
function findingOf(rule: RuleName, severity: Severity, more: Partial<Finding> = {}): Finding {
  return {
    rule,
    severity,
    message: `Did what ${rule} is about.`,
    advice: `Fix ${rule}.`,
    source: 'spec 8',
    client: 1,
    requests: [1, 2],
    ...more,
  }
}

const now = Date.UTC(2027, 0, 15)

function resultWith(more: Partial<FindingsResult> = {}): FindingsResult {
  const findings = [
    findingOf('list-truncated', 'info'),
    findingOf('unsafe-create-retry', 'warning', { requests: [7] }),
    findingOf('retry-too-early', 'warning', { message: 'Sent it a bit early.' }),
    findingOf('retry-too-early', 'error', { client: 2, requests: [1, 2, 3, 4, 5, 6, 7] }),
    findingOf('retry-too-early', 'error'),
  ]
  return { findings, exceptions: [], failOn: 'error', ...more }
}

describe('auditReport()', () => {
  it('reads well in 80 columns, the worst first', () => {
    const exceptions = acceptedFindings(
      [findingOf('n-plus-one', 'warning'), findingOf('list-truncated', 'info')],
      {
        failOn: 'error',
        exceptions: [
          { rule: 'n-plus-one', reason: 'Until the list has all we need', until: now + 1 },
          { rule: 'too-many-parallel-requests', reason: 'One client at a time', until: undefined },
          { rule: 'list-truncated', reason: 'Ten are enough', until: now },
        ],
      },
      now,
    ).exceptions
    const text = reportFormats.pretty(auditReport(resultWith({ exceptions })))
    // An address isn't broken.
    const long = text.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '))
    expect(long).toEqual([])
    const [, kept = ''] = /\nnothing found {2}(\d+ rules\n(?: {2}.+\n)+)/.exec(text) ?? []
    const found = ['n-plus-one', 'list-truncated', 'retry-too-early', 'unsafe-create-retry']
    const others = ruleNames.filter((name) => !found.includes(name))
    expect(kept.split(/,?\s+/)).toEqual([`${others.length}`, 'rules', ...others, ''])
    expect(text.replace(kept, 'RULES\n')).toBe(
      `Findings: 2 errors, 2 warnings, 1 info

error  retry-too-early
  Did what retry-too-early is about. (client 2, requests 1, 2, 3, 4, 5, 6 and
  more; 1 more like it)
  Sent it a bit early. (client 1, requests 1, 2)
  what to do: Fix retry-too-early.
  source: spec 8
  more:
  node_modules/petstore-sandbox/docs/reference/audit-rules.md#retry-too-early

warning  unsafe-create-retry
  Did what unsafe-create-retry is about. (client 1, request 7)
  what to do: Fix unsafe-create-retry.
  source: spec 8
  more:
  node_modules/petstore-sandbox/docs/reference/audit-rules.md#unsafe-create-retry

info  list-truncated
  Did what list-truncated is about. (client 1, requests 1, 2)
  what to do: Fix list-truncated.
  source: spec 8
  more:
  node_modules/petstore-sandbox/docs/reference/audit-rules.md#list-truncated

excepted  n-plus-one
  Until the list has all we need

nothing found  RULES

not needed any more  too-many-parallel-requests
  It matches no finding: remove it from the config file. Its reason was: One
  client at a time

ended  list-truncated
  It ended at 2027-01-15T00:00:00Z, and its findings count again (1 finding):
  fix the client, or set a later end. Its reason was: Ten are enough

in use  n-plus-one
  1 finding: Until the list has all we need`,
    )
  })

  it('tells five findings of a rule, and counts the rest', () => {
    const findings = Array.from({ length: 8 }, (_, index) =>
      findingOf('list-truncated', 'info', { message: `Got ${index}.` }),
    )
    const [{ items: [item] = [] } = {}] = auditReport(resultWith({ findings })).groups
    expect(item?.text.split('\n')).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => `Got ${index}. (client 1, requests 1, 2)`),
      'And 3 more of this kind; --all prints them.',
    ])
  })

  it('has a test case for each rule in JUnit, which fails as the command does', () => {
    const failures = (failOn: 'error' | 'warning'): unknown => {
      const xml = reportFormats.junit(auditReport(resultWith({ failOn })))
      expect(xml.match(/<testcase/g)).toHaveLength(ruleNames.length)
      return [...xml.matchAll(/name="([\w-]+)"><failure/g)].map(([, name]) => name)
    }
    expect(failures('error')).toEqual(['retry-too-early'])
    expect(failures('warning')).toEqual(['retry-too-early', 'unsafe-create-retry'])
  })
})
