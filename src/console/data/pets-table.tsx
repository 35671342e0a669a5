import { useMemo } from 'preact/hooks'
import { countText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { type Pet, type PetSettings, petSettings, petStatuses } from '../../mock/api/pet.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction, useResponse } from '../live/use-client.ts'
import { visible } from '../model/entry-text.ts'
import { linkTo, type PlaceProps } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { DataForm, TextInput } from '../parts/data-form.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'
import { Empty, Pill, Problem, type Tone } from '../parts/display.tsx'
import { SearchInput, Segments } from '../parts/filters.tsx'
import { Menu } from '../parts/popover.tsx'
import { SchemaFields } from '../parts/schema-form.tsx'
import { Sign } from '../parts/sign.tsx'
import { type Column, Table } from '../parts/table.tsx'

/** Statuses to filter by; `none` matches pets without a status. */
const statuses = [...petStatuses, 'none'] as const

const none: readonly Pet[] = []

/** Table of the sandbox's pets, with controls to change them directly. */
export function PetsTable({ route: { query } }: PlaceProps) {
  const { store, run: shownRun, go } = useConsole()
  const run = useAction()
  const { dialog, open } = useDialog()
  const changes = [store.status.value?.counts?.pets, store.marks.value.at(-1)]
  const { result, problem } = useResponse((client) => client.pets.list(), changes)
  const pets = result ?? none
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
    go(linkTo('data', ['pets'], { search, status: chosen.join(','), ...changed }), 'replace')
  const counts = statuses.map((name) => ({
    name,
    text: name === 'none' ? 'no status' : name,
    hint: name === 'none' ? 'Only pets without a status' : `Only pets that are ${name}`,
    count: pets.filter(({ status = 'none' }) => status === name).length,
  }))
  const removeAll = (): void =>
    void run([{ control: 'pets.clear', args: [] }], `Deleted ${countText(pets.length, 'pet')}`)
  return (
    <div class="stack">
      <search class="row">
        <SearchInput
          label="Search in names and ids"
          placeholder="Search: name, id"
          value={search}
          onInput={(text) => narrow({ search: text })}
        />
        <Segments
          label="Only pets with these statuses"
          choices={counts}
          chosen={chosen}
          onChange={(names) => narrow({ status: names.join(',') })}
        />
        {shownRun !== undefined ? null : (
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
            {pets.length === 0 ? null : <Button onClick={removeAll}>Delete all</Button>}
          </div>
        )}
      </search>
      <Problem text={result === undefined ? problem : undefined} />
      {matching.length > 0 ? (
        <div class="box table-box pets">
          <Table
            caption="Pets"
            columns={petColumns}
            rows={matching}
            keyOf={({ pet }) => String(pet.id)}
          />
        </div>
      ) : result === undefined ? null : pets.length === 0 ? (
        <Empty title="No pets" text="Add one, import or generate some, or reset the sandbox." />
      ) : (
        <Empty title="No pet fits" text="Search for something else, or take a filter away." />
      )}
      {dialog}
    </div>
  )
}

/** A pet, and the request that created it, if still in the log. */
interface PetRow {
  readonly pet: Pet
  readonly madeBy: number | undefined
}

/** Returns the requests that created pets, by pet id with all digits. */
function makersIn(entries: readonly RequestView[]): ReadonlyMap<string, number> {
  return new Map(
    entries.flatMap(({ id, decision }) =>
      decision?.petId === undefined ? [] : [[decision.petId, id] as const],
    ),
  )
}

/** Columns of the pet table; integers are shown with all digits. */
const petColumns: readonly Column<PetRow>[] = [
  {
    name: 'pet-id',
    title: 'Id',
    isHeader: true,
    cell: ({ pet }) => String(pet.id),
    sortBy: ({ pet }) => BigInt(pet.id),
  },
  {
    name: 'pet-name',
    title: 'Name',
    cell: ({ pet }) => (pet.name ? <bdi>{visible(pet.name)}</bdi> : <i class="hint">empty</i>),
    sortBy: ({ pet }) => pet.name.toLowerCase(),
  },
  {
    name: 'pet-status',
    title: 'Status',
    cell: ({ pet }) => <StatusChoice pet={pet} />,
    sortBy: ({ pet }) => pet.status ?? '',
  },
  {
    name: 'pet-category',
    title: 'Category',
    isNumber: true,
    cell: ({ pet }) => String(pet.categoryId),
    sortBy: ({ pet }) => BigInt(pet.categoryId),
  },
  {
    name: 'pet-requests',
    title: 'Requests',
    cell: ({ pet: { id }, madeBy }) => (
      <span class="row-links">
        <a
          href={linkTo('requests', [], { pet: String(id) })}
          aria-label={`its requests, pet ${id}`}
        >
          its requests
        </a>
        {madeBy === undefined ? null : <a href={linkTo('requests', [madeBy])}>made by #{madeBy}</a>}
      </span>
    ),
  },
  { name: 'pet-menu', title: 'More', cell: ({ pet }) => <PetMenu pet={pet} /> },
]

const tones: Readonly<Record<string, Tone>> = { available: 'good', pending: 'rejected' }

/** Status of a pet, as a select if it can be changed. */
function StatusChoice({ pet: { id, status } }: { readonly pet: Pet }) {
  const isReadOnly = useConsole().run !== undefined
  const run = useAction()
  const tone = tones[status ?? ''] ?? 'neutral'
  if (isReadOnly) return <Pill tone={tone} text={status ?? 'none'} />
  return (
    <select
      aria-label={`Status of pet ${id}`}
      class={`plain pill ${tone}`}
      value={status ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const next = petStatuses.find((one) => one === value) ?? null
        const done = `Pet ${id} ${next === null ? 'has no status' : `is ${next}`}`
        void run(({ pets }) => pets.update(id, { status: next }), done)
      }}
    >
      {[...petStatuses, ''].map((value) => (
        <option key={value} value={value}>
          {value || 'none'}
        </option>
      ))}
    </select>
  )
}

/** Menu with the other controls for a pet. */
function PetMenu({ pet }: { readonly pet: Pet }) {
  const isReadOnly = useConsole().run !== undefined
  const run = useAction()
  const { dialog, open } = useDialog()
  if (isReadOnly) return null
  return (
    <span class="row-actions">
      <Menu
        text={<Sign name="more" />}
        label={`More about pet ${pet.id}`}
        kind="quiet"
        items={[
          ['Change…', () => open((close) => <PetDialog pet={pet} onClose={close} />)],
          [
            'Delete',
            () =>
              void run([{ control: 'pets.delete', args: [pet.id] }], `Pet ${pet.id} is deleted`),
          ],
        ]}
      />
      {dialog}
    </span>
  )
}

interface PetDialogProps {
  /** The pet to change; `undefined` for a new one. */
  readonly pet: Pet | undefined
  readonly onClose: () => void
}

/** Dialog that adds or changes a pet; the input is sent as typed, so that the sandbox validates it. */
function PetDialog({ pet, onClose }: PetDialogProps) {
  const values: Readonly<Record<string, string | undefined>> =
    pet === undefined
      ? { categoryId: '1', status: 'available' }
      : { name: pet.name, categoryId: String(pet.categoryId), status: pet.status }
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
            : pets.update(pet.id, { status: null, ...whole })
        }}
        onClose={onClose}
      >
        <SchemaFields
          schema={petSettings}
          names={
            pet === undefined
              ? ['name', 'categoryId', 'status', 'id']
              : ['name', 'categoryId', 'status']
          }
          values={values}
        />
        {pet === undefined ? <p class="hint">Without an id it gets the next one.</p> : null}
      </DataForm>
    </Dialog>
  )
}

const maxPets = 5_000

const names = 'Bella,Max,Luna,Rocky,Mimi,Tiger,Polly,Thumper,Zoë,Goldie,Nemo,小花,Мурка,نجمة'.split(
  ',',
)

/** Generates pets of all statuses and several categories; always the same ones. */
function generatedPets(count: number): readonly PetSettings[] {
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / names.length)
    return {
      name: `${names[index % names.length]}${round === 0 ? '' : ` ${round + 1}`}`,
      categoryId: (index % 6) + 1,
      status: petStatuses[index % petStatuses.length],
    }
  })
}

/** Dialog that adds many pets at once. */
function GenerateDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Generate pets" onClose={onClose}>
      <DataForm<{ readonly count: number }>
        label="Pets"
        verb="Add them"
        done="Pets added"
        send={({ pets }, { count }) => pets.create(generatedPets(count))}
        onClose={onClose}
      >
        <TextInput
          name="count"
          label="Number of pets"
          hint={`From 1 to ${maxPets}; they get the next ids`}
          type="number"
          required
          min={1}
          max={maxPets}
          value="50"
        />
      </DataForm>
    </Dialog>
  )
}
