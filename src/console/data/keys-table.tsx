import { computed, effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type NewKey, newKey } from '../../mock/state/keys.ts'
import { useConsole } from '../live/console-context.ts'
import type { KeyView } from '../live/live-store.ts'
import { linkTo, type PlaceProps } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { DataForm } from '../parts/data-form.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'
import { Empty } from '../parts/display.tsx'
import { SearchInput } from '../parts/filters.tsx'
import { SchemaFields } from '../parts/schema-form.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { KeyActions, PlanChoice } from './key-actions.tsx'
import { KeyState, KeyWindow, RequestCount } from './key-cells.tsx'

/** Table of the sandbox's keys, with controls to change them. */
export function KeysTable({ route }: PlaceProps) {
  const { store, run, go } = useConsole()
  const { dialog, open } = useDialog()
  useFreshKeys()
  const search = route.query.get('search') ?? ''
  const keys = store.keys.value
  const words = search.toLowerCase()
  const shown = keys.filter(({ key, plan, state }) =>
    `${key} ${plan} ${state}`.toLowerCase().includes(words),
  )
  return (
    <div class="stack">
      <search class="row">
        <SearchInput
          label="Search in keys, plans and states"
          placeholder="Search: key, plan, state"
          value={search}
          onInput={(text) => go(linkTo('data', ['keys'], { search: text }), 'replace')}
        />
        {run !== undefined ? null : (
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
        <div class="box table-box keys">
          <Table
            caption="Keys"
            columns={columnsFor(run !== undefined)}
            rows={shown}
            keyOf={({ key }) => key}
            current={route.path[1]}
          />
        </div>
      )}
      {dialog}
    </div>
  )
}

function columnsFor(isReadOnly: boolean): readonly Column<KeyView>[] {
  const all: readonly Column<KeyView>[] = [
    {
      name: 'key',
      title: 'Key',
      isHeader: true,
      cell: ({ key }) => <a href={linkTo('requests', [], { key })}>{key}</a>,
      sortBy: ({ key }) => key,
    },
    {
      name: 'plan',
      title: 'Plan',
      cell: (view) => (isReadOnly ? view.plan : <PlanChoice view={view} />),
      sortBy: ({ plan }) => plan,
    },
    {
      name: 'state',
      title: 'State',
      cell: (view) => <KeyState view={view} />,
      sortBy: ({ state }) => state,
    },
    {
      name: 'minute',
      title: 'Minute',
      cell: ({ minute }) => <KeyWindow label="Minute" window={minute} />,
      sortBy: ({ minute }) => minute.limit - minute.remaining,
    },
    {
      name: 'day',
      title: 'Day',
      cell: ({ day }) => <KeyWindow label="Day" window={day} />,
      sortBy: ({ day }) => day.limit - day.remaining,
    },
    {
      name: 'requests',
      title: 'Requests',
      isNumber: true,
      cell: ({ key }) => <RequestCount of={key} />,
    },
    { name: 'actions', title: 'Change', cell: (view) => <KeyActions view={view} /> },
  ]
  return isReadOnly ? all.filter(({ name }) => name !== 'actions') : all
}

/** Dialog that issues a key. */
function IssueDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Issue a key" onClose={onClose}>
      <DataForm<NewKey>
        label="Key"
        verb="Issue it"
        done="The key is issued"
        send={({ keys }, key) => keys.issue(key)}
        onClose={onClose}
      >
        <SchemaFields
          schema={newKey}
          names={['key', 'plan', 'limits', 'expiresAt']}
          values={{ plan: 'free' }}
        />
        <p class="hint">
          Without a text it gets a random one; without limits those of its plan, and enterprise
          needs them.
        </p>
      </DataForm>
    </Dialog>
  )
}

/** Reloads the keys when the passing of time alone has changed one. */
function useFreshKeys(): void {
  const { store } = useConsole()
  useEffect(() => {
    const dueAt = computed(() => {
      // The time of the load: what was due since then is overdue.
      const loadedAt = Date.parse(store.status.value?.clock.now ?? '')
      return Math.min(...store.keys.value.map((key) => nextChangeAt(key, loadedAt)))
    })
    return effect(() => {
      const isDue = (store.time.now.value ?? 0) >= dueAt.value
      if (isDue && store.link.value === 'live') void store.refresh()
    })
  }, [store])
}

/**
 * Returns the next change of a key without any request, in Unix milliseconds: a window resets, a ban ends, or the key
 * expires.
 */
function nextChangeAt({ minute, day, bannedUntil, expiresAt }: KeyView, now: number): number {
  const instants = [minute.resetAt, day.resetAt, bannedUntil, expiresAt]
  const later = instants.map((at) => Date.parse(at ?? '')).filter((at) => at > now)
  return Math.min(...later)
}
