import fc from 'fast-check'
import { isRecord } from '../../src/mock/input/record.ts'
import { component, type JsonSchema } from '../../src/mock/input/schema.ts'

/** Puts the schemas that have a name where they are used. */
export function inlined(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inlined)
  if (!isRecord(part)) return part
  const { [component]: named, ...rest } = part
  const own = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, inlined(one)]))
  if (!isRecord(named)) return own
  return { ...Object(inlined(named.schema)), ...own }
}

/** Any JSON value that a JSON Schema admits, for the words of it that this project writes. */
export function anyOfSchema(schema: unknown): fc.Arbitrary<unknown> {
  if (!isRecord(schema)) throw new TypeError('Cannot make values: the schema is no object')
  const { const: only, enum: choices, anyOf, oneOf, type } = schema
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(choices)) return fc.constantFrom(...choices)
  const several = anyOf ?? oneOf
  if (Array.isArray(several)) return fc.oneof(...several.map(anyOfSchema))
  switch (type) {
    case undefined:
      return fc.jsonValue({ maxDepth: 2 })
    case 'object':
      return anyObject(schema)
    case 'array':
      return fc.array(anyOfSchema(schema.items ?? {}), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Number(schema.maxItems ?? 3),
      })
    case 'string':
      return anyString(schema)
    case 'integer':
      return fc.integer({
        min: Number(schema.minimum ?? Number.MIN_SAFE_INTEGER),
        max: Math.min(Number(schema.maximum ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER),
      })
    case 'number':
      return anyNumber(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
  }
  throw new TypeError(`Cannot make values: the schema has the type ${type}; add it here`)
}

function anyObject({ properties, required, additionalProperties }: JsonSchema) {
  const known: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(Object(properties)).map(([name, one]) => [name, anyOfSchema(one)]),
  )
  const record = fc.record(known, { requiredKeys: Array.isArray(required) ? required : [] })
  if (!isRecord(additionalProperties)) return record
  const others = fc.dictionary(fc.string({ maxLength: 5 }), anyOfSchema(additionalProperties), {
    maxKeys: 3,
  })
  return fc.tuple(others, record).map(([other, one]) => ({ ...other, ...one }))
}

function anyString({ format, pattern, minLength = 0, maxLength = 1_000 }: JsonSchema) {
  if (format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString())
  }
  const [min, max] = [Number(minLength), Number(maxLength)]
  if (typeof pattern !== 'string') return fc.string({ minLength: min, maxLength: Math.min(max, 9) })
  return fc
    .stringMatching(new RegExp(pattern))
    .filter(({ length }) => length >= min && length <= max)
}

function anyNumber({ minimum, exclusiveMinimum, maximum }: JsonSchema) {
  return fc
    .double({
      min: Number(minimum ?? exclusiveMinimum ?? -1e300),
      max: Number(maximum ?? 1e300),
      minExcluded: exclusiveMinimum !== undefined,
      noNaN: true,
    })
    .map((found) => found + 0)
}

/** Any value that differs from one that a schema admits: somewhere a part is another, left out, or new. */
export function anyNearSchema(schema: unknown): fc.Arbitrary<unknown> {
  const anyPart = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(undefined, '', 'oops', -1, 0.5, 1e300, true, null),
  )
  return fc
    .tuple(anyOfSchema(schema), fc.nat(), anyPart, fc.boolean())
    .map(([value, place, part, isNew]) => {
      const copy: unknown = structuredClone(value)
      const holders = holdersIn(copy)
      const holder = holders[place % Math.max(1, holders.length)]
      if (holder === undefined) return part
      if (isNew && !Array.isArray(holder)) return { ...assign(copy, holder, 'oops', part) }
      const names = Object.keys(holder)
      const name = names[place % Math.max(1, names.length)]
      return name === undefined ? part : assign(copy, holder, name, part)
    })
}

/** The objects and arrays in a value, itself included. */
function holdersIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(holdersIn)]
}

function assign(root: unknown, holder: object, name: string, part: unknown): object {
  // JSON has no `undefined`.
  if (part === undefined && Array.isArray(holder)) holder.splice(Number(name), 1)
  else if (part === undefined) Reflect.deleteProperty(holder, name)
  else Reflect.set(holder, name, part)
  return Object(root)
}
