import { useState } from 'preact/hooks'
import { InputError } from '../../input/input-error.ts'
import { Dialog } from '../parts/controls/dialog.tsx'
import { Form } from '../parts/controls/field.tsx'
import { FormActions } from '../parts/controls/form-actions.tsx'
import { TextField } from '../parts/controls/text-field.tsx'
import { useForm } from '../parts/controls/use-form.ts'
import { madeUpPets } from './made-up-pets.ts'

const most = 5_000

/** Adds many pets at once. */
export function GenerateDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('50')
  const { send, errors } = useForm({ count: 'count' })
  const submit = async (): Promise<void> => {
    const isDone = await send(async ({ pets }) => {
      const count = Number(typed)
      if (!Number.isInteger(count) || count < 1 || count > most) {
        throw new InputError(
          `Cannot generate ${typed || 'no'} pets: use a whole number from 1 to ${most}`,
          ['count'],
          'wrong-value',
        )
      }
      await pets.create(madeUpPets(count))
    }, `Added pets: ${typed}`)
    if (isDone) onClose()
  }
  return (
    <Dialog title="Generate pets" onClose={onClose}>
      <p>They have names, categories and every status, and get the next ids of the sequence.</p>
      <Form label="Pets" onSubmit={() => void submit()} error={errors.get('form')}>
        <TextField
          label="How many"
          hint={`From 1 to ${most}`}
          error={errors.get('count')}
          isNumber
          value={typed}
          onChange={setTyped}
        />
        <FormActions verb="Add them" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
