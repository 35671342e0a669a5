import { useState } from 'preact/hooks'
import type { Plan } from '../../contract/plans.ts'
import type { KeyView } from '../live/live-store.ts'
import { Dialog } from '../parts/controls/dialog.tsx'
import { Form } from '../parts/controls/field.tsx'
import { FormActions } from '../parts/controls/form-actions.tsx'
import { useForm } from '../parts/controls/use-form.ts'
import { LimitsFields, limitsTyped } from './limits-fields.tsx'

interface LimitsDialogProps {
  readonly view: KeyView
  /** The plan that it gets with them. */
  readonly plan: Plan
  readonly onClose: () => void
}

const fields = {
  minute: 'limits',
  day: 'limits.day',
}

/** Gives a key limits of its own. */
export function LimitsDialog({ view: { key, limits }, plan, onClose }: LimitsDialogProps) {
  const [typed, setTyped] = useState({ minute: String(limits.minute), day: String(limits.day) })
  const { send, errors } = useForm(fields)
  const submit = async (): Promise<void> => {
    const isSet = await send(
      ({ keys }) => keys.change(key, { plan, limits: limitsTyped(typed) }),
      `${key} has its own limits`,
    )
    if (isSet) onClose()
  }
  return (
    <Dialog title={`Limits of ${key}`} onClose={onClose}>
      <Form label="Limits" onSubmit={() => void submit()} error={errors.get('form')}>
        <LimitsFields value={typed} onChange={setTyped} errors={errors} />
        <p class="hint">Used requests stay used.</p>
        <FormActions verb="Set the limits" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
