import { ApiError, codeOfStatus } from '../contract/error.ts'
import { retryAfter } from '../contract/http/retry-after.ts'
import { durationFrom } from '../input/duration.ts'
import { optional, withDefault } from '../input/object.ts'
import { oneOf, whole } from '../input/values.ts'
import { faultKind, kindTable } from './fault-kind.ts'
import { waitRange } from './wait-range.ts'

/** The longest wait of a fault; for longer ones there is `timeout`. */
const wait = durationFrom(0, 86_400_000)

/** The kinds of fault by name: what each says, takes and does. */
export const faultKinds = kindTable({
  status: faultKind('status', {
    describedAs:
      'The operation is replaced by any `status` from 400 to 599, with an Error body, and Retry-After for `retryAfter`.',
    settings: { status: withDefault(whole(400, 599), 500), retryAfter: optional(wait) },
    action: ({ status, retryAfter: ms }) => ({
      step: 'refuse',
      refusal: (now, gaps) =>
        new ApiError(
          codeOfStatus(status),
          `Cannot answer the request: a fault injects status ${status}`,
          { ...(ms === undefined ? {} : retryAfter(now + ms, gaps, now)), status },
        ),
    }),
  }),
  latency: faultKind('latency', {
    describedAs: 'The answer is delayed by `ms`: a duration, or a range of two.',
    settings: { ms: waitRange(wait) },
    action: ({ ms: [leastMs, mostMs] }) => ({ step: 'wait', leastMs, mostMs }),
  }),
  'rate-limit': faultKind('rate-limit', {
    describedAs: "The key's minute window is used up at once: 429 with true headers.",
    settings: {},
    action: () => ({ step: 'use-up', window: 'minute' }),
  }),
  disconnect: faultKind('disconnect', {
    describedAs:
      'The connection is reset, `when`: `before` the reply, or in the middle of its `body`.',
    settings: { when: withDefault(oneOf(['before', 'body']), 'before') },
    action: ({ when }) => ({
      step: 'spoil',
      spoil: (reply, spoiler) =>
        when === 'before' ? { kind: 'disconnect' } : spoiler.breakOff(reply, 'reset'),
    }),
  }),
  timeout: faultKind('timeout', {
    describedAs: 'The request is never answered.',
    settings: {},
    action: () => ({
      step: 'spoil',
      spoil: (_, spoiler) => ({ kind: 'timeout', ended: spoiler.waitForEnd() }),
    }),
  }),
  'malformed-json': faultKind('malformed-json', {
    describedAs: 'The body is not valid JSON.',
    settings: {},
    action: () => ({
      step: 'spoil',
      // The reply to HEAD has no body.
      spoil: (reply, spoiler) =>
        reply.body === '' ? reply : { ...reply, body: `${spoiler.halfOf(reply)}<` },
    }),
  }),
  'truncated-body': faultKind('truncated-body', {
    describedAs: 'The connection is closed in the middle of the body.',
    settings: {},
    action: () => ({
      step: 'spoil',
      spoil: (reply, spoiler) => spoiler.breakOff(reply, 'close'),
    }),
  }),
  'slow-body': faultKind('slow-body', {
    describedAs: 'The body arrives in pieces, over `ms`.',
    settings: { ms: wait },
    action: ({ ms }) => ({
      step: 'spoil',
      spoil: (reply, spoiler) => spoiler.sendSlowly(reply, ms),
    }),
  }),
})

export type FaultName = keyof typeof faultKinds
