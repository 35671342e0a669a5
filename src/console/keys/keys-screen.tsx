import { computed, effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Boundary } from '../parts/boundary.tsx'
import { Button } from '../parts/controls/button.tsx'
import { useDialog } from '../parts/controls/dialog.tsx'
import { SearchInput } from '../parts/controls/filters.tsx'
import { Empty } from '../parts/display.tsx'
import { IssueDialog } from './key-actions.tsx'
import { KeyRow, nextChangeAt } from './key-row.tsx'

/** The keys of the sandbox, each as a row with its windows and what changes it. */
export function KeysScreen({ route }: ScreenProps) {
  const { store, file, go } = useConsole()
  const { dialog, open } = useDialog()
  useFreshKeys()
  const wanted = route.query.get('search') ?? ''
  const keys = store.keys.value
  const words = wanted.toLowerCase()
  const shown = keys.filter(({ key, plan, state }) =>
    `${key} ${plan} ${state}`.toLowerCase().includes(words),
  )
  return (
    <>
      <search class="row screen-bar">
        <SearchInput
          label="Search in keys, plans and states"
          placeholder="Search: key, plan, state"
          value={wanted}
          onInput={(search) => go(linkTo('keys', route.path, { search }), 'replace')}
        />
        <span class="hint">
          {shown.length === keys.length ? '' : `${shown.length} of `}
          {keys.length} keys
        </span>
        {file !== undefined ? null : (
          <Button kind="primary" onClick={() => open((close) => <IssueDialog onClose={close} />)}>
            Issue a key…
          </Button>
        )}
      </search>
      {keys.length === 0 ? (
        <Empty title="No keys" text="Issue one, or reset the sandbox." />
      ) : shown.length === 0 ? (
        <Empty title="No key fits" text="Search for something else." />
      ) : (
        <div class="list">
          {shown.map((view) => (
            <Boundary key={view.key} what="the key">
              <KeyRow view={view} isCurrent={view.key === route.path[0]} />
            </Boundary>
          ))}
        </div>
      )}
      {dialog}
    </>
  )
}

/** Asks for the keys anew when time alone has changed one. */
function useFreshKeys(): void {
  const { store } = useConsole()
  useEffect(() => {
    const dueAt = computed(() => {
      const now = store.time.now.peek() ?? 0
      return Math.min(...store.keys.value.map((key) => nextChangeAt(key, now)))
    })
    return effect(() => {
      const isDue = (store.time.now.value ?? 0) >= dueAt.value
      if (isDue && store.link.value === 'live') void store.refresh()
    })
  }, [store])
}
