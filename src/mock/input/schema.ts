import { InputError, type RejectionReason, show } from './input-error.ts'
import { nearest } from './nearest.ts'
import { isRecord } from './record.ts'

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Description of an outside value: its input and output types, its parser and encoder, and its JSON Schema. */
export interface Schema<Given, Read = Given> {
  /** Description of valid values, for the end of an error message: `use ${expected}`. */
  readonly expected: string
  jsonSchema(): JsonSchema
  /** @throws {@link ValidationError} with the path inside the value. */
  parse(value: unknown): Read
  /** Converts a parsed value to a form that `parse` accepts and JSON can represent. */
  encode(value: Read): Given
  /** Converts text from a URL, a variable or a command line to input for `parse`; by default the text itself. */
  readonly fromText?: ((text: string) => unknown) | undefined
  /** Name of the value in error messages, such as `clock`; its parts are named by their path. */
  readonly title?: string | undefined
  /** Example of an input, for messages and descriptions; JSON for a body of a control. */
  readonly example?: string | undefined
  /** Never set; it only carries the input type. */
  readonly input?: Given
}

/** Input type of a schema. */
export type Input<One> = One extends { readonly input?: infer Value }
  ? Exclude<Value, undefined>
  : never

/** Output type of a schema. */
export type Output<One> = One extends { parse(value: unknown): infer Value } ? Value : never

/** Error for an invalid value; {@link readInput} turns it into an {@link InputError}. */
export class ValidationError extends Error {
  /** Path inside the value. */
  readonly path: readonly (string | number)[]
  readonly reason: RejectionReason

  /** @param why Value found and what to use, such as `found 5; use a string`. */
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
 * @param names Valid names; the nearest one is suggested for a misspelt value.
 * @throws {@link ValidationError} with the value and what to use.
 */
export function rejectValue(value: unknown, use: string, names: readonly string[] = []): never {
  if (value === undefined) throw new ValidationError(`required; use ${use}`, [], 'missing')
  const meant = typeof value === 'string' ? nearest(value, names) : undefined
  throw new ValidationError(`found ${show(value)}; ${suggestion(meant) ?? `use ${use}`}`)
}

/** Returns a text that suggests a name; `undefined` without a name. */
export function suggestion(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean ${name}?`
}

/** Reads a part of a value, and adds its key to the path of a validation error. */
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
 * @param name Name of the value in error messages; by default the schema's title.
 * @throws {@link InputError} with the path, the value found and what to use.
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

/** Formats a path as in code: `faults[2].ms`. */
function placeText(name: string, path: readonly (string | number)[]): string {
  const text = path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    if (!/^[\w$-]{1,60}$/.test(part)) return `${before}[${show(part)}]`
    return before === '' ? part : `${before}.${part}`
  }, name)
  return text === '' ? 'the options' : text
}

/** Parts of the schema of a single value. */
interface ValueRow<Read> {
  readonly use: string
  readonly jsonSchema: JsonSchema
  /** Returns `undefined` for an invalid value. */
  readonly read: (value: unknown) => Read | undefined
  /** Valid names, if the value is one of a list. */
  readonly names?: readonly string[]
  readonly fromText?: (text: string) => unknown
}

/** Creates the schema of a value with the same input and output form. */
export function value<Both>(row: ValueRow<Both>): Schema<Both> {
  return written(row, (found) => found)
}

/** Creates the schema of a value that is parsed from another form. */
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

/** Creates a schema that validates a value and returns it in its input form. */
export function identity<Given, Read>(schema: Schema<Given, Read>): Schema<Given> {
  return {
    ...schema,
    parse: (found) => schema.encode(schema.parse(found)),
    encode: (given) => given,
  }
}

/** Adds a description, and optionally more, to the JSON Schema of a schema. */
export function described<One extends Schema<unknown, unknown>>(
  description: string,
  schema: One,
  more: JsonSchema = {},
): One {
  return {
    ...schema,
    jsonSchema: () => ({ ...schema.jsonSchema(), description: description, ...more }),
  }
}

/** Adds a name to a schema, under which OpenAPI documents contain it once. */
export function named<One extends Schema<unknown, unknown>>(name: string, schema: One): One {
  return { ...schema, jsonSchema: () => ({ [component]: { name, schema: schema.jsonSchema() } }) }
}

/** Property in which {@link named} stores a name and its schema; {@link hoisted} replaces it with a reference. */
export const component = 'x-component'

/**
 * Replaces named schemas with references, and returns them separately.
 *
 * @param prefix Start of a reference, before the name.
 * @throws RangeError if two different schemas have the same name.
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
    // Properties beside the name, such as a description, stay beside the reference.
    return { $ref: prefix + name, ...own }
  }
  const referring = visit(document)
  const inOrder = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))
  return { document: referring, schemas: Object.fromEntries(inOrder) }
}
