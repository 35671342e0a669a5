import type { Outcome } from '../../contract/message.ts'
import { dictionary, list } from '../../input/collections.ts'
import { object, optional } from '../../input/object.ts'
import { described, type Given, named } from '../../input/schema.ts'
import { flag, oneOf, string, whole } from '../../input/values.ts'
import { earlierRequests } from './capture-file.ts'

/** What became of a request in a replay. */
const otherReply = object({
  kind: oneOf(['reply', 'broken-reply', 'disconnect', 'timeout']),
  /** Of a reply, as are headers and body. */
  status: optional(whole(100, 599)),
  headers: optional(dictionary(string)),
  body: optional(string),
})

/** What became of a request in a replay. */
export type OtherReply = Given<typeof otherReply>

/** What another choice at a gap would have changed. */
const choiceEffect = named(
  'ChoiceEffect',
  object({
    /** Whether any reply would have differed. */
    matters: described('Whether any reply would have differed.', flag),
    /** Which request would have been the first: its id in the journal. */
    first: optional(
      described('The first request with a different reply: its id in the journal.', whole(1, 1e15)),
    ),
    /** How many requests would have had a different reply; only where that is asked for. */
    requests: optional(
      described('How many requests would have had a different reply, if asked.', whole(1, 1e15)),
    ),
    /** That request, its reply, and the one that it would have had; only where they are asked for. */
    replies: optional(
      object({ method: string, url: string, before: otherReply, instead: otherReply }),
    ),
  }),
)

/** What another choice at a gap would have changed. */
export type ChoiceEffect = Given<typeof choiceEffect>

/** Which choices would have changed any reply to what a sandbox was asked. */
export const counterfactualReport = named(
  'Counterfactual',
  object({
    /** How many requests were replayed. */
    exchanges: described('How many requests were replayed.', whole(0, 1e15)),
    /** The requests before, of which nothing is known any more; only where there were any. */
    earlier: optional(
      described('The requests before these, which are forgotten.', earlierRequests),
    ),
    /** By the gap and the choice, as it is set. */
    gaps: described('By the gap and the choice.', dictionary(dictionary(choiceEffect))),
    /** The gaps in what nobody has promised. */
    unpromised: described('The gaps in what nobody has promised.', list(string)),
  }),
)

/** Which choices would have changed any reply to what a sandbox was asked. */
export type Counterfactual = Given<typeof counterfactualReport>

/** What a counterfactual shows. */
export const counterfactualOptions = object({
  /** Whether it shows the request, its reply and the other one, where a choice first matters. */
  replies: optional(
    described(
      'Whether to show the request, its reply and the other one; `false` by default.',
      flag,
    ),
    false,
  ),
  /** Whether it counts the requests with a different reply, in place of looking for the first one. */
  count: optional(
    described(
      'Whether to count the requests with a different reply, which takes longer; `false` by default.',
      flag,
    ),
    false,
  ),
})

/** What a counterfactual shows. */
export type CounterfactualOptions = Given<typeof counterfactualOptions>

/** What would have become of a request under other choices. */
export const whatIfReport = named(
  'WhatIf',
  object({
    /** Whether the reply would have been another one. */
    differs: described('Whether the reply would have been another one.', flag),
    /** What became of it. */
    before: described('What became of it.', otherReply),
    /** What would have become of it. */
    instead: described('What would have become of it.', otherReply),
  }),
)

/** What would have become of a request under other choices. */
export type WhatIf = Given<typeof whatIfReport>

/** Shows what became of a request in a replay. */
export function replyOf(outcome: Outcome): OtherReply {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { kind, status, headers, body } = outcome
  return { kind, status, headers: { ...headers }, body }
}
