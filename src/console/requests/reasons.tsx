import type { ComponentChildren } from 'preact'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { choicesText, type GapName, gaps } from '../../contract/gaps.ts'
import { gapDescriptions } from '../../contract/openapi/gap-descriptions.ts'
import { useConsole } from '../live/console-context.ts'
import { Badge } from '../parts/badge.tsx'
import { ClauseLink } from '../parts/clause-link.tsx'
import { Countdown } from '../parts/time.tsx'

/** Why a request was answered as it was: clause, gap and its other choices, quota, faults, findings. */
export function Reasons({ entry }: { readonly entry: JournalEntry }) {
  const { store } = useConsole()
  const { decision, quota, faults, durationMs, door, key } = entry
  const findings = store.findings.value.filter(({ exchanges }) => exchanges.includes(entry.id))
  return (
    <dl class="reasons">
      {decision.clause === undefined ? null : (
        <Row title="Clause">
          <ClauseLink clause={decision.clause} />
        </Row>
      )}
      {decision.gap === undefined ? null : <GapRow name={decision.gap} />}
      {decision.code === undefined ? null : (
        <Row title="Error">
          <code>{decision.code}</code>
        </Row>
      )}
      {decision.retryAt === undefined ? null : (
        <Row title="Served again">
          <Countdown until={decision.retryAt} />
        </Row>
      )}
      <Row title="Quota">
        {quota.remaining} of {quota.limit} left in this {quota.window}
        {quota.spent ? '' : '; it spent none'}
      </Row>
      {faults.length === 0 ? null : (
        <Row title="Faults">struck by {faults.map((id) => `fault ${id}`).join(', ')}</Row>
      )}
      <Row title="Sent">
        {key === undefined ? 'without a key' : `with key ${key}`}; took {durationMs} ms; door {door}
      </Row>
      {findings.map(({ rule, severity, verdict, advice }) => (
        <Row key={rule} title="Finding">
          <Badge tone={severity} text={severity} /> <b>{rule}</b>: {verdict} {advice}
        </Row>
      ))}
    </dl>
  )
}

function GapRow({ name }: { readonly name: GapName }) {
  const { store } = useConsole()
  const chosen = store.gaps.value?.[name]
  return (
    <Row title="Left open">
      <code>{name}</code>: {gapDescriptions[name].about}
      <br />
      <span class="hint">
        {chosen === undefined ? '' : `Now ${chosen}. `}Choices: {choicesText(gaps[name])}
      </span>
    </Row>
  )
}

function Row({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
