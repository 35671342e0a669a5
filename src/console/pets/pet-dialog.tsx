import { useState } from 'preact/hooks'
import { type Pet, petStatuses } from '../../contract/pet.ts'
import { Dialog } from '../parts/controls/dialog.tsx'
import { Field, Form } from '../parts/controls/field.tsx'
import { FormActions } from '../parts/controls/form-actions.tsx'
import { TextField } from '../parts/controls/text-field.tsx'
import { useForm } from '../parts/controls/use-form.ts'
import { StatusOptions } from './status-choice.tsx'

interface PetDialogProps {
  /** The pet to change; `undefined` for a new one. */
  readonly pet: Pet | undefined
  readonly onClose: () => void
}

const fields = {
  id: 'id',
  name: 'name',
  categoryId: 'categoryId',
}

/** Adds a pet, or changes one; what was typed is sent as it is, so that the sandbox says what is wrong with it. */
export function PetDialog({ pet, onClose }: PetDialogProps) {
  const [id, setId] = useState('')
  const [name, setName] = useState(pet?.name ?? '')
  const [categoryId, setCategoryId] = useState(String(pet?.categoryId ?? '1'))
  const [statusText, setStatus] = useState<string>(
    pet === undefined ? 'available' : (pet.status ?? ''),
  )
  const { send, errors } = useForm(fields)
  const title = pet === undefined ? 'Add a pet' : `Pet ${pet.id}`
  const submit = async (): Promise<void> => {
    const status = petStatuses.find((one) => one === statusText)
    const isDone =
      pet === undefined
        ? await send(
            ({ pets }) =>
              pets.create({
                name,
                categoryId,
                ...(id === '' ? {} : { id }),
                ...(status === undefined ? {} : { status }),
              }),
            'The pet is added',
          )
        : await send(
            ({ pets }) => pets.change(pet.id, { name, categoryId, status: status ?? null }),
            `Pet ${pet.id} is changed`,
          )
    if (isDone) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form label="Pet" onSubmit={() => void submit()} error={errors.get('form')}>
        <TextField label="Name" error={errors.get('name')} value={name} onChange={setName} />
        <TextField
          label="Category"
          hint="An integer (int64)"
          error={errors.get('categoryId')}
          isNumber
          value={categoryId}
          onChange={setCategoryId}
        />
        <Field label="Status">
          {(input) => (
            <select
              {...input}
              value={statusText}
              onChange={({ currentTarget }) => setStatus(currentTarget.value)}
            >
              <StatusOptions />
            </select>
          )}
        </Field>
        {pet === undefined ? (
          <TextField
            label="Id"
            hint="Empty for the next one of the sequence"
            error={errors.get('id')}
            isNumber
            value={id}
            onChange={setId}
          />
        ) : null}
        <FormActions verb={pet === undefined ? 'Add it' : 'Change it'} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
