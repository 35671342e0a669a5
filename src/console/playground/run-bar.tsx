import { useEffect } from 'preact/hooks'
import { stepsUntil } from '../../checks/replay/replay-capture.ts'
import { vitestForm } from '../../checks/replay/vitest-form.ts'
import { countText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { KeyState, KeyWindow } from '../data/keys-table.tsx'
import { useConsole } from '../live/console-context.ts'
import { requestText } from '../model/entry-text.ts'
import { linkTo } from '../model/route.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { useDialog } from '../parts/dialog.tsx'
import { Fact } from '../parts/display.tsx'
import { SandboxClock } from '../parts/time.tsx'
import { WhatIfDialog } from '../requests/what-if-dialog.tsx'
import { ShownRequest } from './shown-request.tsx'
import type { OpenRun } from './use-run.ts'

interface RunBarProps {
  readonly opened: OpenRun
  /** Goes to a step. */
  readonly onMove: (step: number) => void
  readonly onTakeOver: () => void
}

/** Elements in which the arrow keys have another effect. */
const ownArrows = 'input, select, textarea, pre, [role="slider"], [role="menu"], dialog'

/** Steps through a capture, and shows the state after each request. */
export function RunBar({
  opened: { capture, steps, step = 0, entry },
  onMove,
  onTakeOver,
}: RunBarProps) {
  const { dialog, open } = useDialog()
  const at = steps.indexOf(step)
  const moveBy = (count: number): void => {
    const next = steps[at + count]
    if (next !== undefined && count !== 0) onMove(next)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, defaultPrevented, altKey, ctrlKey, metaKey } = event
      if (defaultPrevented || altKey || ctrlKey || metaKey) return
      if (target instanceof Element && target.closest(ownArrows) !== null) return
      if (key === 'ArrowLeft') moveBy(-1)
      if (key === 'ArrowRight') moveBy(1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  if (steps.length === 0) return <p class="hint">The capture has no requests.</p>
  const text = `Request ${at + 1} of ${steps.length}`
  const move = (count: -1 | 1, label: string, sign: string) => (
    <Button
      label={`${label} request`}
      disabled={steps[at + count] === undefined}
      onClick={() => moveBy(count)}
    >
      {sign}
    </Button>
  )
  return (
    <section class="stack wide" aria-labelledby="run-title">
      <div class="stack">
        <header class="bar">
          <h2 id="run-title" class="grow">
            {text}
          </h2>
          {move(-1, 'Previous', '←')}
          {move(1, 'Next', '→')}
        </header>
        <input
          class="slider"
          type="range"
          aria-label="Request"
          aria-valuetext={entry === undefined ? text : `${text}: ${requestText(entry)}`}
          min={1}
          max={steps.length}
          value={at + 1}
          onInput={({ currentTarget }) => moveBy(currentTarget.valueAsNumber - 1 - at)}
        />
      </div>
      {entry === undefined ? null : (
        <div class="group">
          <Button
            onClick={() => open((close) => <WhatIfDialog entry={entry} onClose={close} />)}
            hint="Replays this request with another value at a gap"
          >
            What if…
          </Button>
          <CopyButton
            what="as a Vitest test"
            text={() => vitestForm({ ...capture, steps: stepsUntil(capture.steps, entry.id) })}
          />
          <Button
            kind="primary"
            onClick={onTakeOver}
            hint="Goes on from this state, with the form and all controls"
          >
            Take over from here
          </Button>
        </div>
      )}
      {entry === undefined ? null : <ShownRequest entry={entry} />}
      {entry === undefined ? null : <StateAfter entry={entry} />}
      {dialog}
    </section>
  )
}

interface StateAfterProps {
  readonly entry: RequestView
}

/** State of the sandbox after a request: clock, pets, the key of the request, findings. */
function StateAfter({ entry }: StateAfterProps) {
  const { store } = useConsole()
  const key = store.keyOf.value(entry)
  const view = store.keys.value.find((one) => one.key === key)
  const windows = view ?? { [entry.quota.window]: entry.quota }
  return (
    <dl class="facts">
      <Fact title="Clock">
        <SandboxClock />
      </Fact>
      <Fact title="Key">
        {view === undefined ? (
          key
        ) : (
          <>
            <a href={linkTo('data', ['keys'])}>{key}</a> <KeyState view={view} />
          </>
        )}
      </Fact>
      {(['minute', 'day'] as const).map((name) => (
        <Fact key={name} title={name === 'minute' ? 'Minute' : 'Day'}>
          {windows[name] && <KeyWindow label={name} window={windows[name]} />}
        </Fact>
      ))}
      <Fact title="Pets">
        <a href={linkTo('data', ['pets'])}>
          {countText(store.status.value?.counts.pets ?? 0, 'pet')}
        </a>
      </Fact>
      <Fact title="Findings">
        <a href={linkTo('findings')}>{countText(store.current.value.length, 'finding')}</a>
      </Fact>
    </dl>
  )
}
