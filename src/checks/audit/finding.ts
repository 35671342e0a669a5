import { list, object, optional } from '../../mock/input/object.ts'
import { described, type Input, named, type Output } from '../../mock/input/schema.ts'
import { flag, integer, oneOf, string } from '../../mock/input/values.ts'

/** How sure and how bad a finding is: proved, unwise or against a documented SHOULD, or a pattern; the worst first. */
export const severities = ['error', 'warning', 'info'] as const

export type Severity = (typeof severities)[number]

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
    message: string,
    /** What to do instead. */
    advice: string,
    /** The clause of the interface, or the public source, that says so. */
    source: string,
    /** The number of the caller, as the journal has it. */
    client: integer(0, 1e15),
    /** The ids of the exchanges that prove it. */
    requests: list(integer(1, 1e15)),
    /** The test that was running, where tests are announced. */
    test: optional(described('The test that was running, where tests are announced.', string)),
    /** Whether the sandbox was reset or restored since, so that other exchanges may have these ids now. */
    beforeReset: optional(described('Whether the sandbox was reset or restored since.', flag)),
  }),
)

/** A rule of the interface that a client broke, with the proof. */
export type Finding = Input<typeof finding>

/** How to judge. */
export const findingOptions = object(
  {
    /**
     * Whether each key is used by a single client, even if it sends requests at the same time; `false`: by several, even
     * if they never do. Without it, a key belongs to several clients once it has had two requests under way.
     */
    oneClient: optional(
      described(
        'Whether each key belongs to a single client (`true`) or to several (`false`); by default to several once it has had two requests under way at once.',
        flag,
      ),
    ),
  },
  { title: 'audit', example: '{ "oneClient": true }' },
)

/** How to judge. */
export type FindingOptions = Input<typeof findingOptions>

export type ReadAuditOptions = Output<typeof findingOptions>
