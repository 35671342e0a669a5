import { nearest } from './nearest.ts'
import { isRecord, namesOf } from './record.ts'
import {
  type Given,
  type JsonSchema,
  type Read,
  Refusal,
  readPart,
  refuseValue,
  type Schema,
  suggestion,
} from './schema.ts'

/** A property that may be left out. */
export interface Optional<Given, Read = Given> {
  readonly schema: Schema<Given, unknown>
  /** Its value where it is left out. */
  readonly fallback: Read
  isWritten(value: Read): boolean
  read(value: unknown): Read
  readonly given?: Given
}

/** A property that may be left out; its fallback is not written. */
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
  return { schema, fallback, isWritten: (found) => found !== fallback, read: schema.read }
}

/** A property that may be left out; its fallback is written like any other value. */
export function withDefault<Given, Read>(
  schema: Schema<Given, Read>,
  fallback: NoInfer<Read>,
): Optional<Given, Read> {
  return { schema, fallback, isWritten: () => true, read: schema.read }
}

type Property = Schema<unknown, unknown> | Optional<unknown, unknown>

/** The properties of an object, by name. */
export type Properties = Readonly<Record<string, Property>>

type OptionalOne = { readonly fallback: unknown }

type Flat<Parts> = { [Name in keyof Parts]: Parts[Name] }

/** What a caller gives for these properties. */
export type GivenOf<All> = Flat<
  {
    readonly [Name in keyof All as All[Name] extends OptionalOne ? never : Name]: Given<All[Name]>
  } & {
    readonly [Name in keyof All as All[Name] extends OptionalOne ? Name : never]?:
      | Given<All[Name]>
      | undefined
  }
>

/** What the code gets: every property, with the fallbacks of those left out. */
export type ReadOf<All> = { readonly [Name in keyof All]: Read<All[Name]> }

/** The schema of an object; its properties can be spread into another one's. */
export interface ObjectSchema<All extends Properties> extends Schema<GivenOf<All>, ReadOf<All>> {
  readonly properties: All
}

/**
 * The schema of an object, of which an interface that extends {@link GivenOf} is what callers give: declarations then name
 * the interface, and so keep what is said of its properties.
 */
export interface NamedSchema<All extends Properties, Own> extends Schema<Own, ReadOf<All>> {
  readonly properties: All
}

/** How an object is called, shown and read. */
interface ObjectWords {
  /** What a refusal calls the object. */
  readonly title?: string
  /** An example for refusals, such as `{ "advance": "1m" }`. */
  readonly example?: string
  /** What becomes of unknown properties; `refuse` by default, so that a misspelt one isn't silently ignored. */
  readonly unknown?: 'refuse' | 'ignore'
}

/** An object with these properties. */
export function object<const All extends Properties>(
  properties: All,
  { title, example, unknown = 'refuse' }: ObjectWords = {},
): ObjectSchema<All> {
  const names = namesOf(properties)
  const rows = Object.entries(properties)
  const use =
    example === undefined ? `an object with ${listed(names)}` : `an object such as ${example}`
  return {
    use,
    title,
    properties,
    describe: () => describeObject(rows, unknown),
    read(found) {
      if (!isRecord(found) || found instanceof Date) return refuseValue(found, use)
      if (unknown === 'refuse') refuseUnknown(found, names)
      return readProperties(rows, found) as ReadOf<All>
    },
    write: (read) => writeProperties(rows, read) as GivenOf<All>,
  }
}

/** An object as it is shown: who reads it ignores what later versions add. */
export function view<const All extends Properties>(properties: All): ObjectSchema<All> {
  return object(properties, { unknown: 'ignore' })
}

type Rows = readonly (readonly [name: string, property: Property])[]

