import { list } from '../input/collections.ts'
import { object, optional } from '../input/object.ts'
import { described, type Given, named } from '../input/schema.ts'
import { flag, oneOf, string, whole } from '../input/values.ts'
import { severities } from './severity.ts'

/** A rule of the interface that a client broke, with the proof. */
export const finding = named(
  'Finding',
  object({
    /** The name of the rule. */
    rule: string,
    severity: described(
      '`error` is a breach; `warning` is unwise, or against a documented SHOULD; `info` is a pattern.',
      oneOf(severities),
    ),
    /** What the client did, with the numbers. */
    verdict: string,
    /** What to do instead. */
    advice: string,
    /** The clause of the interface, or the public source, that says so. */
    clause: string,
    /** The number of the caller, as the journal has it. */
    caller: whole(0, 1e15),
    /** The ids of the exchanges that prove it. */
    exchanges: list(whole(1, 1e15)),
    /** Whether the sandbox was reset or restored since, so that other exchanges may have these ids now. */
    beforeReset: optional(described('Whether the sandbox was reset or restored since.', flag)),
  }),
)

/** A rule of the interface that a client broke, with the proof. */
export type Finding = Given<typeof finding>
