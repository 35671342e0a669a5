import type { Headers, Outcome } from '../../contract/message.ts'
import { formatInstant } from '../../input/instant.ts'
import { hideCredentials, redactKey } from '../redact.ts'
import type { Exchange } from './exchange.ts'
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
      body: hide(request.body),
    },
    outcome: showOutcome(exchange.outcome, hide),
    quota: {
      window: quota.window,
      limit: quota.limit,
      remaining: quota.remaining,
      resetAt: formatInstant(quota.resetAt),
      spent: exchange.isSpent,
    },
    faults: exchange.strikes.map((strike) => strike.id),
    why: hide(whyOf(exchange)),
  }
}

function hideInHeaders(headers: Headers, hide: (text: string) => string): Headers {
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [
    hide(name),
    name === 'authorization' ? hideCredentials(value) : hide(value),
  ])
  return Object.fromEntries(shown)
}

function showOutcome(outcome: Outcome, hide: (text: string) => string): JournalEntry['outcome'] {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { kind, status, headers, body } = outcome
  return { kind, status, headers: { ...headers }, body: hide(body) }
}
