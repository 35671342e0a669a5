import { useConsole } from '../live/console-context.ts'
import { timeOfDay } from '../model/entry-text.ts'
import { type EntryFilter, kinds } from '../model/filter-entries.ts'
import { linkTo, replaceLink } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { Chips } from '../parts/controls/chips.tsx'
import { kindNames, queryOf } from './request-filter.ts'

interface RequestsBarProps {
  readonly filter: EntryFilter
  /** The exchange in the address, which stays there. */
  readonly path: readonly string[]
  readonly counts: { readonly matching: number; readonly all: number; readonly shown: number }
  readonly isPaused: boolean
  /** How many have come since it was paused. */
  readonly waiting: number
  readonly onPause: () => void
  readonly isFollowing: boolean
  readonly onFollow: () => void
}

/** What narrows the list of exchanges, and what stops it. */
export function RequestsBar(props: RequestsBarProps) {
  const { filter, path, counts, isPaused, waiting, onPause, isFollowing, onFollow } = props
  const { file } = useConsole()
  const change = (changes: Partial<EntryFilter>): void =>
    replaceLink(linkTo('requests', path, queryOf({ ...filter, ...changes })))
  const isSpan = filter.from !== undefined || filter.to !== undefined
  return (
    <search class="requests-bar">
      <input
        type="search"
        aria-label="Search in requests, replies, keys and reasons"
        placeholder="Search: path, key, headers, bodies, why"
        value={filter.search}
        onInput={({ currentTarget: { value } }) => change({ search: value })}
      />
      <Chips
        label="Only these requests"
        choices={kinds}
        names={kindNames}
        chosen={filter.kinds}
        onChange={(chosen) => change({ kinds: chosen })}
      />
      {filter.key === undefined ? null : (
        <Button
          label={`Only requests of ${filter.key}; show all`}
          onClick={() => change({ key: undefined })}
        >
          {filter.key} ✕
        </Button>
      )}
      {isSpan ? (
        <Button
          about={`Only from ${filter.from ?? 'the beginning'} to ${filter.to ?? 'the end'}; show all`}
          onClick={() => change({ from: undefined, to: undefined })}
        >
          {spanText(filter)} ✕
        </Button>
      ) : null}
      {file !== undefined ? null : (
        <div class="group">
          <Button pressed={isFollowing} about="Show each new request in full" onClick={onFollow}>
            Follow
          </Button>
          <Button pressed={isPaused} about="Stop the list from changing" onClick={onPause}>
            {isPaused && waiting > 0 ? `Paused (${waiting} new)` : 'Pause'}
          </Button>
        </div>
      )}
      <p class="requests-count">{countText(counts)}</p>
    </search>
  )
}

/** From when to when; without the day, where it is the same. */
function spanText({ from = '…', to = '…' }: EntryFilter): string {
  const isOneDay = from.slice(0, 11) === to.slice(0, 11)
  return isOneDay ? `${timeOfDay(from)} – ${timeOfDay(to)}` : `${from} – ${to}`
}

function countText({ matching, all, shown }: RequestsBarProps['counts']): string {
  const of = matching === all ? String(all) : `${matching} of ${all}`
  return shown < matching ? `${of}, the latest ${shown} shown` : of
}
