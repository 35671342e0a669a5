import type { Pet } from '../../contract/pet.ts'
import { Button } from '../parts/controls/button.tsx'
import type { Column } from '../parts/table.tsx'
import { StatusChoice } from './status-choice.tsx'

/** What is done to a pet outside its row. */
interface PetColumnsProps {
  readonly onChange: (pet: Pet) => void
  readonly onDelete: (pet: Pet) => void
}

/** The columns of the table of pets; integers are shown digit for digit. */
const columns: readonly Column<Pet>[] = [
  { name: 'pet-id', title: 'Id', isNumber: true, isHeader: true, cell: ({ id }) => String(id) },
  { name: 'pet-name', title: 'Name', cell: ({ name }) => name || <i class="hint">empty</i> },
  {
    name: 'pet-category',
    title: 'Category',
    isNumber: true,
    cell: ({ categoryId }) => (
      <>
        <span class="narrow-only">Category </span>
        {String(categoryId)}
      </>
    ),
  },
]

/** The columns of pets that can only be looked at. */
export const readOnlyColumns: readonly Column<Pet>[] = [
  ...columns,
  { name: 'pet-status', title: 'Status', cell: ({ status }) => status ?? 'none' },
]

/** The columns of pets that can be changed. */
export function petColumns({ onChange, onDelete }: PetColumnsProps): readonly Column<Pet>[] {
  return [
    ...columns,
    { name: 'pet-status', title: 'Status', cell: (pet) => <StatusChoice pet={pet} /> },
    {
      name: 'pet-actions',
      title: 'Actions',
      cell: (pet) => (
        <div class="group">
          <Button label={`Change pet ${pet.id}`} onClick={() => onChange(pet)}>
            Change…
          </Button>
          <Button label={`Delete pet ${pet.id}`} onClick={() => onDelete(pet)}>
            Delete…
          </Button>
        </div>
      ),
    },
  ]
}
