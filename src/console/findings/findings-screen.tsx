import { useMemo, useState } from 'preact/hooks'
import { findingsReport, groupFindings, severitiesText } from '../../reports/findings.ts'
import { junitReport, markdownReport } from '../../reports/formats.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/throttle.ts'
import { useAsked } from '../live/use-asked.ts'
import { Button } from '../parts/controls/button.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import { usePause } from '../parts/controls/use-pause.tsx'
import { Empty } from '../parts/empty.tsx'
import { Problem } from '../parts/problem.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { FindingCard } from './finding-card.tsx'

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
        <Empty title="Nothing to judge yet">
          <p>
            Each request is judged as it comes: whether the client waits when it is told to, retries
            what it may, keeps its key to itself.
          </p>
        </Empty>
      ) : (
        <Empty title="The clients keep to the interface">
          <p>No rule has found anything so far.</p>
        </Empty>
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
            <FindingCard key={group.rule} group={group} entries={[]} />
          ))}
        </section>
      )}
    </div>
  )
}
