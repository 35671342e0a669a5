import { list, object, optional } from '../../mock/input/object.ts'
import { described, type Input, type Output } from '../../mock/input/schema.ts'
import { flag, integer, oneOf, string } from '../../mock/input/values.ts'

/** Severities, worst first. */
export const severities = ['error', 'warning', 'info'] as const

/** Severity of a finding: `error` is proved, `warning` very likely or unwise, `info` good to know. */
export type Severity = (typeof severities)[number]

/** A rule that a client broke, with the requests that show it. */
export const finding = object({
  /** Name of the rule, such as `retry-too-early`. */
  rule: string,
  /** Severity: `error` is proved, `warning` very likely or unwise, `info` good to know. */
  severity: oneOf(severities),
  /** Description of what the client did, with numbers. */
  message: string,
  /** Recommended fix. */
  advice: string,
  /** Spec clause, or public source, of the rule. */
  source: string,
  /** Number of the client: `client` of its requests in the log. */
  client: integer(0, 1e15),
  /** Ids of the requests that show it. */
  requests: list(integer(1, 1e15)),
  /** Name of the test that was running; absent if tests aren't announced. */
  test: optional(string),
  /** Whether the sandbox was reset or restored since, so that other requests may have these ids now. */
  beforeReset: optional(flag),
})

/** A rule that a client broke, with the requests that show it. */
export interface Finding extends Input<typeof finding> {}

/** Options for findings. */
export const findingOptions = object(
  {
    /**
     * Whether each key belongs to a single client (`true`) or to several (`false`). By default, a key belongs to
     * several clients once it has had two requests in flight at once.
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

/** Options for findings. */
export interface FindingOptions extends Input<typeof findingOptions> {}

export type ReadAuditOptions = Output<typeof findingOptions>
