import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { requestText } from '../model/entry-text.ts'
import { type FaultDraft, firstDraft } from '../model/situations/fault-texts.ts'
import { Dialog } from '../parts/controls/dialog.tsx'
import { FaultForm } from '../situations/fault-form.tsx'

interface FaultDialogProps {
  readonly entry: JournalEntry
  readonly onClose: () => void
}

/** Lets something go wrong with the next requests that are like one that was answered. */
export function FaultDialog({ entry, onClose }: FaultDialogProps) {
  return (
    <Dialog title="Make a fault of it" onClose={onClose}>
      <p>
        For the next requests like <code>{requestText(entry)}</code>
      </p>
      <FaultForm first={draftOf(entry)} onDone={onClose} />
    </Dialog>
  )
}

/** A fault like what became of a request, or else like a server with a bug. */
function draftOf({ outcome, operation, request }: JournalEntry): FaultDraft {
  const target = operation === undefined ? { method: request.method } : { operation }
  const draft: FaultDraft = { ...firstDraft, ...target }
  if (outcome.kind === 'disconnect' || outcome.kind === 'timeout') {
    return { ...draft, fault: outcome.kind }
  }
  if (outcome.status === 429) return { ...draft, fault: 'rate-limit' }
  return outcome.status >= 400 ? { ...draft, status: String(outcome.status) } : draft
}
