import { headersFrom } from '../../contract/http/read-request.ts'
import { type ApiRequest, type Headers, type ReadBody, utf8Length } from '../../contract/message.ts'
import { formatInstant } from '../../input/instant.ts'
import { redactAuthorization, redactKey } from '../redactor.ts'
import type { Exchange } from './exchange.ts'
import { factsOf } from './facts/facts-of.ts'
import type { JournalEntry } from './journal-entry.ts'
import { whyOf } from './why.ts'

/**
 * Writes an exchange as the journal shows it.
 *
 * @param hide Abbreviates the keys that may not stand in it whole.
 */
export function showExchange(
  id: number,
  exchange: Exchange,
  hide: (text: string) => string,
): JournalEntry {
  const { request, at, endedAt, operation, token, quota } = exchange
  return {
    id,
    at: formatInstant(at),
    // The clock may have been set back meanwhile.
    durationMs: Math.max(0, endedAt - at),
    ...(operation === undefined ? {} : { operation }),
    ...(token === '' ? {} : { key: redactKey(token) }),
    request: {
      method: hide(request.method),
      url: hide(request.url),
      headers: hideInHeaders(request.headers, hide),
      ...showBody(request, hide),
    },
    outcome: showOutcome(exchange, hide),
    quota: {
      window: quota.window,
      limit: quota.limit,
      remaining: quota.remaining,
      resetAt: formatInstant(quota.resetAt),
      spent: exchange.isSpent,
    },
    faults: exchange.strikes.map((strike) => strike.id),
    why: hide(whyOf(exchange)),
    ...factsOf(exchange),
  }
}

/** Headers that hold nothing but a secret, known or not. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization'])

function hideInHeaders(headers: Headers, hide: (text: string) => string): Headers {
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [
    hide(name),
    credentials.has(name) ? redactAuthorization(value) : hide(value),
  ])
  return Object.fromEntries(shown)
}

/** Shows a body, and how many bytes it has if that can't be seen. */
function showBody({ body, bodyBytes }: ReadBody, hide: (text: string) => string): ReadBody {
  const shown = hide(body)
  const bytes = bodyBytes ?? (shown === body ? undefined : utf8Length(body))
  return bytes === undefined ? { body: shown } : { body: shown, bodyBytes: bytes }
}

/** The headers of a reply as its host sends them. */
function sentHeaders(
  { headers, body, bodyBytes }: ReadBody & { readonly headers: Headers },
  { addedLines }: ApiRequest,
): Headers {
  if (addedLines === undefined) return { ...headers }
  const length = headers['content-length'] ?? String(bodyBytes ?? utf8Length(body))
  return { ...headers, 'content-length': length, ...headersFrom(addedLines) }
}

function showOutcome(
  { request, outcome, endedAt, sent }: Exchange,
  hide: (text: string) => string,
): JournalEntry['outcome'] {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { status } = outcome
  const reply = {
    status,
    headers: hideInHeaders(sentHeaders(outcome, request), hide),
    ...showBody(outcome, hide),
  }
  if (outcome.kind === 'reply') return { kind: 'reply', ...reply }
  const { end } = outcome
  if (sent?.end === undefined) return { kind: 'broken-reply', ...reply, end }
  const { bytes, at } = sent.end
  const bodyMs = Math.max(0, at - endedAt)
  return { kind: 'broken-reply', ...reply, end, sentBytes: bytes, bodyMs }
}
