/// <reference types="vite/types/importMeta.d.ts" />
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError, show } from '../../../../src/mock/input/input-error.ts'
import { isRecord } from '../../../../src/mock/input/record.ts'
import { readInput, type Schema } from '../../../../src/mock/input/schema.ts'
import { anyNearSchema, anyOfSchema, inlined } from '../../../kit/any-of-schema.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

interface Row {
  readonly name: string
  readonly schema: Schema<unknown, unknown>
}

/** What is read of JSON by others than the schema itself: the place that restores it, or nobody. */
const readElsewhere = ['snapshotDocument', 'harDocument']

/** What no JSON is: a function, a stream, nothing at all. */
const noJson = ['nothing', 'eventStream']

const modules = import.meta.glob<Readonly<Record<string, unknown>>>(
  [
    '../../../../src/{mock/{input,api,faults,state},sandbox/{controls,seed}}/**/*.ts',
    '../../../../src/sandbox/sandbox*.ts',
    '!../../../../src/**/*.d.ts',
  ],
  { eager: true },
)

/** Every schema that a module exports, and those in tables that it exports. */
const rows: readonly Row[] = Object.values(modules)
  .flatMap((module) => Object.entries(module).flatMap(([name, found]) => schemasIn(name, found)))
  .filter(({ name }) => !noJson.includes(name))

function schemasIn(name: string, found: unknown): Row[] {
  if (isSchema(found)) return [{ name, schema: found }]
  if (!isRecord(found)) return []
  return Object.entries(found).flatMap(([part, one]) => {
    return isSchema(one) ? [{ name: `${name}.${part}`, schema: one }] : []
  })
}

function isSchema(found: unknown): found is Schema<unknown, unknown> {
  return (
    isRecord(found) &&
    typeof found.expected === 'string' &&
    ['jsonSchema', 'parse', 'encode'].every((method) => typeof found[method] === 'function')
  )
}

/** Rules that no JSON Schema says, by what is rejected. */
const beyondJsonSchema = [
  // Between properties, and between items.
  /: mode system always shows the system's time; /,
  /: the mode is \w+; use mode scaled$/,
  /: found advance and set; use one of them$/,
  /: plan enterprise has none \(spec 8\); give both minute and day$/,
  /: found \d+; use at most the limit, \d+$/,
  /: item \d+ has the same; use another$/,
  /every: (?:it needs for, too; use both|it is shorter than for; use a longer one)$/,
  /: found an array of 2; use .*, or a range such as 1s-3s, the shorter first$/,
  // Bounds of what a text writes, and days that a month doesn't have.
  /: found ".*; use milliseconds, or a duration such as /,
  /: found ".*; use ISO 8601/,
  /: found ("-?\d+"|-?\d{16,}|-?[\d.]+e\+\d+); use an integer from -9223372036854775808 to /,
]

function isBeyond(message: string): boolean {
  return beyondJsonSchema.some((rule) => rule.test(message))
}

const ajv = new Ajv2020({ strict: false, allErrors: false })
addFormats.default(ajv)

/** What a schema describes: as JSON Schema, and as the check that this is. */
function descriptionOf({ schema }: Row) {
  const json = inlined(schema.jsonSchema())
  return { json, isDescribed: ajv.compile(Object(json)) }
}

function isReadHere({ name }: Row): boolean {
  return !readElsewhere.includes(name)
}

/** Reads a value, or says why not. */
function attempt({ schema }: Row, value: unknown): { read: unknown } | { error: InputError } {
  try {
    return { read: readInput(schema, value, 'it') }
  } catch (thrown) {
    if (thrown instanceof InputError) return { error: thrown }
    throw thrown
  }
}

function throughJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** A value without its functions, which are made anew each time. */
function plain(value: unknown): unknown {
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (Object.hasOwn(Object(part), name) ? Object(part)[name] : undefined),
    value,
  )
}

/** A place as code has it; a name that is no identifier is quoted, and cut if it is long. */
function placeOf(path: readonly (string | number)[]): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`
    return /^[\w$-]{1,60}$/.test(part) ? `.${part}` : `[${show(part)}]`
  })
  return `it${parts.join('')}`
}

/** Holds a rejection to the one wording, and to the place that it names. */
function expectWording({ message, path }: InputError, value: unknown): void {
  const place = placeOf(path)
  expect(message.startsWith(`Cannot set ${place}: `), message).toBe(true)
  const said = message.slice(`Cannot set ${place}: `.length)
  expect(said).toMatch(/^.+; (?:use|give|leave) [^;]+$/s)
  const found = valueAt(value, path)
  if (said.startsWith('required')) {
    expect(found, message).toBeUndefined()
  } else if (said.startsWith('unknown property')) {
    expect(Object.keys(Object(valueAt(value, path.slice(0, -1))))).toContain(path.at(-1))
  } else if (!isBeyond(message)) {
    expect(said.startsWith(`found ${show(found)}; use `), message).toBe(true)
  }
}

describe('every schema', () => {
  it('is found', () => {
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sandboxOptions', 'faultRule', 'faultKinds.latency', 'keySettings']),
    )
  })
})

describe.each(rows)('$name', (row) => {
  const { json, isDescribed } = descriptionOf(row)

  it('reads what it describes, and again what it writes', () => {
    const sometimes = new Sometimes('a value that is read')
    fc.assert(
      fc.property(anyOfSchema(json), (value) => {
        expect(isDescribed(value), JSON.stringify(isDescribed.errors)).toBe(true)
        const first = attempt(row, value)
        if ('error' in first) {
          expectWording(first.error, value)
          expect(isBeyond(first.error.message), first.error.message).toBe(true)
          return
        }
        const written = throughJson(row.schema.encode(first.read))
        expect(plain(row.schema.parse(written))).toEqual(plain(first.read))
        if (isReadHere(row)) expect(isDescribed(written), JSON.stringify(written)).toBe(true)
        sometimes.meet({ 'a value that is read': true })
      }),
      { numRuns: draws(20) },
    )
    sometimes.expectAllMet()
  })
})

describe.each(rows.filter(isReadHere))('$name', (row) => {
  const { json, isDescribed } = descriptionOf(row)

  it('takes no more than it describes, and says why', () => {
    const sometimes = new Sometimes('a rejection')
    fc.assert(
      fc.property(anyNearSchema(json), (value) => {
        const { error } = { error: undefined, ...attempt(row, value) }
        sometimes.meet({ 'a rejection': error !== undefined })
        if (error === undefined) {
          expect(isDescribed(throughJson(value)), JSON.stringify(isDescribed.errors)).toBe(true)
          return
        }
        expectWording(error, value)
        if (!isBeyond(error.message)) expect(isDescribed(value), error.message).toBe(false)
      }),
      { numRuns: draws(20) },
    )
    sometimes.expectAllMet()
  })
})
