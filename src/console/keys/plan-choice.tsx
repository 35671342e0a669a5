import { useState } from 'preact/hooks'
import { type Plan, plans } from '../../contract/plans.ts'
import { namesOf } from '../../input/record.ts'
import type { KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-action.ts'
import { LimitsDialog } from './limits-dialog.tsx'

/** The plans, as a select has them. */
export const planNames: readonly Plan[] = namesOf(plans)

/** The plan of a key; the one without limits of its own asks for them. */
export function PlanChoice({ view }: { readonly view: KeyView }) {
  const { key, plan } = view
  const { run } = useAction()
  const [isAsking, setAsking] = useState(false)
  const choose = (next: Plan): void => {
    if (plans[next] === 'custom') setAsking(true)
    else void run(({ keys }) => keys.change(key, { plan: next }), `${key} is on the plan ${next}`)
  }
  return (
    <>
      <label class="bar-field">
        Plan
        <select
          value={plan}
          onChange={({ currentTarget: { value } }) => {
            const next = planNames.find((name) => name === value)
            if (next !== undefined) choose(next)
          }}
        >
          {planNames.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {isAsking ? (
        <LimitsDialog view={view} plan="enterprise" onClose={() => setAsking(false)} />
      ) : null}
    </>
  )
}
