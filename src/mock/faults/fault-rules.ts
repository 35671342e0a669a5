import { type OperationName, operationNames } from '../api/endpoints.ts'
import { ApiError, codeOfStatus } from '../api/error.ts'
import { retryAfter } from '../api/gaps/limits.ts'
import { methodName } from '../api/http.ts'
import {
  type GivenOf,
  type Optional,
  object,
  optional,
  type Properties,
  type ReadOf,
  variant,
  withDefault,
} from '../input/object.ts'
import {
  described,
  type Input,
  identity,
  named,
  type Output,
  readPart,
  rejectValue,
  type Schema,
  ValidationError,
} from '../input/schema.ts'
import {
  type Duration,
  durationFrom,
  either,
  formatInstant,
  instant,
  integer,
  lastInstantAt,
  nullable,
  number,
  oneOf,
  rangePattern,
  text,
} from '../input/values.ts'
import { breakOff, type FaultAction, halfOf, sendSlowly } from './apply-faults.ts'

const keyText = text({ use: 'a key of 1 to 200 characters', pattern: /[\s\S]/, most: 200 })

const times: Optional<number | null, number | null> = optional(
  described('Number of requests it is applied to; all by default.', nullable(integer(1, 1e9))),
  null,
)

/** A time of day in UTC. */
const timeOfDay = text({
  use: 'a time of day in UTC such as 12:00',
  pattern: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/,
})

const instantOrTimeOfDay = either(instant, timeOfDay)

/** A time of day in UTC, or an instant, written as text. */
const begins: typeof instantOrTimeOfDay = {
  ...instantOrTimeOfDay,
  encode: (read) => (typeof read === 'string' ? read : formatInstant(read)),
}

const span = durationFrom(1, lastInstantAt)

/** The times at which a fault applies, by the sandbox's clock; an omitted time is the moment at which it is added. */
export const faultTimes = {
  /** Instant from which it applies, or the next such time of day in UTC: `12:00`; by default at once. */
  at: optional(described('When it begins: an instant, or a time of day in UTC.', begins)),
  /** Duration for which it applies; by default until it is removed. */
  for: optional(described('How long it applies.', span)),
  /** Period after which it applies again, with `for`: `1d` for each day. */
  every: optional(described('After how long it applies again, with `for`.', span)),
} as const

/** The filters of every fault; an omitted filter matches all requests. */
const filter = {
  /** Matches only this operation; by default all. */
  operation: optional(
    described('Matches only this operation.', nullable(oneOf<OperationName>(operationNames))),
    null,
  ),
  /** Matches only this method, in any letter case; by default all. */
  method: optional(
    described('Matches only this method, in any letter case.', nullable(methodName)),
    null,
  ),
  /** Matches only requests with this key; by default all. */
  key: optional(described('Matches only requests with this key.', nullable(keyText)), null),
  /** Number of requests it is applied to; all by default. */
  times,
  /** Number of matching requests to skip first; 0 by default. */
  skip: optional(described('How many matching requests it skips first.', integer(0, 1e9)), 0),
  /** Probability that it is applied, from 0 to 1, drawn with the sandbox's random seed; 1 by default. */
  probability: optional(
    described(
      "From 0 to 1, drawn with the sandbox's random seed.",
      number('a number from 0 to 1', { minimum: 0, maximum: 1 }),
    ),
    1,
  ),
  ...faultTimes,
} as const

/** A parsed fault. */
interface FaultRule<Settings> extends ReadOf<typeof filter> {
  readonly fault: string
  readonly action: FaultAction
  /** The fault as users write it. */
  readonly settings: Settings
}

/** A kind of fault; it is the schema of its faults. */
interface FaultKind<Name extends string, Own extends Properties>
  extends Schema<GivenOf<PropertiesOf<Name, Own>>, FaultRule<GivenOf<PropertiesOf<Name, Own>>>> {
  readonly properties: Properties
}

type PropertiesOf<Name extends string, Own> = {
  /** The kind of fault. */
  readonly fault: Schema<Name>
} & Own &
  typeof filter

