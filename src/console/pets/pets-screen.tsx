import { useMemo } from 'preact/hooks'
import { type Pet, petStatuses } from '../../contract/pet.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { useAsked } from '../live/use-asked.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { Chips } from '../parts/controls/chips.tsx'
import { Confirm, useDialog } from '../parts/controls/dialog.tsx'
import { focusSearch, SearchInput } from '../parts/controls/search-input.tsx'
import { Empty } from '../parts/empty.tsx'
import { Problem } from '../parts/problem.tsx'
import { Table } from '../parts/table.tsx'
import { GenerateDialog, PetDialog } from './pet-dialogs.tsx'
import { makersIn, type PetRow, petColumns } from './pet-table.tsx'

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
  const { dialog, open } = useDialog()
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
  const narrow = (changed: Readonly<Record<string, string>>): void => {
    const given = Object.entries({ search, status: chosen.join(','), ...changed })
    go(linkTo('pets', [], Object.fromEntries(given.filter(([, text]) => text !== ''))), 'replace')
  }
  const clear = async (): Promise<void> => {
    if (await run((client) => client.pets.clear(), 'All pets are deleted')) focusSearch(root)
  }
  const askToClear = (): void =>
    open((close) => (
      <Confirm
        title="Delete all pets"
        text={`All ${pets.length} pets go, also those that aren't shown. Their ids are not used again.`}
        verb="Delete all"
        onConfirm={() => void clear()}
        onClose={close}
      />
    ))
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
            step={100}
          />
        </div>
      ) : answer === undefined ? null : pets.length === 0 ? (
        <Empty title="No pets">
          <p>Add one, generate some, or reset the sandbox.</p>
        </Empty>
      ) : (
        <Empty title="No pet fits">
          <p>Search for something else, or take a filter away.</p>
        </Empty>
      )}
      {dialog}
    </>
  )
}
