import { useState } from 'preact/hooks'
import { type Plan, plans } from '../../contract/plans.ts'
import type { KeyChange } from '../../control/keys.ts'
import { namesOf } from '../../input/record.ts'
import type { NewKey } from '../../state/keys.ts'
import type { KeyView } from '../live/live-store.ts'
import { DataForm, Select, TextInput } from '../parts/controls/data-form.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'

/** The plans, as a select has them. */
export const planNames: readonly Plan[] = namesOf(plans)

/** Issues a key. */
export function IssueDialog({ onClose }: { readonly onClose: () => void }) {
  const [plan, setPlan] = useState('free')
  const hasOwn = planNames.some((name) => name === plan && plans[name] === 'custom')
  return (
    <Dialog title="Issue a key" onClose={onClose}>
      <DataForm<NewKey>
        label="Key"
        verb="Issue it"
        done="The key is issued"
        send={({ keys }, key) => keys.issue(key)}
        onClose={onClose}
      >
        <TextInput name="key" label="Key" hint="Empty for a random one" />
        <Select name="plan" label="Plan" options={planNames} value="free" onChange={setPlan} />
        <LimitsFields hint={hasOwn ? 'This plan has none of its own' : "Empty for the plan's"} />
        <TextInput
          name="expiresAt"
          label="Expires at"
          hint="Such as 2030-12-05T00:00:00Z; empty for never"
        />
      </DataForm>
    </Dialog>
  )
}

interface LimitsDialogProps {
  readonly view: KeyView
  /** The plan that it gets with them. */
  readonly plan: Plan
  readonly onClose: () => void
}

/** Gives a key limits of its own. */
export function LimitsDialog({ view: { key, limits }, plan, onClose }: LimitsDialogProps) {
  return (
    <Dialog title={`Limits of ${key}`} onClose={onClose}>
      <DataForm<Pick<KeyChange, 'limits'>>
        label="Limits"
        verb="Set the limits"
        done={`${key} has its own limits`}
        send={({ keys }, limits) => keys.change(key, { plan, ...limits })}
        onClose={onClose}
      >
        <LimitsFields values={limits} hint="Used requests stay used" />
      </DataForm>
    </Dialog>
  )
}

interface LimitsFieldsProps {
  readonly values?: KeyView['limits']
  readonly hint: string
}

/** Two fields for how many requests each window admits. */
function LimitsFields({ values, hint }: LimitsFieldsProps) {
  return (
    <div class="columns fields">
      {(['minute', 'day'] as const).map((name) => (
        <TextInput
          key={name}
          name={`limits.${name}`}
          label={`Requests in a ${name}`}
          hint={hint}
          type="number"
          value={values === undefined ? undefined : String(values[name])}
        />
      ))}
    </div>
  )
}
