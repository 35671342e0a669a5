import type { Finding } from '../../../audit/finding.ts'
import type { JournalEntry } from '../../../client/connect-sandbox.ts'
import { isRecord } from '../../../input/record.ts'
import type { Mark } from '../../../state/journal-entry.ts'
import type { ConsoleEvent } from '../console-client.ts'

/** Makes of an event what the console knows of it; `undefined` for what it doesn't know, or what isn't whole. */
export function knownEvent(name: string, data: unknown): ConsoleEvent | undefined {
  if (name === 'lost') return { kind: 'lost' }
  if (name === 'request' && isEntry(data)) return { kind: 'request', entry: data }
  if (name === 'mark' && isMark(data)) return { kind: 'mark', mark: data }
  if (name === 'finding' && isFinding(data)) return { kind: 'finding', finding: data }
  return undefined
}

/** Whether something is an exchange, as far as the list of them has to know. */
export function isEntry(value: unknown): value is JournalEntry {
  return isRecord(value) && typeof value.id === 'number' && isRecord(value.outcome)
}

function isMark(value: unknown): value is Mark {
  return isRecord(value) && typeof value.kind === 'string'
}

function isFinding(value: unknown): value is Finding {
  return isRecord(value) && typeof value.rule === 'string' && Array.isArray(value.exchanges)
}
