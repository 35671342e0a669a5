import { type Pet, petStatuses } from '../../contract/pet.ts'
import { useAction } from '../live/use-action.ts'

/** The status of a pet, to be changed at once. */
export function StatusChoice({ pet: { id, status } }: { readonly pet: Pet }) {
  const { run } = useAction()
  return (
    <select
      aria-label={`Status of pet ${id}`}
      value={status ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const next = petStatuses.find((one) => one === value) ?? null
        const done = `Pet ${id} ${next === null ? 'has no status' : `is ${next}`}`
        void run(({ pets }) => pets.change(id, { status: next }), done)
      }}
    >
      <StatusOptions />
    </select>
  )
}

/** The statuses, as a select has them; none at all has an empty value. */
export function StatusOptions() {
  return (
    <>
      {petStatuses.map((status) => (
        <option key={status} value={status}>
          {status}
        </option>
      ))}
      <option value="">none</option>
    </>
  )
}
