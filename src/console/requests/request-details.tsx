import { useEffect, useState } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { curlText, fetchText, vitestText } from '../../reports/request-text.ts'
import { useConsole } from '../live/console-context.ts'
import { outcomeText, requestText, whyText } from '../model/entry-text.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/controls/button.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import { FaultDialog } from './fault-dialog.tsx'
import { MessageView } from './message-view.tsx'
import { Reasons } from './reasons.tsx'
import { WhatIfDialog } from './what-if-dialog.tsx'

interface RequestDetailsProps {
  readonly id: number
  /** The exchange, if it is among those that are kept. */
  readonly known: JournalEntry | undefined
  readonly closeLink: string
  /** Called when it is closed, or something is done with it: another request would take its place. */
  readonly stopFollowing: () => void
}

/** One exchange in full: request, reply, why, and what can be done with it. */
export function RequestDetails({ id, known, closeLink, stopFollowing }: RequestDetailsProps) {
  const { entry, problem } = useEntry(id, known)
  const close = (
    <a class="button quiet" href={closeLink} onClick={stopFollowing} aria-label="Close the details">
      ✕
    </a>
  )
  if (entry === undefined) {
    return (
      <section class="details" aria-label="Details">
        <header>
          <h2>Request {Number.isNaN(id) ? '' : id}</h2>
          {close}
        </header>
        <p>{problem ?? 'Looking for it …'}</p>
      </section>
    )
  }
  return (
    <section class="details" aria-label={`Details of request ${entry.id}`}>
      <header>
        <h2>
          <span class="number">#{entry.id}</span> <code>{requestText(entry)}</code>
        </h2>
        {close}
      </header>
      <p class="details-outcome">
        <Badge {...outcomeText(entry)} /> <span>{whyText(entry)}</span>
      </p>
      <Actions entry={entry} onOpen={stopFollowing} />
      <Reasons entry={entry} />
      <MessageView title="Request" {...entry.request} />
      {'body' in entry.outcome ? (
        <MessageView title={`Reply ${entry.outcome.status}`} {...entry.outcome} />
      ) : null}
    </section>
  )
}

/** Gives an exchange; one that isn't kept is asked for. */
function useEntry(id: number, known: JournalEntry | undefined) {
  const { client } = useConsole()
  const [asked, setAsked] = useState<JournalEntry | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const isKnown = known !== undefined
  useEffect(() => {
    if (isKnown) return
    let isWanted = true
    client.journal.get(id).then(
      (entry) => isWanted && setAsked(entry),
      (error: unknown) =>
        isWanted && setProblem(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isWanted = false
    }
  }, [client, id, isKnown])
  return { entry: known ?? asked, problem }
}

interface ActionsProps {
  readonly entry: JournalEntry
  readonly onOpen: () => void
}

function Actions({ entry, onOpen }: ActionsProps) {
  const { store, apiUrl, file } = useConsole()
  const [opened, setOpened] = useState<'fault' | 'what-if' | undefined>(undefined)
  const close = (): void => setOpened(undefined)
  const open = (what: 'fault' | 'what-if'): void => {
    onOpen()
    setOpened(what)
  }
  const source = () => ({ entry, apiUrl, key: store.keyOf.peek()(entry) })
  return (
    <div class="actions">
      <CopyButton what="curl" text={() => curlText(source())} />
      <CopyButton what="fetch" text={() => fetchText(source())} />
      <CopyButton what="Vitest test" text={() => vitestText(source())} />
      <CopyButton what="link" text={() => location.href} />
      <Button onClick={() => open('what-if')}>What if…</Button>
      {file !== undefined ? null : (
        <Button onClick={() => open('fault')}>Make a fault of it…</Button>
      )}
      {opened === 'what-if' ? <WhatIfDialog entry={entry} onClose={close} /> : null}
      {opened === 'fault' ? <FaultDialog entry={entry} onClose={close} /> : null}
    </div>
  )
}
