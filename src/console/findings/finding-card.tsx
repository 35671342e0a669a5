import { useId } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { type FindingGroup, findingsReport, type Saying } from '../../reports/findings.ts'
import { markdownReport } from '../../reports/formats.ts'
import { countText } from '../../reports/text.ts'
import { linkTo } from '../model/route.ts'
import { Badge } from '../parts/badge.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import { RuleLink, SourceLink } from '../parts/document-link.tsx'
import { Fact } from '../parts/fact.tsx'
import { Instant } from '../parts/time.tsx'

/** How many different verdicts of a rule are shown, and how many exchanges of each. */
const mostSayings = 5
const mostExchanges = 12

interface FindingCardProps {
  readonly group: FindingGroup
  /** The exchanges that are still known. */
  readonly entries: readonly JournalEntry[]
}

/** What a rule has found: how often, when, the proof, and what to do instead. */
export function FindingCard({ group, entries }: FindingCardProps) {
  const { rule, severity, findings, sayings, advice, sources } = group
  const id = useId()
  const more = sayings.length - mostSayings
  return (
    <section class="box stack finding" aria-labelledby={id}>
      <header class="row">
        <Badge tone={severity} text={severity} />
        <h2 id={id}>{rule}</h2>
        <span class="hint">{countText(findings.length, 'time')}</span>
        <Seen group={group} entries={entries} />
        <span class="end">
          <CopyButton what="as Markdown" text={() => markdownReport(findingsReport([group]))} />
        </span>
      </header>
      <ul class="stack">
        {sayings.slice(0, mostSayings).map((saying) => (
          <li key={saying.verdict}>
            {saying.verdict} <Proof saying={saying} />
          </li>
        ))}
        {more > 0 ? <li class="hint">And {more} more of this kind.</li> : null}
      </ul>
      <dl class="facts">
        <Fact title="What to do">{advice}</Fact>
        <Fact title="Source">
          <span class="row">
            {sources.map((source) => (
              <SourceLink key={source} source={source} />
            ))}
          </span>
        </Fact>
        <Fact title="More">
          <RuleLink rule={rule} />
        </Fact>
      </dl>
    </section>
  )
}

/** When it was found for the first and the last time, as a link to the requests of that span. */
function Seen({ group, entries }: FindingCardProps) {
  const instants = entries.filter(({ id }) => group.exchanges.includes(id)).map(({ at }) => at)
  const [from] = instants
  const to = instants.at(-1)
  if (from === undefined || to === undefined) return null
  return (
    <a class="seen" href={linkTo('requests', [], { show: 'findings', from, to })}>
      <span class="unseen">Show its requests, </span>
      <Instant at={from} />
      {from === to ? null : (
        <>
          {' – '}
          <Instant at={to} />
        </>
      )}
    </a>
  )
}

function Proof({ saying: { count, exchanges } }: { readonly saying: Saying }) {
  const more = exchanges.length - mostExchanges
  return (
    <span class="proof">
      {exchanges.slice(0, mostExchanges).map((id) => (
        <a key={id} href={linkTo('requests', [id])} aria-label={`Request ${id}`}>
          #{id}
        </a>
      ))}
      {more > 0 ? <span class="hint">and {more} more</span> : null}
      {count > 1 ? <span class="hint">× {count}</span> : null}
    </span>
  )
}
