import type { VNode } from 'preact'
import type { Finding } from '../../audit/finding.ts'
import { Badge } from '../../console/parts/badge.tsx'
import type { PartProps } from './part-props.ts'

/** How many findings are shown. */
const mostFindings = 50

/** What clients did that the interface asks them not to do, the worst first. */
export function Findings({ store }: PartProps): VNode {
  const findings = store.findings.value
  if (findings === undefined) return <p class="quiet">The rules are being loaded…</p>
  if (findings.length === 0) {
    return <p class="quiet">Nothing to complain of so far.</p>
  }
  const sorted = order.flatMap((severity) => findings.filter((one) => one.severity === severity))
  return (
    <>
      <ul class="findings">
        {sorted.slice(0, mostFindings).map((finding, place) => (
          <FindingItem key={place} finding={finding} />
        ))}
      </ul>
      {sorted.length > mostFindings && (
        <p class="quiet">And {sorted.length - mostFindings} more, which sandbox.audit() gives.</p>
      )}
    </>
  )
}

/** The worst first. */
const order: readonly Finding['severity'][] = ['error', 'warning', 'info']

function FindingItem({ finding }: { readonly finding: Finding }): VNode {
  const { severity, verdict, advice, rule, clause, exchanges } = finding
  return (
    <li>
      <p>
        <Badge tone={severity} text={severity} /> {verdict}
      </p>
      <p>{advice}</p>
      <p class="quiet">
        {rule} · {clause} · {exchanges.length === 1 ? 'request' : 'requests'} {exchanges.join(', ')}
      </p>
    </li>
  )
}
