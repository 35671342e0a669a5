import { useState } from 'preact/hooks'
import { type Plan, plans } from '../../contract/plans.ts'
import { Dialog } from '../parts/controls/dialog.tsx'
import { Field, Form } from '../parts/controls/field.tsx'
import { FormActions } from '../parts/controls/form-actions.tsx'
import { TextField } from '../parts/controls/text-field.tsx'
import { useForm } from '../parts/controls/use-form.ts'
import { LimitsFields, limitsTyped } from './limits-fields.tsx'
import { planNames } from './plan-choice.tsx'

const fields = {
  key: 'key',
  plan: 'plan',
  minute: 'limits',
  day: 'limits.day',
  expiresAt: 'expiresAt',
}

/** Issues a key. */
export function IssueDialog({ onClose }: { readonly onClose: () => void }) {
  const [key, setKey] = useState('')
  const [plan, setPlan] = useState<Plan>('free')
  const [limits, setLimits] = useState({ minute: '', day: '' })
  const [expiresAt, setExpiresAt] = useState('')
  const { send, errors } = useForm(fields)
  const usual = plans[plan]
  const submit = async (): Promise<void> => {
    const isIssued = await send(
      ({ keys }) => {
        const typed = limitsTyped(limits)
        return keys.issue({
          plan,
          ...(key === '' ? {} : { key }),
          ...(Object.keys(typed).length === 0 ? {} : { limits: typed }),
          ...(expiresAt === '' ? {} : { expiresAt }),
        })
      },
      key === '' ? 'A key is issued' : `${key} is issued`,
    )
    if (isIssued) onClose()
  }
  return (
    <Dialog title="Issue a key" onClose={onClose}>
      <Form label="Key" onSubmit={() => void submit()} error={errors.get('form')}>
        <TextField
          label="Key"
          hint="Empty for a random one"
          error={errors.get('key')}
          value={key}
          onChange={setKey}
        />
        <Field label="Plan" error={errors.get('plan')}>
          {(input) => (
            <select
              {...input}
              value={plan}
              onChange={({ currentTarget: { value } }) =>
                setPlan(planNames.find((name) => name === value) ?? 'free')
              }
            >
              {planNames.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <LimitsFields
          value={limits}
          onChange={setLimits}
          hint={usual === 'custom' ? 'This plan has none of its own' : "Empty for the plan's"}
          errors={errors}
        />
        <TextField
          label="Expires at"
          hint="Such as 2030-12-05T00:00:00Z; empty for never"
          error={errors.get('expiresAt')}
          value={expiresAt}
          onChange={setExpiresAt}
        />
        <FormActions verb="Issue it" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
