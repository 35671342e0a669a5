import { nearest } from './nearest.ts'
import { isRecord, namesOf } from './record.ts'
import {
  type Input,
  type JsonSchema,
  type Output,
  readPart,
  rejectValue,
  type Schema,
  suggestion,
  ValidationError,
} from './schema.ts'

/** An optional property. */
export interface Optional<Given, Read = Given> {
  readonly schema: Schema<Given, unknown>
  /** Value of the property if it is left out. */
  readonly fallback: Read
  isWritten(value: Read): boolean
  parse(value: unknown): Read
  readonly input?: Given
}

/** Creates an optional property; its fallback is not written. */
export function optional<Given, Read>(
  schema: Schema<Given, Read>,
): Optional<Given, Read | undefined>
export function optional<Given, Read>(
  schema: Schema<Given, Read>,
  fallback: NoInfer<Read>,
): Optional<Given, Read>
export function optional<Given, Read>(
  schema: Schema<Given, Read>,
  fallback?: Read,
): Optional<Given, Read | undefined> {
  return { schema, fallback, isWritten: (found) => found !== fallback, parse: schema.parse }
}

/** Creates an optional property; its fallback is written like any other value. */
export function withDefault<Given, Read>(
  schema: Schema<Given, Read>,
  fallback: NoInfer<Read>,
): Optional<Given, Read> {
  return { schema, fallback, isWritten: () => true, parse: schema.parse }
}

type Property = Schema<unknown, unknown> | Optional<unknown, unknown>

/** Properties of an object, by name. */
export type Properties = Readonly<Record<string, Property>>

type OptionalOne = { readonly fallback: unknown }

/** Input type of these properties. It is inferred, so that editors show the properties and not how they came about. */
export type GivenOf<All> = {
  readonly [Name in keyof All as All[Name] extends OptionalOne ? never : Name]: Input<All[Name]>
} & {
  readonly [Name in keyof All as All[Name] extends OptionalOne ? Name : never]?:
    | Input<All[Name]>
    | undefined
} extends infer Parts
  ? { [Name in keyof Parts]: Parts[Name] }
  : never

/** Output type of these properties: all of them, with fallbacks for those left out. */
export type ReadOf<All> = { readonly [Name in keyof All]: Output<All[Name]> }

/** Schema of an object; its properties can be spread into those of another one. */
export interface ObjectSchema<All extends Properties> extends Schema<GivenOf<All>, ReadOf<All>> {
  readonly properties: All
}

/**
 * Schema of an object whose input type is an interface that extends {@link GivenOf}. Declarations then name the
 * interface, and so keep the doc comments of its properties.
 */
export interface NamedSchema<All extends Properties, Own> extends Schema<Own, ReadOf<All>> {
  readonly properties: All
}

/** Options of an object's schema. */
interface ObjectWords {
  /** Name of the object in error messages. */
  readonly title?: string
  /** An example for error messages, such as `{ "advance": "1m" }`. */
  readonly example?: string
  /** Handling of unknown properties; `reject` by default, so that a misspelt one isn't silently ignored. */
  readonly unknown?: 'reject' | 'ignore'
}

/** Creates the schema of an object with these properties. */
export function object<const All extends Properties>(
  properties: All,
  { title, example, unknown = 'reject' }: ObjectWords = {},
): ObjectSchema<All> {
  const names = namesOf(properties)
  const rows = Object.entries(properties)
  const expected =
    example === undefined ? `an object with ${listed(names)}` : `an object such as ${example}`
  return {
    expected,
    title,
    example,
    properties,
    jsonSchema: () => describeObject(rows, unknown),
    parse(found) {
      if (!isRecord(found) || found instanceof Date) return rejectValue(found, expected)
      if (unknown === 'reject') rejectUnknown(found, names)
      // Each property is read by its own schema, and below it is written by it.
      return readProperties(rows, found) as ReadOf<All>
    },
    encode: (read) => writeProperties(rows, read) as GivenOf<All>,
  }
}

/** Creates the schema of an object in output; readers ignore properties that later versions add. */
export function view<const All extends Properties>(properties: All): ObjectSchema<All> {
  return object(properties, { unknown: 'ignore' })
}

type Rows = readonly (readonly [name: string, property: Property])[]

