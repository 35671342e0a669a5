import { useState } from 'preact/hooks'
import type { KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { Confirm } from '../parts/controls/dialog.tsx'
import { quotaActions, standingActions } from './key-action-list.ts'
import { LimitsDialog } from './limits-dialog.tsx'

interface KeyActionsProps {
  readonly view: KeyView
  readonly onDeleted: () => void
}

/** What can be done to a key: what it has left, then whether it is served, its limits, its end. */
export function KeyActions({ view, onDeleted }: KeyActionsProps) {
  const { key, plan } = view
  const { run } = useAction()
  const [asked, setAsked] = useState<'limits' | 'delete' | undefined>(undefined)
  const remove = async (): Promise<void> => {
    if (await run(({ keys }) => keys.delete(key), `${key} is deleted`)) onDeleted()
  }
  const close = (): void => setAsked(undefined)
  const buttons = (actions: ReturnType<typeof quotaActions>) =>
    actions.map(({ name, text, about, done, act }) => (
      <Button key={name} about={about} onClick={() => void run(act, `${key} ${done}`)}>
        {text}
      </Button>
    ))
  return (
    <fieldset class="key-actions">
      <legend class="unseen">Change {key}</legend>
      <div class="group">{buttons(quotaActions(view))}</div>
      <div class="group">
        {buttons(standingActions(view))}
        <Button onClick={() => setAsked('limits')}>Limits…</Button>
        <Button onClick={() => setAsked('delete')}>Delete…</Button>
      </div>
      {asked === 'limits' ? <LimitsDialog view={view} plan={plan} onClose={close} /> : null}
      {asked === 'delete' ? (
        <Confirm
          title={`Delete ${key}`}
          text="Its requests get 401 from then on, and what it has used is forgotten."
          verb="Delete"
          onConfirm={() => void remove()}
          onClose={close}
        />
      ) : null}
    </fieldset>
  )
}
