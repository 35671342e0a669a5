import { computed, effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import type { Gaps, KeyView } from '../live/live-store.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { useDialog } from '../parts/controls/dialog.tsx'
import { SearchInput } from '../parts/controls/filters.tsx'
import { Badge, Boundary, Empty } from '../parts/display.tsx'
import { Countdown } from '../parts/time.tsx'
import { IssueDialog, KeyActions, PlanChoice } from './key-actions.tsx'
import { KeyWindow, stateTones } from './key-window.tsx'

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

interface KeyRowProps {
  readonly view: KeyView
  /** Whether the address names it. */
  readonly isCurrent: boolean
}

/** A key: its plan, whether it is served, where it stands in both windows, and what changes it. */
export function KeyRow({ view, isCurrent }: KeyRowProps) {
  const { key, plan, state, minute, day } = view
  const { file } = useConsole()
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <article ref={row} class={`key-row ${isCurrent ? 'current' : ''}`} aria-label={key}>
      <div class="row">
        <h2>
          <a href={linkTo('keys', [key])} aria-current={isCurrent ? 'true' : undefined}>
            {key}
          </a>
        </h2>
        <a class="hint" href={linkTo('requests', [], { key })} title={`Requests of ${key}`}>
          requests
        </a>
      </div>
      {file === undefined ? <PlanChoice view={view} /> : <p class="hint">{plan}</p>}
      <div class="row">
        <Badge tone={stateTones[state] ?? 'neutral'} text={state} />
        <Standing view={view} />
      </div>
      <KeyWindow label="Minute" window={minute} />
      <KeyWindow label="Day" window={day} />
      {file === undefined ? <KeyActions view={view} /> : null}
    </article>
  )
}

/** How far the key is from a ban, or from the end of one, and when it expires. */
function Standing({ view }: { readonly view: KeyView }) {
  const { store } = useConsole()
  const { state, bannedUntil, expiresAt } = view
  const way = wayToBan(view, store.gaps.value)
  if (bannedUntil !== undefined) {
    return (
      <p class="hint">
        served again <Countdown until={bannedUntil} />
      </p>
    )
  }
  if (state === 'expired') return <p class="hint">since {expiresAt}</p>
  return (
    <>
      {way === undefined ? null : <p class="hint">{way}</p>}
      {expiresAt === undefined ? null : (
        <p class="hint">
          expires <Countdown until={expiresAt} />
        </p>
      )}
    </>
  )
}

/** Says how many refusals a key has had, and how many ban it (spec 8); nothing if it had none. */
function wayToBan({ minute, day }: KeyView, gaps: Gaps | undefined): string | undefined {
  const refused = Math.max(minute.refused, day.refused)
  if (refused === 0) return undefined
  const banAfter = gaps?.banAfter
  const text = `${refused.toLocaleString('en')} refused`
  return typeof banAfter === 'number'
    ? `${text}, banned at ${banAfter + 1}`
    : `${text}, none bans it`
}

/** When a key next changes by itself, in Unix milliseconds: a window resets, a ban ends, it expires. */
export function nextChangeAt(
  { minute, day, bannedUntil, expiresAt }: KeyView,
  now: number,
): number {
  const instants = [minute.resetAt, day.resetAt, bannedUntil, expiresAt]
  const later = instants.map((at) => Date.parse(at ?? '')).filter((at) => at > now)
  return Math.min(...later)
}
