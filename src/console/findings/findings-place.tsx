import { useMemo } from 'preact/hooks'
import {
  type FindingGroup,
  findingsReport,
  groupFindings,
  severitiesText,
} from '../../checks/reports/findings.ts'
import { junitReport, markdownReport } from '../../checks/reports/formats.ts'
import { countText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { grouped } from '../../mock/input/record.ts'
import { formatCount } from '../../mock/input/values.ts'
import { useConsole } from '../live/console-context.ts'
import { useThrottled } from '../live/throttle.ts'
import { useResponse } from '../live/use-client.ts'
import { outcomeText, reasonOf } from '../model/entry-text.ts'
import { reasonKey, testOf } from '../model/filter-entries.ts'
import { linkTo } from '../model/route.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { Empty, Pill, Problem } from '../parts/display.tsx'
import { RuleLink, SourceLink } from '../parts/document-link.tsx'
import { Menu } from '../parts/popover.tsx'
import { RequestLinks } from '../parts/request-links.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { Sign } from '../parts/sign.tsx'
import { NotExercised } from './not-exercised.tsx'

/** Place for client errors: broken rules, error responses, and situations never exercised. */
export function FindingsPlace() {
  const { store, sandbox, isPanel, run } = useConsole()
  // In a page, rules are checked only after the first call of `findings()`.
  const { result, problem } = useResponse(async (client) => {
    await client.findings()
    await store.refresh()
    return true
  }, [])
  const live = store.findings.value
  const entries = store.entries.value
  const all = useMemo(() => ({ findings: live, entries }), [live, entries])
  const shown = useThrottled(all)
  const findings = shown.findings.filter(({ beforeReset }) => beforeReset !== true)
  const earlier = shown.findings.filter(({ beforeReset }) => beforeReset === true)
  const past = earlier.slice(store.cleared.value)
  const groups = groupFindings(findings)
  const save = (format: 'json' | 'xml', text: string): void =>
    saveFile(fileName(sandbox, store.status.peek()?.clock.now ?? '', `findings.${format}`), text)
  const checked = store.status.value?.findings?.checked ?? 0
  const isKnown = findings.length > 0 || result !== undefined
  return (
    <div class="stack wide">
      <header class="row">
        <h2 class="title">
          {findings.length > 0 ? severitiesText(findings) : isKnown ? 'No findings' : 'Findings'}{' '}
          {isKnown ? <span class="hint">in {countText(checked, 'request')}</span> : null}
        </h2>
        <div class="group end">
          {groups.length === 0 ? null : (
            <Menu
              text={
                <>
                  Save <Sign name="down" />
                </>
              }
              label="Save findings"
              items={[
                [
                  'Save JSON',
                  () => save('json', `${JSON.stringify({ findings }, undefined, 2)}\n`),
                ],
                ['Save JUnit', () => save('xml', junitReport(findingsReport(groups)))],
              ]}
            >
              <CopyButton
                what="all as Markdown"
                text={() => markdownReport(findingsReport(groups))}
              />
            </Menu>
          )}
        </div>
      </header>
      {groups.length > 0 ? (
        <FindingList groups={groups} entries={shown.entries} />
      ) : !isKnown ? (
        <Problem text={problem} />
      ) : checked === 0 ? (
        <Empty
          title="Nothing to check yet"
          text="Each request is checked as it comes: whether the client waits as long as Retry-After says, retries what it may, keeps its key to itself."
        />
      ) : (
        <p class="box calm">The clients keep to the spec: no rule has found anything so far.</p>
      )}
      <ErrorResponses entries={shown.entries} />
      {isPanel || run !== undefined ? null : <NotExercised />}
      {past.length === 0 ? null : (
        <section class="stack" aria-labelledby="past">
          <header class="row">
            <h2 id="past">Before the reset</h2>
            <p class="hint">{severitiesText(past)}; their requests are gone.</p>
            <Button onClick={() => store.clear(earlier.length)}>Clear</Button>
          </header>
          <FindingList groups={groupFindings(past)} entries={[]} />
        </section>
      )}
    </div>
  )
}

interface FindingListProps {
  readonly groups: readonly FindingGroup[]
  /** Requests that are still in the log. */
  readonly entries: readonly RequestView[]
}

/** Maximum number of messages shown for a rule. */
const maxMessages = 5

/** A row for each rule, the first one open. */
function FindingList({ groups, entries }: FindingListProps) {
  return (
    <div class="list findings-list">
      {groups.map((group, at) => (
        <FindingLine key={group.rule} group={group} entries={entries} isOpen={at === 0} />
      ))}
    </div>
  )
}

interface FindingLineProps extends Omit<FindingListProps, 'groups'> {
  readonly group: FindingGroup
  readonly isOpen: boolean
}

/** Findings of a rule: their number, requests and tests, and advice. */
function FindingLine({ group, entries, isOpen }: FindingLineProps) {
  const { store, sentFrom } = useConsole()
  const { rule, severity, findings, messages, advice, sources, requests } = group
  const shown = messages.slice(0, maxMessages)
  const marks = store.marks.value
  const tests = new Set(
    entries
      .filter(({ id }) => requests.includes(id))
      .flatMap((entry) => testOf(entry, marks) ?? []),
  )
  const placesOf = (ids: readonly number[]): ReadonlySet<string> =>
    new Set(
      entries.filter(({ id }) => ids.includes(id)).flatMap((entry) => sentFrom?.(entry) ?? []),
    )
  const count = findings.length >= 100 ? '100 or more' : String(findings.length)
  return (
    <details name="finding" open={isOpen}>
      <summary class="bar">
        <Pill tone={severity} text={severity} />
        <b class="grow">{ruleName(rule)}</b>
        {[...tests].slice(0, 2).map((test) => (
          <span key={test} class="tag">
            {test}
          </span>
        ))}
        <span class="number">×{count}</span>
      </summary>
      <div class="stack finding-body">
        <ul class="stack">
          {shown.map(({ message, count: times, requests: ids }) => (
            <li key={message}>
              {message} <RequestLinks ids={ids} />
              {times > 1 ? <span class="hint"> ×{times}</span> : null}
              {[...placesOf(ids)].slice(0, 2).map((frame) => (
                <code key={frame} class="sent-from hint">
                  {frame}
                </code>
              ))}
            </li>
          ))}
          {messages.length > shown.length ? (
            <li class="hint">And {messages.length - shown.length} more of this kind.</li>
          ) : null}
        </ul>
        <p>
          <b>Do instead: </b>
          {advice}
        </p>
        <p class="row hint">
          <code>{rule}</code>
          {sources.map((source) => (
            <SourceLink key={source} source={source} />
          ))}
          <RuleLink rule={rule} />
          <CopyButton what="as Markdown" text={() => markdownReport(findingsReport([group]))} />
        </p>
      </div>
    </details>
  )
}

/** Returns the name of a rule for people: *Retry too early* for `retry-too-early`. */
function ruleName(rule: string): string {
  const words = rule.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Error responses by their reason, the most frequent first. */
function ErrorResponses({ entries }: { readonly entries: readonly RequestView[] }) {
  const { store } = useConsole()
  const rejected = entries.filter((entry) => outcomeText(entry).tone !== 'good')
  if (rejected.length === 0) return null
  const reasons = [...grouped(rejected, reasonKey)].sort(
    ([, one], [, other]) => other.length - one.length,
  )
  const sent = grouped(entries, ({ operation }) => operation ?? 'to other paths')
  return (
    <section class="stack" aria-labelledby="errors">
      <h2 id="errors">
        Error responses{' '}
        <span class="hint">
          {formatCount(rejected.length)} of {formatCount(entries.length)}
        </span>
      </h2>
      <ul class="list">
        {reasons.map(([reason, own]) => {
          const [first] = own
          if (first === undefined) return null
          const operation = first.operation ?? 'to other paths'
          return (
            <li key={reason} class="bar error-line">
              <Pill {...outcomeText(first)} />
              <a class="grow one-line" href={linkTo('requests', [], { reason })}>
                {reasonOf(first, store.keyOf.value(first)).text || reason}
              </a>
              <span class="hint">
                {formatCount(own.length)} of {formatCount(sent.get(operation)?.length ?? 0)}{' '}
                {operation}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