/** @throws {@link Refusal} naming an unknown property and the known ones. */
function refuseUnknown(found: object, known: readonly string[]): void {
  for (const name of Object.keys(found)) {
    if (known.includes(name)) continue
    const hint = suggestion(nearest(name, known)) ?? `use ${listed(known)}`
    throw new Refusal(`unknown property; ${hint}`, [name], 'unknown-property')
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'no properties' : names.join(', ')
}

function readProperties(rows: Rows, found: Readonly<Record<string, unknown>>): object {
  const read: Record<string, unknown> = {}
  for (const [name, property] of rows) {
    // Not what it inherits: a property may be called `constructor`.
    const part = Object.hasOwn(found, name) ? found[name] : undefined
    read[name] =
      'fallback' in property && part === undefined
        ? property.fallback
        : readPart(name, () => property.read(part))
  }
  return read
}

function writeProperties(rows: Rows, read: Readonly<Record<string, unknown>>): object {
  const written: Record<string, unknown> = {}
  for (const [name, property] of rows) {
    const part = read[name]
    const isFallback = 'fallback' in property && !property.isWritten(part)
    if (part !== undefined && !isFallback) written[name] = schemaOf(property).write(part)
  }
  return written
}

function schemaOf(property: Property): Schema<unknown, unknown> {
  return 'fallback' in property ? property.schema : property
}

function describeObject(rows: Rows, unknown: 'refuse' | 'ignore'): JsonSchema {
  const required = rows.filter(([, row]) => !('fallback' in row)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(([name, row]) => [name, describeProperty(row)])),
    ...(required.length === 0 ? {} : { required }),
    ...(unknown === 'refuse' ? { additionalProperties: false } : {}),
  }
}

function describeProperty(property: Property): JsonSchema {
  if (!('fallback' in property)) return property.describe()
  const { fallback, schema } = property
  if (fallback === undefined) return schema.describe()
  return { ...schema.describe(), default: schema.write(fallback) }
}

/**
 * One of several objects, told apart by a property.
 *
 * @param tag The name of that property.
 * @param rows The objects by its value; each has the property too.
 */
export function variant<const All extends Readonly<Record<string, Schema<unknown, unknown>>>>(
  tag: string,
  rows: All,
  example: string,
): Schema<Given<All[keyof All]>, Read<All[keyof All]>> {
  const names = namesOf(rows)
  const use = `an object such as ${example}`
  const rowOf = (found: Readonly<Record<string, unknown>>): Schema<unknown, unknown> => {
    const name = names.find((one) => one === found[tag])
    const row = name === undefined ? undefined : rows[name]
    return row ?? readPart(tag, () => refuseValue(found[tag], `one of ${names.join(', ')}`, names))
  }
  return {
    use,
    describe: () => ({ oneOf: Object.values(rows).map((row) => row.describe()) }),
    read(found) {
      if (!isRecord(found)) return refuseValue(found, use)
      return rowOf(found).read(found) as Read<All[keyof All]>
    },
    write: (read) => rowOf(isRecord(read) ? read : {}).write(read) as Given<All[keyof All]>,
  }
}

/** Turns the texts of a URL, of variables or of a command line into what an object's properties take. */
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

/** An array. */
export function list<Given, Read>(item: Schema<Given, Read>): Schema<readonly Given[], Read[]> {
  const use = `an array, each item ${item.use}`
  return {
    use,
    describe: () => ({ type: 'array', items: item.describe() }),
    read: (found) =>
      Array.isArray(found)
        ? Array.from(found, (one: unknown, index) => readPart(index, () => item.read(one)))
        : refuseValue(found, use),
    write: (read) => read.map((one) => item.write(one)),
  }
}

/** One of something, or an array of them. */
export function oneOrMany<Given, Read>(
  item: Schema<Given, Read>,
): Schema<Given | readonly Given[], Read | Read[]> {
  const many = list(item)
  return {
    use: `${item.use}, or an array of them`,
    describe: () => ({ anyOf: [item.describe(), many.describe()] }),
    read: (found) => (Array.isArray(found) ? many.read(found) : item.read(found)),
    write: (read) => (Array.isArray(read) ? many.write(read) : item.write(read)),
  }
}

/** An object whose properties have names of the caller's choice. */
export function dictionary<Given, Read>(
  item: Schema<Given, Read>,
): Schema<Readonly<Record<string, Given>>, Readonly<Record<string, Read>>> {
  const use = `an object, each property ${item.use}`
  const map = <From, To>(record: Readonly<Record<string, From>>, change: (one: From) => To) =>
    Object.fromEntries(
      Object.entries(record).map(([name, one]) => [name, readPart(name, () => change(one))]),
    )
  return {
    use,
    describe: () => ({ type: 'object', additionalProperties: item.describe() }),
    read: (found) => (isRecord(found) ? map(found, item.read) : refuseValue(found, use)),
    write: (read) => map(read, item.write),
  }
}
