import type { OperationName } from '../endpoints.ts'
import type { ClientCall, Step } from './steps.ts'

/** A value of a gap, as the engine reads it. */
export type Value = string | number

/** A point that the spec leaves open, with its values (the default first) and its documentation. */
export type Gap = {
  /** The clause. */
  readonly spec: string
  /** The operations whose responses it changes: by default all, and an empty list if it concerns only other paths. */
  readonly operations?: readonly OperationName[]
  /** `false` if no clause mentions it: a service may change it at any time. */
  readonly promised?: false
  /** A sentence; the build makes it the comment of the declaration. */
  readonly summary: string
  /** Steps that lead to a response that depends on the value. */
  readonly steps: readonly Step[]
  /** The call that reveals the value of a real service; by default that of `steps`; `null` if no traffic reveals it. */
  readonly ask?: ClientCall | null
} & (
  | { readonly kind: 'enum'; readonly values: readonly [Value, ...Value[]] }
  | (Open<number> & { readonly kind: 'instant' | 'duration' })
  | (Open<number, Value> & { readonly kind: 'count' })
  | (Open<string, number> & { readonly kind: 'shift' })
)

/** A default value, and other values that a service may well have. */
interface Open<Default, Other = Default> {
  readonly default: Default
  readonly plausible: readonly [Other, ...Other[]]
}

/** The values of gaps whose row doesn't list them, by kind, as the engine reads them. */
interface ValueOf {
  /** Unix milliseconds. */
  instant: number
  /** Milliseconds. */
  duration: number
  count: number | 'never'
  /** Milliseconds; the default of a row is a word for none. */
  shift: number
}

/** The type of a row's value: one of those it lists, or any of its kind. */
export type ValueAt<Row, Other> = Row extends { readonly values: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly kind: 'shift'; readonly default: infer Word }
    ? Word | Other['shift' & keyof Other]
    : Row extends { readonly kind: infer Kind extends keyof Other }
      ? Other[Kind]
      : never

/** The value of each row, as the engine reads it. */
export type Chosen<Rows> = { readonly [Name in keyof Rows]: ValueAt<Rows[Name], ValueOf> }
