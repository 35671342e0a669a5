import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { Badge } from '../../../console/parts/badge.tsx'
import { Button } from '../../../console/parts/controls/button.tsx'
import { quickFaults } from '../../../console/situations/fault-texts.ts'
import type { FaultSettings } from '../../../faults/fault-rules.ts'
import type { Fault } from '../../../state/faults.ts'
import type { PartProps } from '../part-props.ts'

const spans = [
  { isOnce: true, name: 'next request' },
  { isOnce: false, name: 'all requests' },
] as const

/** Makes requests go wrong, and shows what will. */
export function Faults({ store }: PartProps): VNode {
  const isOnce = useSignal(true)
  const { faults } = store.sandbox
  const add = (name: string, fault: FaultSettings): void => {
    const times = isOnce.value ? { times: 1 } : {}
    const which = isOnce.value ? 'The next request goes' : 'All requests go'
    store.act(`${which} wrong: ${name}.`, () => faults.add({ ...fault, ...times }))
  }
  return (
    <section aria-labelledby="faults">
      <h3 id="faults">Make it fail</h3>
      <fieldset class="row spans">
        <legend class="unseen">Which requests</legend>
        {spans.map((span) => (
          <label key={span.name}>
            <input
              type="radio"
              name="span"
              checked={span.isOnce === isOnce.value}
              onChange={() => {
                isOnce.value = span.isOnce
              }}
            />
            {span.name}
          </label>
        ))}
      </fieldset>
      <div class="row">
        {quickFaults.map(({ name, fault }) => (
          <Button key={name} onClick={() => add(name, fault)}>
            {name}
          </Button>
        ))}
      </div>
      <Active store={store} />
    </section>
  )
}

/** The faults that may still strike. */
function Active({ store }: PartProps): VNode | null {
  const { faults } = store.sight.value
  if (faults.length === 0) return null
  const { sandbox } = store
  return (
    <>
      <ul class="active" aria-label="Faults in force">
        {faults.map((fault) => (
          <li key={fault.id}>
            <Badge tone="broken" text={nameOf(fault)} />
            <span class="quiet">{spanOf(fault)}</span>
            <Button
              label={`Remove ${nameOf(fault)}`}
              onClick={() =>
                store.act(`${nameOf(fault)} is removed.`, () => sandbox.faults.remove(fault.id))
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Button
        onClick={() => store.act('There are no faults any more.', () => sandbox.faults.clear())}
      >
        Clear all
      </Button>
    </>
  )
}

function nameOf(fault: Fault): string {
  return fault.fault === 'status' ? `status ${fault.status ?? 500}` : fault.fault
}

function spanOf({ times, struck, probability }: Fault): string {
  const share = probability === undefined || probability === 1 ? '' : `${probability * 100} % of `
  const left = typeof times !== 'number' ? 'all requests' : `${times - struck} more`
  return `${share}${left}, ${struck} so far`
}
