import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'

/** A JSON Schema with the keywords that our descriptions use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

/** The schemas that others refer to, by `#/components/schemas/NAME`. */
export type Components = Readonly<Record<string, JsonSchema>>

const largestSafe = Number.MAX_SAFE_INTEGER

/** Makes values that a schema describes. */
export function anyValid(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema): fc.Arbitrary<unknown> => anyValid(part, components)
  const { $ref, enum: choices, anyOf, oneOf } = schema
  if ($ref !== undefined) return inner(components[$ref.split('/').at(-1) ?? ''] ?? {})
  if ('const' in schema) return fc.constant(schema.const)
  if (choices !== undefined) return fc.constantFrom(...choices)
  const alternatives = anyOf ?? oneOf
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(inner))
  switch (schema.type) {
    case 'object':
      return anyObject(schema, inner)
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 3,
      })
    case 'string':
      return anyString(schema)
    case 'integer':
      return anyInteger(schema)
    case 'number':
      return anyNumber(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function anyObject(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  inner: (part: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])),
    { requiredKeys: [...required] },
  )
  if (typeof additionalProperties !== 'object') return known
  const others = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), inner(additionalProperties), {
    maxKeys: 2,
  })
  return fc.tuple(others, known).map((parts) => Object.assign({}, ...parts))
}

function anyString({ pattern, minLength = 0, maxLength = 20 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ minLength, maxLength, unit: anyCharacter })
  return fc
    .stringMatching(new RegExp(pattern))
    .filter(({ length }) => length >= minLength && length <= Math.max(maxLength, 250))
}

function anyInteger({ format, minimum, maximum }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'int64') return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  return fc.maxSafeInteger().map((any) => {
    const least = minimum ?? -largestSafe
    const span = (maximum ?? largestSafe) - least + 1
    return least + (Math.abs(any) % span)
  })
}

function anyNumber({ minimum, exclusiveMinimum, maximum = 1e15 }: JsonSchema) {
  return fc.double({
    min: minimum ?? exclusiveMinimum ?? -1e15,
    max: maximum,
    minExcluded: exclusiveMinimum !== undefined,
    noNaN: true,
  })
}
