import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Boundary } from '../parts/boundary.tsx'
import { Button } from '../parts/controls/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { IssueDialog } from './issue-dialog.tsx'
import { KeyCard } from './key-card.tsx'
import { useFreshKeys } from './use-fresh-keys.ts'

/** How many keys are shown at once; a search reaches all. */
const mostShown = 60

/** The keys of the sandbox, each as a card with its windows and what changes it. */
export function KeysScreen({ route }: ScreenProps) {
  const { store, file, go } = useConsole()
  const [isIssuing, setIssuing] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  useFreshKeys()
  const wanted = route.query.get('search') ?? ''
  const keys = store.keys.value
  const words = wanted.toLowerCase()
  const matching = keys.filter(({ key, plan, state }) =>
    `${key} ${plan} ${state}`.toLowerCase().includes(words),
  )
  const current = route.path[0]
  // The one of the address is shown however many there are.
  const first = matching.filter(({ key }, at) => at < mostShown || key === current)
  return (
    <>
      <search class="screen-bar">
        <input
          ref={search}
          type="search"
          aria-label="Search in keys, plans and states"
          placeholder="Search: key, plan, state"
          value={wanted}
          onInput={({ currentTarget: { value } }) =>
            go(linkTo('keys', route.path, value === '' ? {} : { search: value }), 'replace')
          }
        />
        <span class="hint">
          {first.length} of {keys.length} keys
        </span>
        {file !== undefined ? null : (
          <Button kind="primary" onClick={() => setIssuing(true)}>
            Issue a key…
          </Button>
        )}
      </search>
      {first.length === 0 ? (
        <Empty title={keys.length === 0 ? 'No keys' : 'No key fits'}>
          <p>
            {keys.length === 0 ? 'Issue one, or reset the sandbox.' : 'Search for something else.'}
          </p>
        </Empty>
      ) : (
        <div class="key-cards">
          {first.map((view) => (
            <Boundary key={view.key} what="the key">
              <KeyCard
                view={view}
                isCurrent={view.key === current}
                onDeleted={() => search.current?.focus()}
              />
            </Boundary>
          ))}
        </div>
      )}
      {isIssuing ? <IssueDialog onClose={() => setIssuing(false)} /> : null}
    </>
  )
}
