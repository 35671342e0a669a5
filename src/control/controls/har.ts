import { spellHeader } from '../../contract/headers.ts'
import { type Headers, utf8Length } from '../../contract/message.ts'
import { list } from '../../input/collections.ts'
import { object } from '../../input/object.ts'
import { isRecord } from '../../input/record.ts'
import { type Given, named } from '../../input/schema.ts'
import { anyThat, oneOf, string } from '../../input/values.ts'
import type { JournalEntry } from '../../state/journal/journal-entry.ts'

const harEntry = anyThat('an entry of an HTTP archive', isRecord, { type: 'object' })

/** An HTTP archive 1.2, which browsers' developer tools import. */
export const harDocument = named(
  'Har',
  object({
    log: object({
      version: oneOf(['1.2']),
      creator: object({ name: string, version: string }),
      entries: list(harEntry),
    }),
  }),
)

/** An HTTP archive 1.2, which browsers' developer tools import. */
export type HarDocument = Given<typeof harDocument>

/**
 * Writes journal entries as HAR 1.2.
 *
 * @param origin The origin of the URLs, such as `http://127.0.0.1:7387`.
 */
export function toHar(entries: readonly JournalEntry[], origin = 'http://localhost'): HarDocument {
  return {
    log: {
      version: '1.2',
      creator: { name: 'petstore-sandbox', version: '1' },
      entries: entries.map((entry) => showEntry(entry, origin)),
    },
  }
}

function showEntry(entry: JournalEntry, origin: string) {
  const { at, durationMs, why } = entry
  return {
    startedDateTime: new Date(at).toISOString(),
    time: durationMs,
    request: harRequest(entry, origin),
    response: harResponse(entry),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: why,
  }
}

function harRequest({ request }: JournalEntry, origin: string) {
  const { method, url, headers, body } = request
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : []
  return {
    method,
    url: absolute(url, origin),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(headers),
    queryString: [...query].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: utf8Length(body),
    ...(body === '' ? {} : { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
  }
}

/** Makes a URL of a target: one sent to a proxy is a URL already, and one such as `*` has no path. */
function absolute(target: string, origin: string): string {
  if (/^https?:\/\//i.test(target)) return target
  return target.startsWith('/') ? `${origin}${target}` : `${origin}/`
}

function harResponse({ outcome }: JournalEntry) {
  // DevTools show status 0 as a failed request.
  const { status, headers, body } =
    'status' in outcome ? outcome : { status: 0, headers: {}, body: '' }
  return {
    status,
    statusText: 'status' in outcome ? '' : outcome.kind,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(headers),
    content: { size: utf8Length(body), mimeType: 'application/json', text: body },
    redirectURL: '',
    headersSize: -1,
    bodySize: utf8Length(body),
  }
}

function harHeaders(headers: Headers) {
  return Object.entries(headers).map(([name, value]) => ({ name: spellHeader(name), value }))
}
