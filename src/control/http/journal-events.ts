import type { JournalControls } from '../controls/journal-controls.ts'

/** Streams the exchanges to come as server-sent events, until its owner leaves. */
export async function* journalEvents(
  journal: JournalControls,
  _lastEventId: string | undefined,
  owner: AbortSignal | undefined,
): AsyncGenerator<string> {
  yield ': the exchanges of this sandbox, from now on\n\n'
  const waiting: string[] = []
  let wake = (): void => {}
  const end = journal.subscribe((entry) => {
    waiting.push(`id: ${entry.id}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`)
    wake()
  })
  owner?.addEventListener('abort', () => wake())
  try {
    while (owner?.aborted !== true) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    end()
  }
}
