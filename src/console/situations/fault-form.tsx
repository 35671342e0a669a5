import { useState } from 'preact/hooks'
import { operationNames } from '../../contract/endpoints.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import {
  type FaultDraft,
  faultNamed,
  faultNames,
  faultOf,
  faultTexts,
} from '../model/situations/fault-texts.ts'
import { Button } from '../parts/controls/button.tsx'
import { Field, Form } from '../parts/controls/field.tsx'

interface FaultFormProps {
  readonly first: FaultDraft
  /** Whether it says which requests the fault strikes, or they are known. */
  readonly target: 'asked' | 'known'
  /** Called when the fault is added, and when nobody wants it any more. */
  readonly onDone: () => void
}

/** Describes a fault, of any kind, and adds it. */
export function FaultForm({ first, target, onDone }: FaultFormProps) {
  const [draft, setDraft] = useState(first)
  const { run, isBusy } = useAction()
  const change = (changes: Partial<FaultDraft>): void => setDraft({ ...draft, ...changes })
  const submit = async (): Promise<void> => {
    const isAdded = await run(
      (client) => client.faults.add(faultOf(draft)),
      'The fault waits for its request',
    )
    if (isAdded) onDone()
  }
  return (
    <Form label="Fault" onSubmit={() => void submit()}>
      <Field label="What goes wrong">
        {(input) => (
          <select
            {...input}
            value={draft.fault}
            onChange={({ currentTarget: { value } }) =>
              change({ fault: faultNamed(value) ?? draft.fault })
            }
          >
            {faultNames.map((name) => (
              <option key={name} value={name}>
                {name}: {faultTexts[name].about}
              </option>
            ))}
          </select>
        )}
      </Field>
      <SettingField draft={draft} change={change} />
      {target === 'asked' ? <TargetFields draft={draft} change={change} /> : null}
      <Field label="How many times" hint="Empty for every time">
        {(input) => (
          <input
            {...input}
            type="number"
            min={1}
            value={draft.times}
            onInput={({ currentTarget }) => change({ times: currentTarget.value })}
          />
        )}
      </Field>
      <div class="actions">
        <Button kind="primary" type="submit" disabled={isBusy}>
          Add the fault
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </Form>
  )
}

interface PartProps {
  readonly draft: FaultDraft
  readonly change: (changes: Partial<FaultDraft>) => void
}

/** What the kind of the fault asks for, if anything. */
function SettingField({ draft, change }: PartProps) {
  switch (faultTexts[draft.fault].setting) {
    case 'status':
      return (
        <div class="side-by-side">
          <Field label="Status" hint="From 400 to 599">
            {(input) => (
              <input
                {...input}
                type="number"
                min={400}
                max={599}
                required
                value={draft.status}
                onInput={({ currentTarget }) => change({ status: currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Retry-After" hint="A duration, such as 30s; empty for none">
            {(input) => (
              <input
                {...input}
                value={draft.retryAfter}
                onInput={({ currentTarget }) => change({ retryAfter: currentTarget.value })}
              />
            )}
          </Field>
        </div>
      )
    case 'ms':
      return (
        <Field label="How long" hint="A duration, such as 500ms or 2s, or a range: 1s-3s">
          {(input) => (
            <input
              {...input}
              required
              value={draft.ms}
              onInput={({ currentTarget }) => change({ ms: currentTarget.value })}
            />
          )}
        </Field>
      )
    case 'when':
      return (
        <Field label="When">
          {(input) => (
            <select
              {...input}
              value={draft.when}
              onChange={({ currentTarget: { value } }) =>
                change({ when: value === 'body' ? 'body' : 'before' })
              }
            >
              <option value="before">before the reply</option>
              <option value="body">in the middle of its body</option>
            </select>
          )}
        </Field>
      )
    default:
      return null
  }
}

/** Which requests the fault strikes. */
function TargetFields({ draft, change }: PartProps) {
  const { store } = useConsole()
  return (
    <div class="side-by-side">
      <Field label="Operation">
        {(input) => (
          <select
            {...input}
            value={draft.operation ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ operation: operationNames.find((name) => name === value) })
            }
          >
            <option value="">all</option>
            {operationNames.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Key">
        {(input) => (
          <select
            {...input}
            value={draft.key}
            onChange={({ currentTarget }) => change({ key: currentTarget.value })}
          >
            <option value="">all</option>
            {store.keys.value.map(({ key }) => (
              <option key={key} value={key}>
                {key}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}
