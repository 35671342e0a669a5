import { useMemo, useRef, useState } from 'preact/hooks'
import type { Pet } from '../../contract/pet.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { useAsked } from '../live/use-asked.ts'
import type { ScreenProps } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm } from '../parts/controls/dialog.tsx'
import { Empty } from '../parts/empty.tsx'
import { Table } from '../parts/table.tsx'
import { makersIn, type PetRow, petColumns, readOnlyColumns } from './pet-columns.tsx'
import { GenerateDialog, PetDialog } from './pet-dialogs.tsx'
import { filterIn, petMatcher } from './pet-filter.ts'
import { PetsBar, type PetsQuestion } from './pets-bar.tsx'

/** How many pets are shown at first, and how many more at a click; a search reaches all. */
const step = 100

/** What is open over the table. */
type Asked = PetsQuestion | { readonly change: Pet } | { readonly delete: Pet } | undefined

/** The pets of the sandbox, and what changes them behind the API's back. */
export function PetsScreen({ route }: ScreenProps) {
  const { store, file } = useConsole()
  // There are more or fewer, or something was changed.
  const changes = [store.status.value?.counts.pets, store.marks.value.at(-1)]
  const { answer: pets, problem } = useAsked((client) => client.pets.list(), changes)
  const { run } = useAction()
  const [asked, setAsked] = useState<Asked>(undefined)
  const [most, setMost] = useState(step)
  const search = useRef<HTMLInputElement>(null)
  const queryText = route.query.toString()
  const filter = useMemo(() => filterIn(new URLSearchParams(queryText)), [queryText])
  const matching = useMemo(() => (pets ?? []).filter(petMatcher(filter)), [pets, filter])
  const entries = store.entries.value
  const shown = useMemo(() => {
    const makers = makersIn(entries)
    return matching
      .slice(0, most)
      .map((pet): PetRow => ({ pet, madeBy: makers.get(String(pet.id)) }))
  }, [matching, entries, most])
  const columns = useMemo(
    () =>
      file !== undefined
        ? readOnlyColumns
        : petColumns({
            onChange: (pet) => setAsked({ change: pet }),
            onDelete: (pet) => setAsked({ delete: pet }),
          }),
    [],
  )
  const close = (): void => setAsked(undefined)
  // The row, and with it the button that had the focus, is gone.
  const remove = async (call: Parameters<typeof run>[0], done: string): Promise<void> => {
    if (await run(call, done)) search.current?.focus()
  }
  return (
    <>
      <PetsBar
        filter={filter}
        search={search}
        counts={{ matching: matching.length, all: pets?.length ?? 0, shown: shown.length }}
        onAsk={setAsked}
      />
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {shown.length > 0 ? (
        <div class="box stacked pets">
          <Table caption="Pets, by ascending id" columns={columns} rows={shown} keyOf={idOf} />
          {shown.length < matching.length ? (
            <p class="more">
              <Button onClick={() => setMost(most + step)}>{step} more</Button>
            </p>
          ) : null}
        </div>
      ) : pets === undefined ? null : (
        <Empty title={pets.length === 0 ? 'No pets' : 'No pet fits'}>
          <p>
            {pets.length === 0
              ? 'Add one, generate some, or reset the sandbox.'
              : 'Search for something else, or take a filter away.'}
          </p>
        </Empty>
      )}
      {asked === 'add' ? <PetDialog pet={undefined} onClose={close} /> : null}
      {asked === 'generate' ? <GenerateDialog onClose={close} /> : null}
      {asked === 'clear' ? (
        <Confirm
          title="Delete all pets"
          text={`All ${pets?.length ?? 0} pets go, also those that aren't shown. Their ids are not used again.`}
          verb="Delete all"
          onConfirm={() => void remove((client) => client.pets.clear(), 'All pets are deleted')}
          onClose={close}
        />
      ) : null}
      {typeof asked === 'object' && 'change' in asked ? (
        <PetDialog pet={asked.change} onClose={close} />
      ) : null}
      {typeof asked === 'object' && 'delete' in asked ? (
        <Confirm
          title={`Delete pet ${asked.delete.id}`}
          text="Its id is not used again by itself."
          verb="Delete"
          onConfirm={() =>
            void remove(
              (client) => client.pets.delete(asked.delete.id),
              `Pet ${asked.delete.id} is deleted`,
            )
          }
          onClose={close}
        />
      ) : null}
    </>
  )
}

function idOf({ pet }: PetRow): string {
  return String(pet.id)
}
