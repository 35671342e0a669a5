import type { RefObject } from 'preact'
import { useConsole } from '../live/console-context.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { Chips } from '../parts/controls/chips.tsx'
import { type PetFilter, queryOf, statusNames } from './pet-filter.ts'

const choices = {
  available: { label: 'available', about: 'Only pets that are available' },
  pending: { label: 'pending', about: 'Only pets that are pending' },
  sold: { label: 'sold', about: 'Only pets that are sold' },
  none: { label: 'no status', about: 'Only pets without a status' },
} as const

/** What is asked about in a dialog. */
export type PetsQuestion = 'add' | 'generate' | 'clear'

interface PetsBarProps {
  readonly filter: PetFilter
  readonly search: RefObject<HTMLInputElement | null>
  readonly counts: { readonly matching: number; readonly all: number; readonly shown: number }
  readonly onAsk: (question: PetsQuestion) => void
}

/** What narrows the list of pets, and what makes it longer or empty. */
export function PetsBar({ filter, search, counts, onAsk }: PetsBarProps) {
  const { file, go } = useConsole()
  const change = (changes: Partial<PetFilter>): void =>
    go(linkTo('pets', [], queryOf({ ...filter, ...changes })), 'replace')
  const { matching, all, shown } = counts
  return (
    <search class="screen-bar">
      <input
        ref={search}
        type="search"
        aria-label="Search in names and ids"
        placeholder="Search: name, id"
        value={filter.search}
        onInput={({ currentTarget: { value } }) => change({ search: value })}
      />
      <Chips
        label="Only pets with these statuses"
        choices={choices}
        names={statusNames}
        chosen={filter.statuses}
        onChange={(statuses) => change({ statuses })}
      />
      <span class="hint">
        {matching} of {all} pets{shown < matching ? `, the first ${shown} shown` : ''}
      </span>
      {file !== undefined ? null : (
        <div class="group">
          <Button kind="primary" onClick={() => onAsk('add')}>
            Add a pet…
          </Button>
          <Button onClick={() => onAsk('generate')}>Generate…</Button>
          <Button disabled={all === 0} onClick={() => onAsk('clear')}>
            Delete all…
          </Button>
        </div>
      )}
    </search>
  )
}
