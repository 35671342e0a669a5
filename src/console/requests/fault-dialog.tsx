import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { requestText } from '../model/entry-text.ts'
import type { Typed } from '../parts/controls/data-form.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'
import { FaultForm } from '../situations/faults.tsx'

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
      <FaultForm first={firstOf(entry)} onClose={onClose} />
    </Dialog>
  )
}

/** A fault like what became of a request, or else like a server with a bug. */
function firstOf({ outcome, operation, request }: JournalEntry): Typed {
  const target = operation === undefined ? { method: request.method } : { operation }
  if (outcome.kind === 'disconnect' || outcome.kind === 'timeout') {
    return { ...target, fault: outcome.kind }
  }
  if (outcome.status === 429) return { ...target, fault: 'rate-limit' }
  return outcome.status >= 400 ? { ...target, status: String(outcome.status) } : target
}
