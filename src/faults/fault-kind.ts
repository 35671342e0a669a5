import { type OperationName, operationNames } from '../contract/endpoints.ts'
import type { ApiError } from '../contract/error.ts'
import type { Outcome, Reply } from '../contract/message.ts'
import type { Limits } from '../contract/plans.ts'
import {
  type GivenOf,
  type Optional,
  object,
  optional,
  type Properties,
  type ReadOf,
} from '../input/object.ts'
import { described, named, type Schema } from '../input/schema.ts'
import { nullable, number, oneOf, text, whole } from '../input/values.ts'

/** Time as faults need it: the sandbox's. */
export interface Time {
  now(): number
  /** Ends early when the owner leaves, or when the sandbox is reset. */
  wait(ms: number, owner?: AbortSignal): Promise<void>
}

/** What a fault does to a request: one thing, at one step of its way. */
export type FaultAction =
  /** Puts an error in the operation's place. */
  | { readonly step: 'refuse'; readonly refusal: () => ApiError }
  /** Uses up a window of the key's, which then refuses. */
  | { readonly step: 'use-up'; readonly window: keyof Limits }
  /** Makes the answer wait, for a random time between two. */
  | { readonly step: 'wait'; readonly leastMs: number; readonly mostMs: number }
  /** Spoils the reply, or its way to the client. */
  | {
      readonly step: 'spoil'
      readonly spoil: (reply: Reply, time: Time, owner: AbortSignal | undefined) => Outcome
    }

const times: Optional<number | null, number | null> = optional(
  described('How many requests it strikes; without end by default.', nullable(whole(1, 1e9))),
  null,
)

/** Which requests a fault strikes, whatever its kind; what is left out doesn't matter. */
const filter = {
  operation: optional(nullable(oneOf<OperationName>(operationNames)), null),
  method: optional(nullable(methodName()), null),
  key: optional(nullable(text()), null),
  times,
  after: optional(described('How many fitting requests it lets pass first.', whole(0, 1e9)), 0),
  probability: optional(
    described(
      "From 0 to 1, by the sandbox's random seed.",
      number('a number from 0 to 1', { minimum: 0, maximum: 1 }),
    ),
    1,
  ),
} as const

function methodName(): Schema<string> {
  const name = text({ use: 'a method such as GET', pattern: /^[A-Za-z]+$/ })
  return { ...name, read: (found) => name.read(found).toUpperCase() }
}

/** A fault that was read. */
export interface FaultRule<Settings> extends ReadOf<typeof filter> {
  readonly fault: string
  readonly action: FaultAction
  /** The fault as a caller would write it. */
  readonly settings: Settings
}

/** A kind of fault: a row of the table in `fault-kinds.ts`, and the schema of its faults. */
export interface FaultKind<Settings> extends Schema<Settings, FaultRule<Settings>> {
  /** A sentence for the tables of kinds. */
  readonly about: string
  readonly properties: Properties
}

type PropertiesOf<Name extends string, Own> = { readonly fault: Schema<Name> } & Own & typeof filter

/** Makes a kind of fault. */
export function faultKind<const Name extends string, const Own extends Properties>(
  name: Name,
  row: {
    readonly about: string
    /** The settings that faults of this kind have of their own. */
    readonly settings: Own
    readonly action: (settings: ReadOf<Own>) => FaultAction
  },
): FaultKind<GivenOf<PropertiesOf<Name, Own>>> {
  const { about, settings, action } = row
  const properties: PropertiesOf<Name, Own> = { fault: oneOf([name]), ...settings, ...filter }
  const all = object(properties)
  const own = object(settings, { unknown: 'ignore' })
  const common = object(filter, { unknown: 'ignore' })
  return {
    about,
    properties,
    use: all.use,
    describe: named(componentOf(name), all).describe,
    read(found) {
      const written = all.write(all.read(found))
      return {
        ...common.read(found),
        fault: name,
        action: action(own.read(found)),
        settings: written,
      }
    },
    write: (rule) => rule.settings,
  }
}

/** `rate-limit` is a `RateLimitFault`. */
function componentOf(name: string): string {
  return `${name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}Fault`
}