/** Creates a kind of fault. */
function faultKind<const Name extends string, const Own extends Properties>(
  name: Name,
  row: {
    /** A sentence for its JSON Schema. */
    readonly describedAs: string
    /** The settings that only this kind has. */
    readonly settings: Own
    readonly action: (settings: ReadOf<Own>) => FaultAction
  },
): FaultKind<Name, Own> {
  const { describedAs, settings, action } = row
  const properties: PropertiesOf<Name, Own> = { fault: oneOf([name]), ...settings, ...filter }
  const all = object(properties)
  const ownSettings = object(settings, { unknown: 'ignore' })
  const common = object(filter, { unknown: 'ignore' })
  return {
    properties,
    expected: all.expected,
    jsonSchema: named(componentOf(name), described(describedAs, all)).jsonSchema,
    parse(found) {
      const written = all.encode(all.parse(found))
      const filters = common.parse(written)
      expectTimes(filters)
      return {
        ...filters,
        fault: name,
        action: action(ownSettings.parse(written)),
        settings: written,
      }
    },
    encode: (rule) => rule.settings,
  }
}

/** @throws {@link ValidationError} for a period without a duration, or one that is too short for it. */
function expectTimes({ for: forMs, every: everyMs }: ReadOf<typeof faultTimes>): void {
  if (everyMs === undefined) return
  if (forMs === undefined) throw new ValidationError('it needs for, too; use both', ['every'])
  if (forMs > everyMs)
    throw new ValidationError('it is shorter than for; use a longer one', ['every'])
}

const dayMs = 86_400_000

/** Returns a fault with its beginning as an instant, if it has times; a time of day is the one that is or comes next. */
export function startingAt(rule: AnyFaultRule, now: number): AnyFaultRule {
  const { at, for: forMs = 0, every } = rule
  if (at === undefined && rule.for === undefined && every === undefined) return rule
  const startsAt = typeof at === 'string' ? nextTimeOfDay(at, now - forMs) : (at ?? now)
  return faultRule.parse({ ...rule.settings, at: formatInstant(startsAt) })
}

/** Returns the first instant after another that has a time of day. */
function nextTimeOfDay(text: string, after: number): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  const ofDayMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000
  const onDay = after - (after % dayMs) + ofDayMs
  return onDay >= after ? onDay : onDay + dayMs
}

/** Returns whether a fault applies at a time. */
export function isDue({ at, for: forMs, every: everyMs }: AnyFaultRule, now: number): boolean {
  if (typeof at !== 'number') return true
  if (now < at) return false
  if (forMs === undefined) return true
  return (everyMs === undefined ? now - at : (now - at) % everyMs) < forMs
}

/** Returns the name of a kind's JSON Schema: `rate-limit` becomes `RateLimitFault`. */
function componentOf(name: string): string {
  return `${name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}Fault`
}

/** A wait, or a range for a random one, written as `1s-3s` or as an array; parsed to its minimum and maximum. */
export function waitRange(
  wait: Schema<Duration, number>,
): Schema<Duration | readonly [Duration, Duration], readonly [number, number]> {
  const expected = `${wait.expected}, or a range such as 1s-3s, the shorter first`
  const readSingle = (found: unknown): number => {
    try {
      return wait.parse(found)
    } catch (thrown) {
      if (!(thrown instanceof ValidationError)) throw thrown
      return rejectValue(found, expected)
    }
  }
  return {
    expected,
    jsonSchema: () => ({
      anyOf: [
        wait.jsonSchema(),
        {
          type: 'string',
          pattern: rangePattern.source,
          description: 'A range such as 1s-3s.',
          examples: ['1s-3s'],
        },
        {
          type: 'array',
          items: wait.jsonSchema(),
          minItems: 2,
          maxItems: 2,
          examples: [['1s', '3s']],
        },
      ],
    }),
    parse(found) {
      const parts = partsOf(found)
      if (parts === undefined) {
        const ms = readSingle(found)
        return [ms, ms]
      }
      if (parts.length !== 2) return rejectValue(found, expected)
      const least = readPart(0, () => wait.parse(parts[0]))
      const most = readPart(1, () => wait.parse(parts[1]))
      return least <= most ? [least, most] : rejectValue(found, expected)
    },
    encode: ([least, most]) =>
      least === most ? wait.encode(least) : [wait.encode(least), wait.encode(most)],
  }
}