/** @throws {@link ValidationError} naming an unknown property and the known ones. */
function rejectUnknown(found: object, known: readonly string[]): void {
  for (const name of Object.keys(found)) {
    if (known.includes(name)) continue
    const hint = suggestion(nearest(name, known)) ?? `use ${listed(known)}`
    throw new ValidationError(`unknown property; ${hint}`, [name], 'unknown-property')
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'no properties' : names.join(', ')
}

function readProperties(rows: Rows, found: Readonly<Record<string, unknown>>): object {
  const read: Record<string, unknown> = {}
  for (const [name, property] of rows) {
    // Ignores inherited properties: a property may be called `constructor`.
    const part = Object.hasOwn(found, name) ? found[name] : undefined
    read[name] =
      'fallback' in property && part === undefined
        ? property.fallback
        : readPart(name, () => property.parse(part))
  }
  return read
}

function writeProperties(rows: Rows, read: Readonly<Record<string, unknown>>): object {
  const written: Record<string, unknown> = {}
  for (const [name, property] of rows) {
    const part = read[name]
    const isFallback = 'fallback' in property && !property.isWritten(part)
    if (part !== undefined && !isFallback) written[name] = schemaOf(property).encode(part)
  }
  return written
}

function schemaOf(property: Property): Schema<unknown, unknown> {
  return 'fallback' in property ? property.schema : property
}

function describeObject(rows: Rows, unknown: 'reject' | 'ignore'): JsonSchema {
  const required = rows.filter(([, row]) => !('fallback' in row)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(([name, row]) => [name, describeProperty(row)])),
    ...(required.length === 0 ? {} : { required }),
    ...(unknown === 'reject' ? { additionalProperties: false } : {}),
  }
}

function describeProperty(property: Property): JsonSchema {
  if (!('fallback' in property)) return property.jsonSchema()
  const { fallback, schema } = property
  if (fallback === undefined) return schema.jsonSchema()
  return { ...schema.jsonSchema(), default: schema.encode(fallback) }
}

/**
 * Creates the schema of a union of objects, discriminated by a property.
 *
 * @param tag Name of that property.
 * @param rows Schemas by its value; each contains the property too.
 */
export function variant<const All extends Readonly<Record<string, Schema<unknown, unknown>>>>(
  tag: string,
  rows: All,
  example: string,
): Schema<Input<All[keyof All]>, Output<All[keyof All]>> {
  const names = namesOf(rows)
  const expected = `an object such as ${example}`
  const rowOf = (found: Readonly<Record<string, unknown>>): Schema<unknown, unknown> => {
    const name = names.find((one) => one === found[tag])
    const row = name === undefined ? undefined : rows[name]
    return row ?? readPart(tag, () => rejectValue(found[tag], `one of ${names.join(', ')}`, names))
  }
  return {
    expected,
    example,
    jsonSchema: () => ({ oneOf: Object.values(rows).map((row) => row.jsonSchema()) }),
    parse(found) {
      if (!isRecord(found)) return rejectValue(found, expected)
      // The row is one of them all, here and below.
      return rowOf(found).parse(found) as Output<All[keyof All]>
    },
    encode: (read) => rowOf(isRecord(read) ? read : {}).encode(read) as Input<All[keyof All]>,
  }
}

/** Converts texts from a URL, variables or a command line to input for an object's properties. */
export function fromTexts(
  { properties }: { readonly properties: Properties },
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      const schema = property === undefined ? undefined : schemaOf(property)
      return [name, schema?.fromText?.(text) ?? text]
    }),
  )
}

/** Creates the schema of an array. */
export function list<Given, Read>(item: Schema<Given, Read>): Schema<readonly Given[], Read[]> {
  const expected = `an array, each item ${item.expected}`
  return {
    expected,
    jsonSchema: () => ({ type: 'array', items: item.jsonSchema() }),
    parse: (found) =>
      Array.isArray(found)
        ? Array.from(found, (one: unknown, index) => readPart(index, () => item.parse(one)))
        : rejectValue(found, expected),
    encode: (read) => read.map((one) => item.encode(one)),
  }
}

/** Creates the schema of an item or an array of items. */
export function oneOrMany<Given, Read>(
  item: Schema<Given, Read>,
): Schema<Given | readonly Given[], Read | Read[]> {
  const many = list(item)
  return {
    expected: `${item.expected}, or an array of them`,
    example: item.example,
    jsonSchema: () => ({ anyOf: [item.jsonSchema(), many.jsonSchema()] }),
    parse: (found) => (Array.isArray(found) ? many.parse(found) : item.parse(found)),
    encode: (read) => (Array.isArray(read) ? many.encode(read) : item.encode(read)),
  }
}

/** Creates the schema of an object with properties of any name. */
export function dictionary<Given, Read>(
  item: Schema<Given, Read>,
): Schema<Readonly<Record<string, Given>>, Readonly<Record<string, Read>>> {
  const expected = `an object, each property ${item.expected}`
  const map = <From, To>(record: Readonly<Record<string, From>>, change: (one: From) => To) =>
    Object.fromEntries(
      Object.entries(record).map(([name, one]) => [name, readPart(name, () => change(one))]),
    )
  return {
    expected,
    jsonSchema: () => ({ type: 'object', additionalProperties: item.jsonSchema() }),
    parse: (found) => (isRecord(found) ? map(found, item.parse) : rejectValue(found, expected)),
    encode: (read) => map(read, item.encode),
  }
}
