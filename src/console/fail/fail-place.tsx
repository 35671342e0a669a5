import { useState } from 'preact/hooks'
import { countText } from '../../checks/reports/text.ts'
import { endpoints, type OperationName, operationNames } from '../../mock/api/endpoints.ts'
import { useConsole } from '../live/console-context.ts'
import { isWaiting } from '../live/live-store.ts'
import { useAction, useResponse } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'
import { Sign } from '../parts/sign.tsx'
import { FaultForm } from './fault-form.tsx'
import { effectText, quickFaults, targetText } from './fault-texts.ts'

/** Place for faults and scenarios: the faults that wait, a sentence that adds one, and scenario cards. */
export function FailPlace() {
  return (
    <div class="stack sections">
      <WaitingFaults />
      <Sentence />
      <Scenarios />
    </div>
  )
}

/** Faults that may still be applied, each with ✕. */
function WaitingFaults() {
  const { store } = useConsole()
  const run = useAction()
  const faults = store.faults.value.filter(isWaiting)
  if (faults.length === 0) return null
  return (
    <section class="stack" aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      <ul class="list" aria-labelledby="faults">
        {faults.map((fault) => (
          <li key={fault.id} class="bar fault">
            <Sign name="fault" />
            <p class="grow">
              {effectText(fault)}{' '}
              <span class="hint">
                {targetText(fault)} ·{' '}
                {fault.applied === 0 ? 'not yet' : countText(fault.applied, 'time')} · #{fault.id}
              </span>
            </p>
            <Button
              kind="quiet"
              label={`Remove fault ${fault.id}`}
              onClick={() => void run((client) => client.faults.remove(fault.id))}
            >
              <Sign name="close" />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Numbers of requests that a fault of the sentence is applied to, as text; all for an empty one. */
const amounts: Readonly<Record<string, string>> = {
  1: 'The next request',
  3: 'The next 3 requests',
  '': 'Every request',
}

/** A fault as a sentence: "[The next request] to [any path] with [any key] [gets 503]". */
function Sentence() {
  const { store } = useConsole()
  const run = useAction()
  const { dialog, open } = useDialog()
  const [times, setTimes] = useState('1')
  const [operation, setOperation] = useState<OperationName | undefined>(undefined)
  const [key, setKey] = useState('')
  const [at, setAt] = useState(1)
  const chosen = quickFaults[at]
  const arm = (): void => {
    if (chosen === undefined) return
    const fault = {
      ...chosen.fault,
      times: times === '' ? null : Number(times),
      operation: operation ?? null,
      key: key || null,
    }
    const which = amounts[times] ?? ''
    void run(({ faults }) => faults.add(fault), `Armed: ${which.toLowerCase()} ${chosen.name}`)
  }
  const add = (): void =>
    open((close) => (
      <Dialog title="Add a fault" onClose={close}>
        <FaultForm first={{}} onClose={close} />
      </Dialog>
    ))
  const choice = (
    label: string,
    value: string,
    onChoose: (value: string) => void,
    options: readonly (readonly [string, string])[],
  ) => (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  )
  return (
    <section class="box sentence" aria-label="Add a fault">
      <p class="row">
        {choice('Which requests', times, setTimes, Object.entries(amounts))}
        <span>to</span>
        {choice(
          'Operation',
          operation ?? '',
          (name) => setOperation(operationNames.find((one) => one === name)),
          [
            ['', 'any path'],
            ...operationNames.map((name) => {
              const { method, path } = endpoints[name]
              return [name, `${method} ${path}`] as const
            }),
          ],
        )}
        <span>with</span>
        {choice('Key', key, setKey, [
          ['', 'any key'],
          ...store.keys.value.map((one) => [one.key, one.key] as const),
        ])}
        {choice(
          'What happens',
          String(at),
          (value) => setAt(Number(value)),
          quickFaults.map(({ name }, index) => [String(index), name] as const),
        )}
        <Button kind="primary" onClick={arm}>
          Arm
        </Button>
        <Button kind="quiet" onClick={add}>
          More…
        </Button>
      </p>
      {dialog}
    </section>
  )
}

/** Scenarios as cards with a button to set each up, for all keys or one; those in force can be stopped. */
function Scenarios() {
  const { store } = useConsole()
  const run = useAction()
  const [key, setKey] = useState<string | undefined>(undefined)
  const changes = [key, store.scenarios.value, store.faults.value, store.keys.value]
  const { result } = useResponse(
    async (client) => (key === undefined ? undefined : await client.scenarios({ key })),
    changes,
  )
  const all = (key === undefined ? undefined : result) ?? store.scenarios.value
  return (
    <section class="stack" aria-labelledby="scenarios">
      <header class="row">
        <h2 id="scenarios">Scenarios</h2>
        <label class="group hint">
          for
          <select
            value={key ?? ''}
            onChange={({ currentTarget }) => setKey(currentTarget.value || undefined)}
          >
            <option value="">all keys</option>
            {store.keys.value.map((one) => (
              <option key={one.key} value={one.key}>
                {one.key}
              </option>
            ))}
          </select>
        </label>
      </header>
      <ul class="columns scenarios">
        {all.map(({ name, title, summary, of, inForce }) => (
          <li key={name} class={`box card ${inForce ? 'current' : ''}`}>
            <b>{title}</b>
            <span class="hint">{summary}</span>
            {inForce ? (
              <Button
                label={`Stop: ${title}`}
                onClick={() =>
                  void run(
                    (client) => client.stopScenario(name, of === 'everyone' ? {} : { key }),
                    `Stopped: ${title}`,
                  )
                }
              >
                Stop
              </Button>
            ) : (
              <Button
                label={`Set up: ${title}`}
                onClick={() =>
                  void run(
                    (client) => client.scenario(name, of === 'everyone' ? {} : { key }),
                    `Set up: ${title}`,
                  )
                }
              >
                Set up
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
