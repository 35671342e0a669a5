import { computed, effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Plan, plans } from '../../mock/api/plans.ts'
import { namesOf } from '../../mock/input/record.ts'
import { formatCount } from '../../mock/input/values.ts'
import { type NewKey, newKey } from '../../mock/state/keys.ts'
import { type KeyChange, keyChange } from '../../sandbox/controls/keys.ts'
import { useConsole } from '../live/console-context.ts'
import type { Gaps, KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import { linkTo, type PlaceProps } from '../model/route.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { DataForm, TextInput } from '../parts/data-form.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'
import { Empty, Meter, Pill, type Tone } from '../parts/display.tsx'
import { SearchInput } from '../parts/filters.tsx'
import { Menu, type MenuItem, Popover } from '../parts/popover.tsx'
import { SchemaFields } from '../parts/schema-form.tsx'
import { Sign } from '../parts/sign.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Countdown, durationText } from '../parts/time.tsx'

/** Tone of each key state. */
export const stateTones: Readonly<Record<KeyView['state'], Tone>> = {
  active: 'good',
  exhausted: 'limited',
  banned: 'broken',
  expired: 'warning',
  revoked: 'error',
}

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

function RequestCount({ of }: { readonly of: string }) {
  const { store } = useConsole()
  const keyOf = store.keyOf.value
  const count = store.entries.value.filter((entry) => keyOf(entry) === of).length
  return <span class={count === 0 ? 'hint' : ''}>{formatCount(count)}</span>
}

interface KeyWindowProps {
  readonly label: string
  readonly window: Pick<KeyView['minute'], 'limit' | 'remaining' | 'resetAt'>
}

/** Used quota of a key in a window, and the time until the window resets (spec 8). */
export function KeyWindow({ label, window: { limit, remaining, resetAt } }: KeyWindowProps) {
  const now = useConsole().store.time.now.value ?? 0
  const used = limit - remaining
  const text = `${formatCount(used)}/${formatCount(limit)}`
  const reset = durationText(Math.max(0, Date.parse(resetAt) - now), 1)
  return (
    <Meter label={label} used={used} limit={limit} text={used > 0 ? `${text} · ${reset}` : text} />
  )
}

/** State of a key, with the time until its ban ends or it expires, or its distance from a ban. */
export function KeyState({ view }: { readonly view: KeyView }) {
  const { store } = useConsole()
  const { state, bannedUntil, expiresAt, minute, day } = view
  const rejected = Math.max(minute.rejected, day.rejected)
  return (
    <span class="key-state">
      <Pill tone={stateTones[state] ?? 'neutral'} text={state} />
      <span class="hint">
        {bannedUntil !== undefined ? (
          <>
            ends <Countdown until={bannedUntil} past="now" />
          </>
        ) : expiresAt !== undefined && state !== 'expired' ? (
          <>
            expires <Countdown until={expiresAt} past="now" />
          </>
        ) : (
          wayToBan(rejected, store.gaps.value)
        )}
      </span>
    </span>
  )
}

/** Returns the number of rejected requests, and the number that bans a key (spec 8). */
function wayToBan(rejected: number, gaps: Gaps | undefined): string {
  if (rejected === 0) return ''
  const banAfter = gaps?.banAfter
  const text = `${formatCount(rejected)} × 429`
  return typeof banAfter === 'number' ? `${text}, banned at ${banAfter + 1}` : text
}

const bans = ['1m', '5m', '10m', '1h'] as const

/** Controls for a key: ban, quota and a menu with the others. */
function KeyActions({ view }: { readonly view: KeyView }) {
  const { key, state, limits, expiresAt } = view
  const { store } = useConsole()
  const run = useAction()
  const { dialog, open } = useDialog()
  const change = (hint: string, wanted: KeyChange): Promise<boolean> =>
    run(({ keys }) => keys.update(key, wanted), `${key}: ${hint}`)
  const item = (text: string, hint: string, wanted: KeyChange): MenuItem => [
    text,
    () => void change(hint, wanted),
    hint,
  ]
  const edit = (names: readonly string[], values: Readonly<Record<string, string>>) => () =>
    open((close) => (
      <Dialog title={`Change ${key}`} onClose={close}>
        <DataForm<KeyChange>
          label="Key"
          verb="Change it"
          done={`${key} is changed`}
          send={({ keys }, given) => keys.update(key, given)}
          onClose={close}
        >
          <SchemaFields schema={keyChange} names={names} values={values} />
        </DataForm>
      </Dialog>
    ))
  const limitTexts = { 'limits.minute': String(limits.minute), 'limits.day': String(limits.day) }
  return (
    <fieldset class="group row-actions">
      <legend class="unseen">Change {key}</legend>
      {state === 'banned' ? (
        <Button kind="quiet" onClick={() => void change('No longer banned', { unban: true })}>
          Unban
        </Button>
      ) : (
        <Popover key="ban" kind="quiet" text="Ban" label={`Ban ${key}`}>
          {(close) => (
            <div class="stack">
              <div class="group">
                {bans.map((ban) => (
                  <Button
                    key={ban}
                    onClick={() => {
                      close()
                      void change(`Banned for ${ban}`, { ban })
                    }}
                  >
                    {ban}
                  </Button>
                ))}
              </div>
              <DataForm
                label="Ban"
                verb="Ban it"
                done={`${key} is banned`}
                send={({ keys }, { ban = '' }) => keys.update(key, { ban })}
                onDone={close}
              >
                <TextInput name="ban" label="For" hint="Such as 90s, 30m or 2h" required />
              </DataForm>
            </div>
          )}
        </Popover>
      )}
      <Menu
        key="quota"
        kind="quiet"
        text="Quota"
        label={`Quota of ${key}`}
        items={[
          item('Exhaust the minute', 'No request left in this minute', {
            remaining: { minute: 0 },
          }),
          item('Exhaust the day', 'No request left in this day', { remaining: { day: 0 } }),
          item('One request left', 'One request left in this minute', { remaining: { minute: 1 } }),
          item('Refill', 'All requests left in both windows', { remaining: limits }),
          ['Limits…', edit(['limits'], limitTexts)],
        ]}
      />
      <Menu
        key="more"
        kind="quiet"
        text={<Sign name="more" />}
        label={`More about ${key}`}
        items={[
          state === 'expired'
            ? item('Renew', 'Never expires', { expiresAt: null })
            : item('Expire', 'Expired from now on', { expiresAt: store.time.now.peek() ?? 0 }),
          state === 'revoked'
            ? item('Reinstate', 'No longer revoked', { revoked: false })
            : item('Revoke', '401 from now on', { revoked: true }),
          ['Expires at…', edit(['expiresAt'], expiresAt === undefined ? {} : { expiresAt })],
          [
            'Delete',
            () => void run([{ control: 'keys.delete', args: [key] }], `${key} is deleted`),
          ],
        ]}
      >
        <CopyButton what="Authorization" text={() => `Authorization: Bearer ${key}`} />
      </Menu>
      {dialog}
    </fieldset>
  )
}

const planNames: readonly Plan[] = namesOf(plans)

/** Select for the plan of a key; a plan with custom limits keeps the key's current limits. */
function PlanChoice({ view: { key, plan, limits } }: { readonly view: KeyView }) {
  const run = useAction()
  return (
    <select
      class="plain"
      aria-label={`Plan of ${key}`}
      value={plan}
      onChange={({ currentTarget: { value } }) => {
        const next = planNames.find((name) => name === value) ?? plan
        const change = plans[next] === 'custom' ? { plan: next, limits } : { plan: next }
        void run(({ keys }) => keys.update(key, change), `${key} is on the plan ${next}`)
      }}
    >
      {planNames.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
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
export function nextChangeAt(
  { minute, day, bannedUntil, expiresAt }: KeyView,
  now: number,
): number {
  const instants = [minute.resetAt, day.resetAt, bannedUntil, expiresAt]
  const later = instants.map((at) => Date.parse(at ?? '')).filter((at) => at > now)
  return Math.min(...later)
}
