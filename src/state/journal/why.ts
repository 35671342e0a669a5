import { errorCodes } from '../../contract/error.ts'
import { formatChoice } from '../../contract/gaps.ts'
import { redactKey } from '../redact.ts'
import type { Exchange } from './exchange.ts'

/** Says why a request was answered this way, with the deciding clause or gap. */
export function whyOf(exchange: Exchange): string {
  const { outcome, strikes, cutShort } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  const struck = strikes.map(({ id, fault }) => `fault ${id} (${fault})`)
  const ended = cutShort === undefined ? [] : [`${cutShort} before the answer`]
  return [`${status}: ${decisionOf(exchange)}`, ...struck, ...ended].join('; ')
}

function decisionOf({ refusal, operation, spec, quota, token, gaps, strikes }: Exchange): string {
  if (refusal === undefined) return `${operation ?? 'answered'}; spec ${spec ?? '4'}`
  // No clause is behind an injected error, whatever its code.
  if (strikes.some(({ action }) => action.step === 'refuse')) return refusal.message
  if (refusal.code === 'rate_limit_exceeded') {
    return `the ${quota.window} window of key ${redactKey(token)} is full, ${quota.limit} of ${quota.limit}; spec 8`
  }
  const hasOwnClause = refusal.code === 'invalid_request' || refusal.code === 'not_found'
  const clause = (hasOwnClause ? spec : undefined) ?? errorCodes[refusal.code].spec
  const gap =
    refusal.gap === undefined
      ? ''
      : `, gap ${refusal.gap}=${formatChoice(refusal.gap, gaps[refusal.gap])}`
  return `${refusal.message}; spec ${clause}${gap}`
}
