import { useState } from 'preact/hooks'
import { operationNames } from '../../contract/endpoints.ts'
import type { FaultSettings } from '../../faults/fault-rules.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import type { Fault } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import { Button } from '../parts/controls/button.tsx'
import { DataForm, Select, TextInput, type Typed } from '../parts/controls/data-form.tsx'
import { Dialog, useDialog } from '../parts/controls/dialog.tsx'
import { Badge } from '../parts/display.tsx'
import {
  effectText,
  faultNamed,
  faultNames,
  faultTexts,
  isWaiting,
  quickFaults,
  targetText,
} from './fault-texts.ts'

/** Lets requests go wrong at a click, or as a form says; and the faults that do so. */
export function Faults() {
  const { store, file } = useConsole()
  const { dialog, open } = useDialog()
  const add = (): void =>
    open((close) => (
      <Dialog title="Add a fault" onClose={close}>
        <FaultForm first={{}} onClose={close} />
      </Dialog>
    ))
  return (
    <section class="stack" aria-labelledby="faults">
      <header class="row">
        <h2 id="faults" class="title">
          Make it fail
        </h2>
      </header>
      {file === undefined ? <QuickFaults onMore={add} /> : null}
      <FaultList faults={store.faults.value} />
      {dialog}
    </section>
  )
}

/** The faults that are asked for most, each a button. */
function QuickFaults({ onMore }: { readonly onMore: () => void }) {
  const { run } = useAction()
  const [isOnce, setOnce] = useState(true)
  const which = isOnce ? 'The next request' : 'Every request'
  const choice = (text: string, value: boolean) => (
    <label class="group check">
      <input
        type="radio"
        name="fault-span"
        checked={isOnce === value}
        onChange={() => setOnce(value)}
      />
      {text}
    </label>
  )
  return (
    <>
      <fieldset class="row">
        <legend class="unseen">Which requests</legend>
        {choice('the next request', true)}
        {choice('every request', false)}
      </fieldset>
      <div class="group">
        {quickFaults.map(({ name, fault }) => (
          <Button
            key={name}
            onClick={() =>
              void run(
                ({ faults }) => faults.add({ ...fault, times: isOnce ? 1 : null }),
                `${which} fails: ${effectText(fault)}`,
              )
            }
          >
            {name}
          </Button>
        ))}
        <Button onClick={onMore}>Another fault…</Button>
      </div>
    </>
  )
}

/** The faults in the order in which they were added, and what each has done; those that are over last. */
function FaultList({ faults }: { readonly faults: readonly Fault[] }) {
  const { file } = useConsole()
  const { run } = useAction()
  if (faults.length === 0) return <p class="hint">No fault is set.</p>
  const waiting = faults.filter(isWaiting)
  const over = faults.filter((fault) => !isWaiting(fault))
  return (
    <>
      <ul class="list" aria-label="Faults">
        {[...waiting, ...over].map((fault) => (
          <li key={fault.id} class={isWaiting(fault) ? 'row' : 'row over'}>
            <Badge tone={isWaiting(fault) ? 'broken' : 'neutral'} text={effectText(fault)} />
            <span class="hint grow">
              #{fault.id} · {targetText(fault)} · {hitsText(fault)}
            </span>
            {file !== undefined ? null : (
              <Button
                kind="quiet"
                label={`Remove fault ${fault.id}`}
                onClick={() =>
                  void run((client) => client.faults.remove(fault.id), `Fault ${fault.id} removed`)
                }
              >
                ✕
              </Button>
            )}
          </li>
        ))}
      </ul>
      {file !== undefined || faults.length < 2 ? null : (
        <div class="group">
          <Button onClick={() => void run((client) => client.faults.clear(), 'All faults removed')}>
            Remove all
          </Button>
          {over.length === 0 || waiting.length === 0 ? null : (
            <Button
              onClick={() =>
                void run(
                  (client) => Promise.all(over.map(({ id }) => client.faults.remove(id))),
                  `${countText(over.length, 'fault')} removed`,
                )
              }
            >
              Remove those that are over
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function hitsText(fault: Fault): string {
  if (!isWaiting(fault)) return 'over'
  return fault.struck === 0 ? 'no hit yet' : countText(fault.struck, 'hit')
}

interface FaultFormProps {
  /** What it begins with, by field. */
  readonly first: Typed
  readonly onClose: () => void
}

const all = (names: readonly string[]) => [['', 'all'] as const, ...names]

/** Describes a fault, of any kind, and adds it. */
export function FaultForm({ first, onClose }: FaultFormProps) {
  const { store } = useConsole()
  const [kind, setKind] = useState(faultNamed(first.fault) ?? 'status')
  return (
    <DataForm<FaultSettings>
      label="Fault"
      verb="Add the fault"
      done="Fault added"
      send={({ faults }, fault) => faults.add(fault)}
      onClose={onClose}
    >
      <Select
        name="fault"
        label="What goes wrong"
        options={faultNames.map((name) => [name, `${name}: ${faultTexts[name]}`] as const)}
        value={kind}
        onChange={(name) => setKind(faultNamed(name) ?? kind)}
      />
      {kind === 'status' ? (
        <div class="columns fields">
          <TextInput
            name="status"
            label="Status"
            hint="From 400 to 599"
            type="number"
            required
            value={first.status ?? '500'}
          />
          <TextInput name="retryAfter" label="Retry-After" hint="Such as 30s; empty for none" />
        </div>
      ) : null}
      {kind === 'latency' || kind === 'slow-body' ? (
        <TextInput
          name="ms"
          label="How long"
          hint={`Such as 500ms or 2s${kind === 'latency' ? ', or a range: 1s-3s' : ''}`}
          required
          value="2s"
        />
      ) : null}
      {kind === 'disconnect' ? (
        <Select
          name="when"
          label="When"
          options={[
            ['before', 'before the reply'],
            ['body', 'in the middle of its body'],
          ]}
        />
      ) : null}
      <div class="columns fields">
        <Select
          name="operation"
          label="Operation"
          options={all(operationNames)}
          value={first.operation}
        />
        <TextInput
          name="method"
          label="Method"
          hint="Such as GET; empty for all"
          value={first.method}
        />
        <Select
          name="key"
          label="Key"
          options={all(store.keys.value.map(({ key }) => key))}
          value={first.key}
        />
      </div>
      <div class="columns fields">
        <TextInput
          name="times"
          label="How many times"
          hint="Empty for every time"
          type="number"
          value="1"
        />
        <TextInput name="after" label="After" hint="How many pass first" type="number" />
        <TextInput
          name="probability"
          label="Probability"
          hint="From 0 to 1; empty for always"
          type="number"
          step="any"
        />
      </div>
    </DataForm>
  )
}
