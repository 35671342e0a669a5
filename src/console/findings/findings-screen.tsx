import { useId, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import {
  type FindingGroup,
  findingsReport,
  groupFindings,
  type Saying,
  severitiesText,
} from '../../reports/findings.ts'
import { junitReport, markdownReport } from '../../reports/formats.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/throttle.ts'
import { useAsked } from '../live/use-client.ts'
import { linkTo } from '../model/route.ts'
import { Button, CopyButton } from '../parts/controls/button.tsx'
import { usePause } from '../parts/controls/filters.tsx'
import { Badge, Empty, Fact, Problem } from '../parts/display.tsx'
import { RuleLink, SourceLink } from '../parts/document-link.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { Instant } from '../parts/time.tsx'

/** Which rules of the interface the clients broke, by rule. */
export function FindingsScreen() {
  const { store, sandbox } = useConsole()
  const [oneClient, setOneClient] = useState(false)
  const live = store.findings.value
  const { answer, problem } = useAsked((client) => client.audit({ oneClient }), [live, oneClient])
  const entries = store.entries.value
  const found = useMemo(() => ({ findings: answer ?? live, entries }), [answer, live, entries])
  const { shown, pause } = usePause(useCalm(found))
  const findings = shown.findings.filter(({ beforeReset }) => beforeReset !== true)
  const earlier = shown.findings.filter(({ beforeReset }) => beforeReset === true)
  const uncleared = earlier.slice(store.cleared.value)
  const groups = groupFindings(findings)
  const past = groupFindings(uncleared)
  const save = (format: 'json' | 'xml', text: string): void =>
    saveFile(fileName(sandbox, store.status.peek()?.clock.now ?? '', `findings.${format}`), text)
  const judged = store.status.value?.findings?.judged ?? 0
  const nothing = past.length > 0 ? 'Nothing new since the reset' : 'Nothing found'
  const title = findings.length > 0 ? severitiesText(findings) : nothing
  return (
    <div class="stack wide">
      <div class="row">
        <p>
          <b class="title">{title}</b>
          {judged === 0 || past.length > 0 ? null : ` in ${countText(judged, 'request')}`}
        </p>
        <label
          class="group check"
          title="Judge a key as a single client, even if it has several requests under way at once"
        >
          <input
            type="checkbox"
            checked={oneClient}
            onChange={({ currentTarget }) => setOneClient(currentTarget.checked)}
          />
          Judge each key as one client
        </label>
        <div class="group end">
          {groups.length === 0 ? null : (
            <>
              <CopyButton
                what="all as Markdown"
                text={() => markdownReport(findingsReport(groups))}
              />
              <Button
                onClick={() =>
                  save('json', `${JSON.stringify({ findings: shown.findings }, undefined, 2)}\n`)
                }
              >
                Download JSON
              </Button>
              <Button onClick={() => save('xml', junitReport(findingsReport(groups)))}>
                Download JUnit
              </Button>
            </>
          )}
          {pause}
        </div>
      </div>
      <Problem text={problem} />
      {groups.map((group) => (
        <FindingCard key={group.rule} group={group} entries={shown.entries} />
      ))}
      {groups.length > 0 || past.length > 0 ? null : judged === 0 ? (
        <Empty
          title="Nothing to judge yet"
          text="Each request is judged as it comes: whether the client waits when it is told to, retries what it may, keeps its key to itself."
        />
      ) : (
        <Empty
          title="The clients keep to the interface"
          text="No rule has found anything so far."
        />
      )}
      {past.length === 0 ? null : (
        <section class="stack" aria-labelledby="past">
          <div class="row">
            <h2 id="past" class="title">
              Before the reset
            </h2>
            <p class="hint">{severitiesText(uncleared)}; their requests are gone.</p>
            <Button
              onClick={() => {
                store.cleared.value = earlier.length
              }}
            >
              Clear
            </Button>
          </div>
          {past.map((group) => (
            <FindingCard key={group.rule} group={group} entries={[]} within="past" />
          ))}
        </section>
      )}
    </div>
  )
}

/** How many different verdicts of a rule are shown, and how many exchanges of each. */
const mostSayings = 5
const mostExchanges = 12

interface FindingCardProps {
  readonly group: FindingGroup
  /** The exchanges that are still known. */
  readonly entries: readonly JournalEntry[]
  /** The id of the heading that its name needs, too. */
  readonly within?: string
}

/** What a rule has found: how often, when, the proof, and what to do instead. */
function FindingCard({ group, entries, within = '' }: FindingCardProps) {
  const { rule, severity, findings, sayings, advice, sources } = group
  const id = useId()
  const more = sayings.length - mostSayings
  return (
    <section class="box stack finding" aria-labelledby={`${id} ${within}`}>
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