/** Returns the two ends of a range; `undefined` for a single wait. */
function partsOf(found: unknown): readonly unknown[] | undefined {
  if (Array.isArray(found)) return found
  return typeof found === 'string' && rangePattern.test(found) ? found.split('-') : undefined
}

/** The wait of a fault, up to a day; for longer waits there is `timeout`. */
const wait = durationFrom(0, 86_400_000)

/** The kinds of fault by name, each with its documentation, its settings and its action. */
export const faultKinds = {
  status: faultKind('status', {
    describedAs:
      'The operation is replaced by an error with any `status` from 400 to 599, and Retry-After if `retryAfter` is set.',
    settings: {
      /** The status of the response, from 400 to 599; 500 by default. */
      status: withDefault(integer(400, 599), 500),
      /** The wait in `Retry-After`; by default the response has no such header. */
      retryAfter: optional(wait),
    },
    action: ({ status, retryAfter: ms }) => ({
      step: 'reject',
      rejection: (now, gaps) =>
        new ApiError(codeOfStatus(status), `Cannot respond: a fault injects status ${status}`, {
          ...(ms === undefined ? {} : retryAfter(now + ms, gaps, now)),
          status,
        }),
    }),
  }),
  latency: faultKind('latency', {
    describedAs: 'The response is delayed by `ms`.',
    settings: {
      /** The delay: a duration such as `'2s'`, milliseconds, or a range such as `'1s-3s'`. */
      ms: waitRange(wait),
    },
    action: ({ ms: [minMs, maxMs] }) => ({ step: 'wait', minMs, maxMs }),
  }),
  'rate-limit': faultKind('rate-limit', {
    describedAs: "The key's minute is exhausted at once: 429 with matching headers.",
    settings: {},
    action: () => ({ step: 'use-up', window: 'minute' }),
  }),
  disconnect: faultKind('disconnect', {
    describedAs:
      'The connection is reset, as `when` says: `before` the response, or in the middle of its `body`.',
    settings: {
      /** The time at which the connection is reset: `before` the response (default), or in the middle of its `body`. */
      when: withDefault(oneOf(['before', 'body']), 'before'),
    },
    action: ({ when }) => ({
      step: 'corrupt',
      corrupt: (response) =>
        when === 'before' ? { kind: 'disconnect' } : breakOff(response, 'reset'),
    }),
  }),
  timeout: faultKind('timeout', {
    describedAs: 'The request never gets a response.',
    settings: {},
    action: () => ({
      step: 'corrupt',
      corrupt: (_, time, signal) => ({
        kind: 'timeout',
        ended: time.wait(Number.POSITIVE_INFINITY, signal),
      }),
    }),
  }),
  'malformed-json': faultKind('malformed-json', {
    describedAs: 'The body is not valid JSON.',
    settings: {},
    action: () => ({
      step: 'corrupt',
      // The response to HEAD has no body.
      corrupt: (response) =>
        response.body === '' ? response : { ...response, body: `${halfOf(response.body)}<` },
    }),
  }),
  'truncated-body': faultKind('truncated-body', {
    describedAs: 'The connection closes in the middle of the body.',
    settings: {},
    action: () => ({ step: 'corrupt', corrupt: (response) => breakOff(response, 'close') }),
  }),
  'slow-body': faultKind('slow-body', {
    describedAs: 'The body arrives in chunks, spread over `ms`.',
    settings: {
      /** The time over which the body is spread: a duration such as `'10s'`, or milliseconds. */
      ms: wait,
    },
    action: ({ ms }) => ({ step: 'corrupt', corrupt: sendSlowly(ms) }),
  }),
} as const

export type FaultName = keyof typeof faultKinds

/** A fault as users write it. */
export type FaultSettings = Input<(typeof faultKinds)[keyof typeof faultKinds]>

/** A parsed fault, of any kind. */
export type AnyFaultRule = Output<(typeof faultKinds)[keyof typeof faultKinds]>

/** A fault from outside. */
export const faultRule: Schema<FaultSettings, AnyFaultRule> = variant(
  'fault',
  faultKinds,
  '{ "fault": "latency", "ms": 500 }',
)

/** A fault from outside, checked but kept as users write it. */
export const faultSettings: Schema<FaultSettings> = identity(faultRule)
