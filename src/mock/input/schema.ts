import { InputError, type RejectionReason, show } from './input-error.ts'
import { nearest } from './nearest.ts'
import { isRecord } from './record.ts'

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The one description of an outside value: its type as given and as read, its reader and writer, its JSON Schema. */
export interface Schema<Given, Read = Given> {
  /** What would do, as the end of a refusal: `use ${use}`. */
  readonly expected: string
  jsonSchema(): JsonSchema
  /** @throws {@link Refusal} with the place inside the value. */
  parse(value: unknown): Read
  /** Writes a value that was read, in a form that `read` takes and JSON can hold. */
  encode(value: Read): Given
  /** Turns the text of a URL, a variable or a command line into what `read` takes; by default the text itself. */
  readonly fromText?: ((text: string) => unknown) | undefined
  /** What the value is called in a refusal, such as `clock`; a part is called by its place. */
  readonly title?: string | undefined
  /** Never set: it carries the type. */
  readonly input?: Given
}

/** What a caller gives. */
export type Input<One> = One extends { readonly input?: infer Value }
  ? Exclude<Value, undefined>
  : never

/** What the code gets. */
export type Output<One> = One extends { parse(value: unknown): infer Value } ? Value : never

/** Says why a value can't be used; {@link readInput} turns it into an {@link InputError}. */
export class ValidationError extends Error {
  /** Where inside the value. */
  readonly path: readonly (string | number)[]
  readonly reason: RejectionReason

  /** @param why What was found and what to use, such as `found 5; use a string`. */
  constructor(
    why: string,
    path: readonly (string | number)[] = [],
    reason: RejectionReason = 'invalid-value',
  ) {
    super(why)
    this.path = path
    this.reason = reason
  }
}

/**
 * Rejects a value.
 *
 * @param names Names that would do, of which a misspelt one gets the nearest as a suggestion.
 * @throws {@link Refusal} with the value, and what to use.
 */
export function rejectValue(value: unknown, use: string, names: readonly string[] = []): never {
  if (value === undefined) throw new ValidationError(`it is missing; use ${use}`, [], 'missing')
  const meant = typeof value === 'string' ? nearest(value, names) : undefined
  throw new ValidationError(`found ${show(value)}; ${suggestion(meant) ?? `use ${use}`}`)
}

/** Suggests a name; `undefined` without one. */
export function suggestion(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean ${name}?`
}

/** Reads a part of a value, and adds its place to a refusal. */
export function readPart<Value>(place: string | number, read: () => Value): Value {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof ValidationError)) throw thrown
    throw new ValidationError(thrown.message, [place, ...thrown.path], thrown.reason)
  }
}

/**
 * Reads an outside value.
 *
 * @param name What a refusal calls the value; by default the schema's title.
 * @throws {@link InputError} with the place, what was found and what to use.
 */
export function readInput<Value>(
  schema: { readonly title?: string | undefined; parse(value: unknown): Value },
  value: unknown,
  name: string = schema.title ?? '',
): Value {
  try {
    return schema.parse(value)
  } catch (thrown) {
    if (!(thrown instanceof ValidationError)) throw thrown
    const { path, message, reason } = thrown
    throw new InputError(`Cannot set ${placeText(name, path)}: ${message}`, path, reason)
  }
}

/** Writes a place as code does: `faults[2].ms`. */
function placeText(name: string, path: readonly (string | number)[]): string {
  const text = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    if (!/^[\w$-]{1,60}$/.test(part)) return `${before}[${show(part)}]`
    return before === '' ? part : `${before}.${part}`
  }, name)
  return text === '' ? 'the options' : text
}

/** What a schema of a single value is made of. */
interface ValueRow<Read> {
  readonly use: string
  readonly jsonSchema: JsonSchema
  /** Returns `undefined` for what can't be used. */
  readonly read: (value: unknown) => Read | undefined
  /** The names that would do, if it is one of some. */
  readonly names?: readonly string[]
  readonly fromText?: (text: string) => unknown
}

/** Makes the schema of a value that stands for itself. */
export function value<Both>(row: ValueRow<Both>): Schema<Both> {
  return written(row, (found) => found)
}

/** Makes the schema of a value that is read from another form. */
export function written<Given, Read>(
  { use: expected, jsonSchema, read, names, fromText }: ValueRow<Read>,
  encode: (value: Read) => Given,
): Schema<Given, Read> {
  return {
    expected,
    jsonSchema: () => jsonSchema,
    parse(found) {
      const known = read(found)
      return known === undefined ? rejectValue(found, expected, names) : known
    },
    encode,
    fromText,
  }
}

/** Adds a second step to a schema, such as a rule about several properties at once. */
export function refined<Given, Read, Next>(
  schema: Schema<Given, Read>,
  refine: (read: Read) => Next,
  write: (next: Next) => Read,
): Schema<Given, Next> {
  return {
    ...schema,
    parse: (found) => refine(schema.parse(found)),
    encode: (next) => schema.encode(write(next)),
  }
}

/** Reads what a schema takes, and keeps it in a form that callers write. */
export function identity<Given, Read>(schema: Schema<Given, Read>): Schema<Given> {
  return {
    ...schema,
    parse: (found) => schema.encode(schema.parse(found)),
    encode: (given) => given,
  }
}

/** Adds to the JSON Schema of a schema: a description, and more. */
export function described<One extends Schema<unknown, unknown>>(
  about: string,
  schema: One,
  more: JsonSchema = {},
): One {
  return { ...schema, jsonSchema: () => ({ ...schema.jsonSchema(), description: about, ...more }) }
}

/** Gives a schema a name, under which OpenAPI documents have it once. */
export function named<One extends Schema<unknown, unknown>>(name: string, schema: One): One {
  return { ...schema, jsonSchema: () => ({ [component]: { name, schema: schema.jsonSchema() } }) }
}

/** Where {@link named} puts the name and what it describes; `hoisted` makes a reference of it. */
export const component = 'x-component'

/**
 * Puts references in the place of the schemas that have a name, and returns these apart.
 *
 * @param prefix What a reference is made of before the name.
 * @throws RangeError when two different schemas have one name.
 */
export function hoisted(document: unknown, prefix = '#/components/schemas/') {
  const schemas: Record<string, JsonSchema> = {}
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit)
    return isRecord(part) ? visitRecord(part) : part
  }
  const visitRecord = ({ [component]: named, ...rest }: JsonSchema): JsonSchema => {
    const own = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, visit(part)]))
    if (!isRecord(named) || !isRecord(named.schema)) return own
    const name = String(named.name)
    const schema = visitRecord(named.schema)
    if (JSON.stringify(schemas[name] ?? schema) !== JSON.stringify(schema)) {
      throw new RangeError(`Cannot describe ${name}: two schemas have this name; use another`)
    }
    schemas[name] = schema
    // What was said of the place, such as a description, stays there.
    return { $ref: prefix + name, ...own }
  }
  const referring = visit(document)
  const inOrder = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))
  return { document: referring, schemas: Object.fromEntries(inOrder) }
}
