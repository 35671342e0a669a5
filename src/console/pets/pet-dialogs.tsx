import { type Pet, type PetSettings, petStatuses } from '../../contract/pet.ts'
import { DataForm, Select, TextInput } from '../parts/controls/data-form.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'

/** The statuses, as a select has them; none at all has an empty value. */
export const statusOptions = [
  ...petStatuses.map((status) => [status, status] as const),
  ['', 'none'] as const,
]

interface PetDialogProps {
  /** The pet to change; `undefined` for a new one. */
  readonly pet: Pet | undefined
  readonly onClose: () => void
}

/** Adds a pet, or changes one; what was typed is sent as it is, so that the sandbox says what is wrong with it. */
export function PetDialog({ pet, onClose }: PetDialogProps) {
  return (
    <Dialog title={pet === undefined ? 'Add a pet' : `Pet ${pet.id}`} onClose={onClose}>
      <DataForm<Partial<PetSettings>>
        label="Pet"
        verb={pet === undefined ? 'Add it' : 'Change it'}
        done={pet === undefined ? 'Pet added' : `Pet ${pet.id} changed`}
        send={({ pets }, typed) => {
          const whole = { name: '', categoryId: '', ...typed }
          return pet === undefined
            ? pets.create(whole)
            : pets.change(pet.id, { status: null, ...whole })
        }}
        onClose={onClose}
      >
        <TextInput name="name" label="Name" value={pet?.name} />
        <TextInput
          name="categoryId"
          label="Category"
          hint="An integer (int64)"
          value={String(pet?.categoryId ?? 1)}
        />
        <Select
          name="status"
          label="Status"
          options={statusOptions}
          value={pet === undefined ? 'available' : (pet.status ?? '')}
        />
        {pet === undefined ? (
          <TextInput name="id" label="Id" hint="Empty for the next one of the sequence" />
        ) : null}
      </DataForm>
    </Dialog>
  )
}

const most = 5_000

const names = 'Bella Max Luna Rocky Mimi Tiger Polly Thumper Zoë Goldie Nemo 小花 Мурка نجمة'.split(
  ' ',
)

const categories = 6

/** Makes pets of all statuses and several categories; the same ones each time. */
function madeUpPets(count: number): readonly PetSettings[] {
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / names.length)
    return {
      name: `${names[index % names.length]}${round === 0 ? '' : ` ${round + 1}`}`,
      categoryId: (index % categories) + 1,
      status: petStatuses[index % petStatuses.length],
    }
  })
}

/** Adds many pets at once. */
export function GenerateDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Generate pets" onClose={onClose}>
      <p>They have names, categories and every status, and get the next ids of the sequence.</p>
      <DataForm<{ readonly count: number }>
        label="Pets"
        verb="Add them"
        done="Pets added"
        send={({ pets }, { count }) => pets.create(madeUpPets(count))}
        onClose={onClose}
      >
        <TextInput
          name="count"
          label="How many"
          hint={`From 1 to ${most}`}
          type="number"
          required
          min={1}
          max={most}
          value="50"
        />
      </DataForm>
    </Dialog>
  )
}
