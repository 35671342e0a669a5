import { formatChoice } from '../../contract/gaps.ts'
import { redactKey } from '../redactor.ts'
import type { Exchange } from './exchange.ts'
import { decisionOf } from './facts/decision.ts'

/** Says why a request was answered this way, with the deciding clause or gap. */
export function whyOf(exchange: Exchange): string {
  const { outcome, strikes, cutShort } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  const struck = strikes.map(({ id, fault }) => `fault ${id} (${fault})`)
  const ended = cutShort === undefined ? [] : [`${cutShort} before the answer`]
  return [`${status}: ${reasonOf(exchange)}`, ...struck, ...ended].join('; ')
}

function reasonOf(exchange: Exchange): string {
  const { refusal, operation, quota, token, gaps } = exchange
  const { clause, gap } = decisionOf(exchange)
  if (refusal === undefined) return `${operation ?? 'answered'}; spec ${clause}`
  if (clause === undefined) return refusal.message
  const choice = gap === undefined ? '' : `, gap ${gap}=${formatChoice(gap, gaps[gap])}`
  if (refusal.code === 'rate_limit_exceeded') {
    const owner = token === '' ? 'requests without a key' : `key ${redactKey(token)}`
    return `the ${quota.window} window of ${owner} is full, ${quota.limit} of ${quota.limit}; spec ${clause}${choice}`
  }
  return `${refusal.message}; spec ${clause}${choice}`
}
