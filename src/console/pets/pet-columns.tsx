import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { type Pet, petStatuses } from '../../contract/pet.ts'
import { useAction } from '../live/use-action.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import type { Column } from '../parts/table.tsx'
import { statusOptions } from './pet-dialogs.tsx'

/** A pet, and the request that made it, if that is still known. */
export interface PetRow {
  readonly pet: Pet
  readonly madeBy: number | undefined
}

/** Finds the requests that made pets, by the ids of these, digit for digit. */
export function makersIn(entries: readonly JournalEntry[]): ReadonlyMap<string, number> {
  const made = entries.flatMap(({ id, operation, outcome }) => {
    if (operation !== 'createPet' || !('body' in outcome) || outcome.status !== 201) return []
    const [, petId] = /"id": ?(-?\d+)/.exec(outcome.body) ?? []
    return petId === undefined ? [] : [[petId, id] as const]
  })
  return new Map(made)
}

/** What is done to a pet outside its row. */
interface PetColumnsProps {
  readonly onChange: (pet: Pet) => void
  readonly onDelete: (pet: Pet) => void
}

/** The columns of the table of pets; integers are shown digit for digit. */
const columns: readonly Column<PetRow>[] = [
  {
    name: 'pet-id',
    title: 'Id',
    isNumber: true,
    isHeader: true,
    cell: ({ pet: { id } }) => String(id),
  },
  { name: 'pet-name', title: 'Name', cell: ({ pet }) => pet.name || <i class="hint">empty</i> },
  {
    name: 'pet-category',
    title: 'Category',
    isNumber: true,
    cell: ({ pet }) => (
      <>
        <span class="narrow-only">Category </span>
        {String(pet.categoryId)}
      </>
    ),
  },
]

const requestsColumn: Column<PetRow> = {
  name: 'pet-requests',
  title: 'Requests',
  cell: ({ pet: { id }, madeBy }) => (
    <>
      {madeBy === undefined ? null : <a href={linkTo('requests', [madeBy])}>made by #{madeBy}</a>}
      <a
        href={linkTo('requests', [], { search: String(id) })}
        aria-label={`find requests about pet ${id}`}
      >
        find
      </a>
    </>
  ),
}

/** The columns of pets that can only be looked at. */
export const readOnlyColumns: readonly Column<PetRow>[] = [
  ...columns,
  { name: 'pet-status', title: 'Status', cell: ({ pet }) => pet.status ?? 'none' },
  requestsColumn,
]

/** The columns of pets that can be changed. */
export function petColumns({ onChange, onDelete }: PetColumnsProps): readonly Column<PetRow>[] {
  return [
    ...columns,
    { name: 'pet-status', title: 'Status', cell: ({ pet }) => <StatusChoice pet={pet} /> },
    requestsColumn,
    {
      name: 'pet-actions',
      title: 'Actions',
      cell: ({ pet }) => (
        <div class="group">
          <Button kind="quiet" label={`Change pet ${pet.id}`} onClick={() => onChange(pet)}>
            Change…
          </Button>
          <Button kind="quiet" label={`Delete pet ${pet.id}`} onClick={() => onDelete(pet)}>
            Delete…
          </Button>
        </div>
      ),
    },
  ]
}

/** The status of a pet, to be changed at once. */
function StatusChoice({ pet: { id, status } }: { readonly pet: Pet }) {
  const { run } = useAction()
  return (
    <select
      aria-label={`Status of pet ${id}`}
      class={`status ${status ?? 'none'}`}
      value={status ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const next = petStatuses.find((one) => one === value) ?? null
        const done = `Pet ${id} ${next === null ? 'has no status' : `is ${next}`}`
        void run(({ pets }) => pets.change(id, { status: next }), done)
      }}
    >
      {statusOptions.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option
        return (
          <option key={value} value={value}>
            {text}
          </option>
        )
      })}
    </select>
  )
}
