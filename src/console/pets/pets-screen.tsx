import { useMemo } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { type Pet, type PetSettings, petStatuses } from '../../contract/pet.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction, useAsked } from '../live/use-client.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { DataForm, Select, TextInput } from '../parts/controls/data-form.tsx'
import { Dialog, useDialog } from '../parts/controls/dialog.tsx'
import { Chips, focusSearch, SearchInput } from '../parts/controls/filters.tsx'
import { Menu, type MenuItem } from '../parts/controls/popover.tsx'
import { Badge, Empty, Problem, type Tone } from '../parts/display.tsx'
import { type Column, Table } from '../parts/table.tsx'

/** The statuses to filter by; `none` is that of a pet without one. */
const statuses = [...petStatuses, 'none'] as const

const statusChips = {
  available: { label: 'available', about: 'Only pets that are available' },
  pending: { label: 'pending', about: 'Only pets that are pending' },
  sold: { label: 'sold', about: 'Only pets that are sold' },
  none: { label: 'no status', about: 'Only pets without a status' },
} as const

const none: readonly Pet[] = []

/** The pets of the sandbox, and what changes them behind the API's back. */
export function PetsScreen({ route: { query } }: ScreenProps) {
  const { store, file, go, root } = useConsole()
  // There are more or fewer, or something was changed.
  const changes = [store.status.value?.counts?.pets, store.marks.value.at(-1)]
  const { answer, problem } = useAsked((client) => client.pets.list(), changes)
  const pets = answer ?? none
  const { run } = useAction()
  const { dialog, open, confirm } = useDialog()
  const search = query.get('search') ?? ''
  const wanted = (query.get('status') ?? '').split(',')
  const chosen = statuses.filter((name) => wanted.includes(name))
  const words = search.toLowerCase()
  const entries = store.entries.value
  const rows = useMemo(() => {
    const makers = makersIn(entries)
    return pets.map((pet): PetRow => ({ pet, madeBy: makers.get(String(pet.id)) }))
  }, [pets, entries])
  const matching = rows.filter(
    ({ pet: { id, name, status } }) =>
      (chosen.length === 0 || chosen.includes(status ?? 'none')) &&
      (name.toLowerCase().includes(words) || String(id).includes(words)),
  )
  const narrow = (changed: Readonly<Record<string, string>>): void =>
    go(linkTo('pets', [], { search, status: chosen.join(','), ...changed }), 'replace')
  const clear = async (): Promise<void> => {
    if (await run((client) => client.pets.clear(), 'All pets are deleted')) focusSearch(root)
  }
  const askToClear = (): void =>
    confirm({
      title: 'Delete all pets',
      text: `All ${pets.length} pets go, also those that aren't shown. Their ids are not used again.`,
      verb: 'Delete all',
      onConfirm: () => void clear(),
    })
  return (
    <>
      <search class="row screen-bar">
        <SearchInput
          label="Search in names and ids"
          placeholder="Search: name, id"
          value={search}
          onInput={(text) => narrow({ search: text })}
        />
        <Chips
          label="Only pets with these statuses"
          choices={statusChips}
          names={statuses}
          chosen={chosen}
          onChange={(names) => narrow({ status: names.join(',') })}
        />
        <span class="hint">
          {matching.length.toLocaleString('en')} of {countText(pets.length, 'pet')}
        </span>
        {file !== undefined ? null : (
          <div class="group">
            <Button
              kind="primary"
              onClick={() => open((close) => <PetDialog pet={undefined} onClose={close} />)}
            >
              Add a pet…
            </Button>
            <Button onClick={() => open((close) => <GenerateDialog onClose={close} />)}>
              Generate…
            </Button>
            <Button disabled={pets.length === 0} onClick={askToClear}>
              Delete all…
            </Button>
          </div>
        )}
      </search>
      <Problem text={problem} />
      {matching.length > 0 ? (
        <div class="box stacked pets">
          <Table
            caption="Pets, by ascending id"
            columns={petColumns}
            rows={matching}
            keyOf={({ pet }) => String(pet.id)}
          />
        </div>
      ) : answer === undefined ? null : pets.length === 0 ? (
        <Empty title="No pets" text="Add one, generate some, or reset the sandbox." />
      ) : (
        <Empty title="No pet fits" text="Search for something else, or take a filter away." />
      )}
      {dialog}
    </>
  )
}

/** A pet, and the request that made it, if that is still known. */
interface PetRow {
  readonly pet: Pet
  readonly madeBy: number | undefined
}

/** Finds the requests that made pets, by the ids of these, digit for digit. */
function makersIn(entries: readonly JournalEntry[]): ReadonlyMap<string, number> {
  const made = entries.flatMap(({ id, operation, outcome }) => {
    if (operation !== 'createPet' || !('body' in outcome) || outcome.status !== 201) return []
    const [, petId] = /"id": ?(-?\d+)/.exec(outcome.body) ?? []
    return petId === undefined ? [] : [[petId, id] as const]
  })
  return new Map(made)
}

const idOf = ({ pet }: PetRow): string => String(pet.id)

/** The columns of the table of pets; integers are shown digit for digit. */
const petColumns: readonly Column<PetRow>[] = [
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
  const { dialog, open, confirm } = useDialog()
  const remove = async (): Promise<void> => {
    // The row, and with it what had the focus, is gone.
    if (await run(({ pets }) => pets.delete(pet.id), `Pet ${pet.id} is deleted`)) focusSearch(root)
  }
  const askToDelete = (): void =>
    confirm({
      title: `Delete pet ${pet.id}`,
      text: 'Its id is not used again by itself.',
      verb: 'Delete',
      onConfirm: () => void remove(),
    })
  const items: readonly MenuItem[] = [
    ['Change…', () => open((close) => <PetDialog pet={pet} onClose={close} />)],
    ['Delete…', askToDelete],
  ]
  if (file !== undefined) return null
  return (
    <>
      <Menu text="⋯" label={`More about pet ${pet.id}`} kind="quiet" items={items} />
      {dialog}
    </>
  )
}

/** The statuses, as a select has them; none at all has an empty value. */
const statusOptions = [
  ...petStatuses.map((status) => [status, status] as const),
  ['', 'none'] as const,
]

interface PetDialogProps {
  /** The pet to change; `undefined` for a new one. */
  readonly pet: Pet | undefined
  readonly onClose: () => void
}

/** Adds a pet, or changes one; what was typed is sent as it is, so that the sandbox says what is wrong with it. */
function PetDialog({ pet, onClose }: PetDialogProps) {
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

const mostPets = 5_000

const names = 'Bella,Max,Luna,Rocky,Mimi,Tiger,Polly,Thumper,Zoë,Goldie,Nemo,小花,Мурка,نجمة'.split(
  ',',
)

/** Makes pets of all statuses and several categories; the same ones each time. */
function madeUpPets(count: number): readonly PetSettings[] {
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / names.length)
    return {
      name: `${names[index % names.length]}${round === 0 ? '' : ` ${round + 1}`}`,
      categoryId: (index % 6) + 1,
      status: petStatuses[index % petStatuses.length],
    }
  })
}

/** Adds many pets at once. */
function GenerateDialog({ onClose }: { readonly onClose: () => void }) {
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
          hint={`From 1 to ${mostPets}`}
          type="number"
          required
          min={1}
          max={mostPets}
          value="50"
        />
      </DataForm>
    </Dialog>
  )
}
