import { spellHeader } from '../../contract/headers.ts'
import type { Headers } from '../../contract/message.ts'
import { utf8Length } from '../../contract/message.ts'
import { isRecord } from '../../input/record.ts'
import { named, type Schema } from '../../input/schema.ts'
import { anyThat } from '../../input/values.ts'
import type { JournalEntry } from '../../state/journal/journal-entry.ts'

/** An HTTP archive 1.2, as browsers' developer tools import it. */
export interface HarDocument {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly Readonly<Record<string, unknown>>[]
  }
}

/** An HTTP archive. */
export const harDocument: Schema<HarDocument> = named(
  'Har',
  anyThat(
    'an HTTP archive',
    (found): found is HarDocument => isRecord(found) && isRecord(found.log),
    {
      type: 'object',
      required: ['log'],
      properties: {
        log: {
          type: 'object',
          required: ['version', 'creator', 'entries'],
          properties: {
            version: { type: 'string', const: '1.2' },
            creator: {
              type: 'object',
              required: ['name', 'version'],
              properties: { name: { type: 'string' }, version: { type: 'string' } },
            },
            entries: { type: 'array', items: { type: 'object' } },
          },
        },
      },
    },
  ),
)

/**
 * Writes journal entries as HAR 1.2.
 *
 * @param origin What stands before the paths, such as `http://127.0.0.1:7387`.
 */
export function toHar(entries: readonly JournalEntry[], origin = 'http://localhost'): HarDocument {
  return {
    log: {
      version: '1.2',
      creator: { name: 'petstore-sandbox', version: '1' },
      entries: entries.map((entry) => harEntry(entry, origin)),
    },
  }
}

function harEntry(entry: JournalEntry, origin: string) {
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

/** A target as a URL: one that a proxy's client sends is one already, and one such as `*` names no path. */
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
