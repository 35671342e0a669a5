import type { Finding, Severity } from '../../src/audit/finding.ts'
import type { RuleName } from '../../src/audit/rules.ts'

/** A finding of a rule, with texts of its own. */
export function findingOf(
  rule: RuleName,
  severity: Severity,
  more: Partial<Finding> = {},
): Finding {
  return {
    rule,
    severity,
    verdict: `Did what ${rule} is about.`,
    advice: `Fix ${rule}.`,
    clause: 'spec 8',
    caller: 1,
    exchanges: [1, 2],
    ...more,
  }
}
