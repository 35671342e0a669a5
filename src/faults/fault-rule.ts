import { type OperationName, operationNames } from '../contract/endpoints.ts'
import {
  checkOptions,
  InputError,
  isRecord,
  parseOneOf,
  parseWhole,
  show,
} from '../input/input-error.ts'
import { type Duration, formatDuration, parseDuration } from '../input/instant.ts'

/** What can go wrong on purpose, and the settings that each effect has of its own. */
export const faultEffects = {
  status: {
    about: 'Any status with an Error body, in place of the operation.',
    settings: ['status'],
  },
  latency: { about: 'The answer comes later: a duration, or a range of two.', settings: ['ms'] },
  'rate-limit': {
    about: "The key's minute window is used up at once: 429, with headers that are true.",
    settings: [],
  },
  disconnect: {
    about: 'The connection is reset: before the reply, or in the middle of its body.',
    settings: ['when'],
  },
  timeout: { about: 'The request is never answered.', settings: [] },
  'malformed-json': { about: 'The body is no JSON.', settings: [] },
  'truncated-body': {
    about: 'The connection is closed before the whole body is out.',
    settings: [],
  },
  'slow-body': { about: 'The body comes in pieces, over a duration.', settings: ['ms'] },
} as const

export type FaultName = keyof typeof faultEffects

/** Which requests a fault strikes; what is left out doesn't matter. */
interface FaultFilter {
  readonly operation?: OperationName
  readonly method?: string
  readonly key?: string
  /** How many requests it strikes; without end by default. */
  readonly times?: number
  /** How many matching requests it lets pass first; 0 by default. */
  readonly after?: number
  /** From 0 to 1, by the sandbox's random seed; 1 by default. */
  readonly probability?: number
}

/** A fault as a caller writes it. */
export type FaultSettings = FaultFilter &
  (
    | { readonly fault: 'status'; readonly status?: number }
    | { readonly fault: 'latency'; readonly ms: Duration | readonly [Duration, Duration] }
    | { readonly fault: 'rate-limit' | 'timeout' | 'malformed-json' | 'truncated-body' }
    | { readonly fault: 'disconnect'; readonly when?: 'before' | 'body' }
    | { readonly fault: 'slow-body'; readonly ms: Duration }
  )

/** What a fault does, read. */
export type FaultEffect =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'latency'; readonly leastMs: number; readonly mostMs: number }
  | { readonly kind: 'rate-limit' | 'timeout' | 'malformed-json' | 'truncated-body' }
  | { readonly kind: 'disconnect'; readonly when: 'before' | 'body' }
  | { readonly kind: 'slow-body'; readonly ms: number }

/** A fault that was read. */
export interface FaultRule {
  readonly effect: FaultEffect
  readonly operation: OperationName | undefined
  readonly method: string | undefined
  readonly key: string | undefined
  readonly times: number
  readonly after: number
  readonly probability: number
}

const filterNames = ['operation', 'method', 'key', 'times', 'after', 'probability']

/**
 * Reads a fault from outside.
 *
 * @throws {@link InputError} naming the setting, what was found and what would do.
 */
export function parseFault(value: unknown): FaultRule {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot add the fault: found ${show(value)}; use an object such as { "fault": "latency", "ms": 500 }`,
    )
  }
  const names = Object.keys(faultEffects) as FaultName[]
  const name = parseOneOf(value.fault, names, "the fault's name")
  checkOptions(
    value,
    ['fault', ...faultEffects[name].settings, ...filterNames],
    `add fault ${name}`,
  )
  const { operation, method, key, times, after, probability } = value
  return {
    effect: parseEffect(name, value),
    operation: optional(operation, (one) =>
      parseOneOf(one, operationNames, "the fault's operation"),
    ),
    method: optional(method, parseMethod),
    key: optional(key, (one) => parseText(one, "the fault's key")),
    times:
      times === undefined || times === null
        ? Number.POSITIVE_INFINITY
        : parseWhole(times, 1, 1e9, "the fault's times"),
    after: after === undefined ? 0 : parseWhole(after, 0, 1e9, "the fault's after"),
    probability: probability === undefined ? 1 : parseProbability(probability),
  }
}

function optional<Value>(value: unknown, parse: (value: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : parse(value)
}

function parseEffect(name: FaultName, value: Readonly<Record<string, unknown>>): FaultEffect {
  switch (name) {
    case 'status':
      return { kind: name, status: parseWhole(value.status ?? 500, 400, 599, "the fault's status") }
    case 'latency':
      return { kind: name, ...parseRange(value.ms) }
    case 'disconnect':
      return {
        kind: name,
        when: parseOneOf(value.when ?? 'before', ['before', 'body'], "the fault's when"),
      }
    case 'slow-body':
      return { kind: name, ms: parseWait(value.ms) }
    default:
      return { kind: name }
  }
}

function parseRange(value: unknown): { leastMs: number; mostMs: number } {
  if (!Array.isArray(value)) {
    const ms = parseWait(value)
    return { leastMs: ms, mostMs: ms }
  }
  const [leastMs, mostMs] = [parseWait(value[0]), parseWait(value[1])]
  if (value.length === 2 && leastMs <= mostMs) return { leastMs, mostMs }
  throw new InputError(
    `Cannot set the fault's ms: found ${show(value)}; use a duration, or two, the shorter first`,
  )
}

/** The longest wait that a fault can ask for: longer ones are what `timeout` is for. */
const maxWaitMs = 86_400_000

function parseWait(value: unknown): number {
  const ms = parseDuration(value, "the fault's ms")
  if (ms <= maxWaitMs) return ms
  throw new InputError(
    `Cannot set the fault's ms: found ${show(value)}; use at most 1d, or fault timeout`,
  )
}

function parseMethod(value: unknown): string {
  const text = parseText(value, "the fault's method").toUpperCase()
  if (/^[A-Z]+$/.test(text)) return text
  throw new InputError(
    `Cannot set the fault's method: found ${show(value)}; use a method such as GET`,
  )
}

function parseText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new InputError(`Cannot set ${what}: found ${show(value)}; use a text`)
}

function parseProbability(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw new InputError(
    `Cannot set the fault's probability: found ${show(value)}; use a number from 0 to 1`,
  )
}

/** Writes a fault in the form that {@link parseFault} reads. */
export function formatFault(rule: FaultRule): FaultSettings {
  const { effect, operation, method, key, times, after, probability } = rule
  return {
    ...formatEffect(effect),
    ...(operation === undefined ? {} : { operation }),
    ...(method === undefined ? {} : { method }),
    ...(key === undefined ? {} : { key }),
    ...(times === Number.POSITIVE_INFINITY ? {} : { times }),
    ...(after === 0 ? {} : { after }),
    ...(probability === 1 ? {} : { probability }),
  }
}

function formatEffect(effect: FaultEffect): FaultSettings {
  switch (effect.kind) {
    case 'status':
      return { fault: 'status', status: effect.status }
    case 'latency': {
      const [least, most] = [formatDuration(effect.leastMs), formatDuration(effect.mostMs)]
      return { fault: 'latency', ms: least === most ? least : [least, most] }
    }
    case 'disconnect':
      return { fault: 'disconnect', when: effect.when }
    case 'slow-body':
      return { fault: 'slow-body', ms: formatDuration(effect.ms) }
    default:
      return { fault: effect.kind }
  }
}
