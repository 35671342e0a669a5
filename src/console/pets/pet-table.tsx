import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { type Pet, petStatuses } from '../../contract/pet.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { linkTo } from '../model/route.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/controls/button.tsx'
import { Confirm, useDialog } from '../parts/controls/dialog.tsx'
import { Popover } from '../parts/controls/popover.tsx'
import { focusSearch } from '../parts/controls/search-input.tsx'
import type { Column } from '../parts/table.tsx'
import { PetDialog, statusOptions } from './pet-dialogs.tsx'

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

const idOf = ({ pet }: PetRow): string => String(pet.id)

/** The columns of the table of pets; integers are shown digit for digit. */
export const petColumns: readonly Column<PetRow>[] = [
  { name: 'pet-id', title: 'Id', isNumber: true, isHeader: true, cell: idOf },
  { name: 'pet-name', title: 'Name', cell: ({ pet }) => pet.name || <i class="hint">empty</i> },
  { name: 'pet-status', title: 'Status', cell: ({ pet }) => <StatusChoice pet={pet} /> },
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
  {
    name: 'pet-requests',
    title: 'Requests',
    cell: ({ pet: { id }, madeBy }) => (
      <>
        {madeBy === undefined ? null : <a href={linkTo('requests', [madeBy])}>made by #{madeBy}</a>}
        <a
          href={linkTo('requests', [], { search: String(id) })}
          aria-label={`its requests, pet ${id}`}
        >
          its requests
        </a>
      </>
    ),
  },
  { name: 'pet-menu', title: 'More', cell: ({ pet }) => <PetMenu pet={pet} /> },
]

const tones: Readonly<Record<string, Tone>> = { available: 'good', pending: 'limited' }

/** The status of a pet: a badge, and a select where it can be changed. */
function StatusChoice({ pet: { id, status } }: { readonly pet: Pet }) {
  const { file } = useConsole()
  const { run } = useAction()
  const tone = tones[status ?? ''] ?? 'neutral'
  if (file !== undefined) return <Badge tone={tone} text={status ?? 'none'} />
  return (
    <select
      aria-label={`Status of pet ${id}`}
      class={`chip status ${tone}`}
      value={status ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const next = petStatuses.find((one) => one === value) ?? null
        const done = `Pet ${id} ${next === null ? 'has no status' : `is ${next}`}`
        void run(({ pets }) => pets.change(id, { status: next }), done)
      }}
    >
      {statusOptions.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** What else can be done to a pet. */
function PetMenu({ pet }: { readonly pet: Pet }) {
  const { file, root } = useConsole()
  const { run } = useAction()
  const { dialog, open } = useDialog()
  const remove = async (): Promise<void> => {
    // The row, and with it what had the focus, is gone.
    if (await run(({ pets }) => pets.delete(pet.id), `Pet ${pet.id} is deleted`)) focusSearch(root)
  }
  if (file !== undefined) return null
  return (
    <>
      <Popover text="⋯" label={`More about pet ${pet.id}`} kind="quiet">
        {(hide) => (
          <div class="menu">
            <Button
              onClick={() => {
                hide()
                open((close) => <PetDialog pet={pet} onClose={close} />)
              }}
            >
              Change…
            </Button>
            <Button
              onClick={() => {
                hide()
                open((close) => (
                  <Confirm
                    title={`Delete pet ${pet.id}`}
                    text="Its id is not used again by itself."
                    verb="Delete"
                    onConfirm={() => void remove()}
                    onClose={close}
                  />
                ))
              }}
            >
              Delete…
            </Button>
          </div>
        )}
      </Popover>
      {dialog}
    </>
  )
}
