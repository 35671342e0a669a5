import { useEffect, useState } from 'preact/hooks'
import { stepsUntil } from '../../checks/replay/replay-capture.ts'
import { vitestForm } from '../../checks/replay/vitest-form.ts'
import { countText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { ReadCapture } from '../../mock/controls/reports.ts'
import { useConsole } from '../live/console-context.ts'
import { outcomeText, reasonOf, requestText } from '../model/entry-text.ts'
import { linkTo } from '../model/route.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { useDialog } from '../parts/dialog.tsx'
import { Fact, Meter, Pill } from '../parts/display.tsx'
import { BodyText } from '../parts/json-text.tsx'
import { SandboxClock } from '../parts/time.tsx'
import { RequestLine } from '../requests/request-line.tsx'
import { WhatIfDialog } from '../requests/what-if-dialog.tsx'

interface RunBarProps {
  readonly capture: ReadCapture
  /** Ids of the requests, in the order in which they were sent. */
  readonly ids: readonly number[]
  /** Request after which the run is shown; `undefined` if the run has no requests. */
  readonly entry: RequestView | undefined
  /** Goes to the state after a request. */
  readonly onMove: (id: number) => void
  readonly onTakeOver: () => void
}

/** Elements in which the arrow keys have another effect. */
const ownArrows = 'input, select, textarea, pre, [role="slider"], [role="menu"], dialog'

/** Steps through a run, and shows the state of the sandbox after each request. */
export function RunBar({ capture, ids, entry, onMove, onTakeOver }: RunBarProps) {
  const id = entry?.id ?? 0
  const [wanted, setWanted] = useState(id)
  const { dialog, open } = useDialog()
  const at = Math.max(0, ids.indexOf(wanted))
  const moveTo = (index: number): void => {
    const next = ids[Math.min(Math.max(index, 0), ids.length - 1)]
    if (next === undefined || next === wanted) return
    setWanted(next)
    onMove(next)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, defaultPrevented, altKey, ctrlKey, metaKey } = event
      if (defaultPrevented || altKey || ctrlKey || metaKey) return
      if (target instanceof Element && target.closest(ownArrows) !== null) return
      if (key === 'ArrowLeft') moveTo(at - 1)
      if (key === 'ArrowRight') moveTo(at + 1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  if (entry === undefined) return <p class="hint">The run has no requests.</p>
  const text = `Request ${at + 1} of ${ids.length}`
  return (
    <section class="stack wide" aria-labelledby="run-title">
      <div class="stack">
        <header class="bar">
          <h2 id="run-title" class="grow">
            {text}
          </h2>
          <Button label="Previous request" disabled={at === 0} onClick={() => moveTo(at - 1)}>
            ←
          </Button>
          <Button
            label="Next request"
            disabled={at === ids.length - 1}
            onClick={() => moveTo(at + 1)}
          >
            →
          </Button>
        </header>
        <input
          class="slider"
          type="range"
          aria-label="Request"
          aria-valuetext={`${text}: ${requestText(entry)}`}
          min={1}
          max={ids.length}
          value={at + 1}
          onInput={({ currentTarget }) => moveTo(currentTarget.valueAsNumber - 1)}
        />
      </div>
      <ShownRequest entry={entry} />
      <StateAfter entry={entry} />
      <div class="group">
        <Button
          onClick={() => open((close) => <WhatIfDialog entry={entry} onClose={close} />)}
          about="Replays this request with another value at a gap"
        >
          What if…
        </Button>
        <CopyButton
          what="as a Vitest test"
          text={() => vitestForm({ ...capture, steps: stepsUntil(capture.steps, id) })}
        />
        <Button
          kind="primary"
          onClick={onTakeOver}
          about="Goes on from this state, with the form and all controls"
        >
          Take over from here
        </Button>
      </div>
      {dialog}
    </section>
  )
}

function ShownRequest({ entry }: { readonly entry: RequestView }) {
  const { store } = useConsole()
  const { text, tags } = reasonOf(entry, store.keyOf.value(entry))
  const body = 'body' in entry.outcome ? entry.outcome.body : ''
  return (
    <div class="box sent stack">
      <p class="row">
        <Pill {...outcomeText(entry)} />
        <a href={linkTo('requests', [entry.id])}>
          <RequestLine method={entry.request.method} target={entry.request.url} />
        </a>
      </p>
      <p class="reason">
        {text || 'Succeeded'}{' '}
        {tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </p>
      {entry.request.body === '' ? null : <BodyText body={entry.request.body} />}
      {body === '' ? null : <BodyText body={body} />}
    </div>
  )
}

/** State of the sandbox after a request: clock, pets, the key of the request, findings. */
function StateAfter({ entry }: { readonly entry: RequestView }) {
  const { store } = useConsole()
  const key = store.keyOf.value(entry)
  const view = store.keys.value.find((one) => one.key === key)
  const pets = store.status.value?.counts.pets
  const found = store.current.value.length
  return (
    <dl class="facts">
      <Fact title="Clock">
        <SandboxClock />
      </Fact>
      <Fact title="Pets">
        <a href={linkTo('data', ['pets'])}>{pets === undefined ? '' : countText(pets, 'pet')}</a>
      </Fact>
      <Fact title="Key">
        <a href={linkTo('data', ['keys'])}>{key}</a> {view?.state}
      </Fact>
      {view === undefined
        ? null
        : (['minute', 'day'] as const).map((window) => {
            const { limit, remaining } = view[window]
            const used = limit - remaining
            return (
              <Fact key={window} title={window === 'minute' ? 'Minute' : 'Day'}>
                <Meter
                  label={window}
                  used={used}
                  limit={limit}
                  text={`${used.toLocaleString('en')}/${limit.toLocaleString('en')}`}
                />
              </Fact>
            )
          })}
      <Fact title="Findings">
        <a href={linkTo('findings')}>{countText(found, 'finding')}</a>
      </Fact>
    </dl>
  )
}
