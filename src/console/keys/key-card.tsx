import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import type { KeyView } from '../live/live-store.ts'
import { linkTo } from '../model/route.ts'
import { Badge } from '../parts/badge.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import { Meter } from '../parts/meter.tsx'
import { Countdown } from '../parts/time.tsx'
import { KeyActions } from './key-actions.tsx'
import { stateTones, wayToBan } from './key-text.ts'
import { KeyWindow } from './key-window.tsx'
import { PlanChoice } from './plan-choice.tsx'

interface KeyCardProps {
  readonly view: KeyView
  /** Whether the address names it. */
  readonly isCurrent: boolean
  readonly onDeleted: () => void
}

/** A key: its plan, whether it is served, where it stands in both windows, and everything that changes it. */
export function KeyCard({ view, isCurrent, onDeleted }: KeyCardProps) {
  const { key, plan, state, minute, day } = view
  const { file } = useConsole()
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isCurrent) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <article ref={card} class={`key-card ${isCurrent ? 'current' : ''}`} aria-label={key}>
      <header>
        <h2>
          <a href={linkTo('keys', [key])} aria-current={isCurrent ? 'true' : undefined}>
            {key}
          </a>
        </h2>
        <Badge tone={stateTones[state]} text={state} />
      </header>
      <div class="key-plan">
        {file === undefined ? (
          <>
            <PlanChoice view={view} />
            <CopyButton what="Authorization" text={() => `Authorization: Bearer ${key}`} />
          </>
        ) : (
          <p class="hint">Plan {plan}</p>
        )}
      </div>
      <KeyWindow label="Minute" window={minute} />
      <KeyWindow label="Day" window={day} />
      <KeyStanding view={view} />
      {file === undefined ? <KeyActions view={view} onDeleted={onDeleted} /> : null}
    </article>
  )
}

/** How far the key is from a ban, or from the end of one, and when it expires. */
function KeyStanding({ view }: { readonly view: KeyView }) {
  const { store } = useConsole()
  const { refused, bansAt, text } = wayToBan(view, store.gaps.value)
  const { state, bannedUntil, expiresAt } = view
  return (
    <>
      {bannedUntil === undefined ? (
        <div class="key-window">
          {refused === 0 ? (
            <p class="meter-text">
              <b>Refused</b> {text}
            </p>
          ) : (
            <Meter label="Refused" value={refused} most={bansAt ?? 0} text={text} tone="scarce" />
          )}
        </div>
      ) : (
        <p class="key-note">
          Banned: served again <Countdown until={bannedUntil} />
        </p>
      )}
      {state === 'expired' ? (
        <p class="key-note">Expired at {expiresAt}: answered with 401</p>
      ) : null}
      {state === 'revoked' ? <p class="key-note">Revoked: answered with 401</p> : null}
      {expiresAt === undefined || state === 'expired' ? null : (
        <p class="hint">
          expires <Countdown until={expiresAt} />
        </p>
      )}
    </>
  )
}
