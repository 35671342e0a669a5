import { type ErrorCode, errorCodes } from '../../../contract/error.ts'
import type { GapName } from '../../../contract/gaps.ts'
import type { Exchange } from '../exchange.ts'

/** Why a request was answered the way it was. */
export interface Decision {
  /** The error code of a refusal, however the gap `errorCodes` writes it. */
  readonly code: ErrorCode | undefined
  /** The deciding clause; none is behind an error that a fault injected. */
  readonly clause: string | undefined
  /** The gap whose choice decided. */
  readonly gap: GapName | undefined
}

/** Gives the decision behind an exchange. */
export function decisionOf({ refusal, spec, strikes }: Exchange): Decision {
  if (refusal === undefined) return { code: undefined, clause: spec ?? '4', gap: undefined }
  const { code, gap } = refusal
  const isInjected = strikes.some(({ action }) => action.step === 'refuse')
  if (isInjected) return { code, clause: undefined, gap: undefined }
  const hasOwnClause = code === 'invalid_request' || code === 'not_found'
  return { code, clause: (hasOwnClause ? spec : undefined) ?? errorCodes[code].spec, gap }
}
