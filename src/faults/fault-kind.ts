import { type OperationName, operationNames } from '../contract/endpoints.ts'
import type { ApiError } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { methodName } from '../contract/http/method-name.ts'
import type { BrokenReply, Outcome, Reply } from '../contract/message.ts'
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

/** The sandbox's time, as faults need it. */
export interface Time {
  now(): number
  /** Ends early when the owner aborts, or when the sandbox is reset. */
  wait(ms: number, owner?: AbortSignal): Promise<void>
}

/** What spoils the reply to one request: given, and not imported, since a page adds faults before it needs that. */
export interface Spoiler {
  /** Sends the first half of a reply, and then closes or resets the connection. */
  breakOff(reply: Reply, end: 'close' | 'reset'): BrokenReply
  /** Sends a reply in ten pieces over a duration. */
  sendSlowly(reply: Reply, ms: number): BrokenReply
  /** The first half of a reply's body, cut between characters. */
  halfOf(reply: Reply): string
  /** Waits until nobody waits for the answer any more. */
  waitForEnd(): Promise<void>
}

/** What a fault does to a request, and at which step of its way. */
export type FaultAction =
  /** Replaces the operation by an error. */
  | { readonly step: 'refuse'; readonly refusal: (now: number, gaps: GapChoices) => ApiError }
  /** Uses up a window of the key, which then refuses. */
  | { readonly step: 'use-up'; readonly window: keyof Limits }
  /** Delays the answer, for a random time between two. */
  | { readonly step: 'wait'; readonly leastMs: number; readonly mostMs: number }
  /** Spoils the reply, or its way to the client. */
  | { readonly step: 'spoil'; readonly spoil: (reply: Reply, spoiler: Spoiler) => Outcome }

const keyText = text({ use: 'a key of 1 to 200 characters', pattern: /[\s\S]/, most: 200 })

const times: Optional<number | null, number | null> = optional(
  described('How many requests it strikes; all by default.', nullable(whole(1, 1e9))),
  null,
)

/** Which requests a fault strikes, whatever its kind; filters left out match everything. */
const filter = {
  operation: optional(
    described('Strikes only this operation.', nullable(oneOf<OperationName>(operationNames))),
    null,
  ),
  method: optional(
    described('Strikes only this method, in any letter case.', nullable(methodName)),
    null,
  ),
  key: optional(described('Strikes only requests with this key.', nullable(keyText)), null),
  times,
  after: optional(described('How many matching requests it skips first.', whole(0, 1e9)), 0),
  probability: optional(
    described(
      "From 0 to 1, drawn with the sandbox's random seed.",
      number('a number from 0 to 1', { minimum: 0, maximum: 1 }),
    ),
    1,
  ),
} as const

/** A parsed fault. */
export interface FaultRule<Settings> extends ReadOf<typeof filter> {
  readonly fault: string
  readonly action: FaultAction
  /** The fault as callers write it. */
  readonly settings: Settings
}

/** A kind of fault, which is the schema of its faults. */
export interface FaultKind<Settings> extends Schema<Settings, FaultRule<Settings>> {
  readonly properties: Properties
}

/** Makes a table of kinds, each under its own name. */
export function kindTable<
  const Table extends { readonly [Name in keyof Table]: FaultKind<{ readonly fault: Name }> },
>(table: Table): Table {
  return table
}

type PropertiesOf<Name extends string, Own> = { readonly fault: Schema<Name> } & Own & typeof filter

/** Makes a kind of fault. */
export function faultKind<const Name extends string, const Own extends Properties>(
  name: Name,
  row: {
    /** A sentence for its JSON Schema. */
    readonly describedAs: string
    /** The settings of this kind alone. */
    readonly settings: Own
    readonly action: (settings: ReadOf<Own>) => FaultAction
  },
): FaultKind<GivenOf<PropertiesOf<Name, Own>>> {
  const { describedAs, settings, action } = row
  const properties: PropertiesOf<Name, Own> = { fault: oneOf([name]), ...settings, ...filter }
  const all = object(properties)
  const own = object(settings, { unknown: 'ignore' })
  const common = object(filter, { unknown: 'ignore' })
  return {
    properties,
    use: all.use,
    describe: named(componentOf(name), described(describedAs, all)).describe,
    read(found) {
      const written = all.write(all.read(found))
      const filters = common.read(written)
      return { ...filters, fault: name, action: action(own.read(written)), settings: written }
    },
    write: (rule) => rule.settings,
  }
}

/** `rate-limit` is a `RateLimitFault`. */
function componentOf(name: string): string {
  return `${name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}Fault`
}
