import type { JournalEntry } from '../../../client/connect-sandbox.ts'
import type { Remote } from '../../../client/remote.ts'
import { splitJson } from '../../../contract/json/json-splitter.ts'
import { Slices } from '../pace/slices.ts'
import { isEntry } from './known-event.ts'

/** Reads the latest exchanges, oldest first, a few at a time, so that many large ones don't keep the page busy. */
export async function readLatest(
  remote: Remote,
  limit: number,
  signal: AbortSignal,
): Promise<readonly JournalEntry[]> {
  const request = { method: 'GET', path: `/requests?limit=${limit}` }
  const { body } = await remote.open(request, { signal })
  const found: JournalEntry[] = []
  if (body === null) return found
  await splitJson(inSlices(body), {
    opens: (path) => path.length === 0,
    take(_, text) {
      const entry: unknown = JSON.parse(text)
      // One that isn't whole harms none of the others.
      if (isEntry(entry)) found.push(entry)
    },
    closes() {},
  })
  return found
}

/** Gives the pieces of a body, and the page its turns between them. */
async function* inSlices(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const slices = new Slices()
  const reader = body.getReader()
  for (;;) {
    const { value } = await reader.read()
    if (value === undefined) return
    yield value
    await slices.turn()
  }
}
