import { parseJson } from '../mock/api/json.ts'
import {
  type GivenOf,
  list,
  type ObjectSchema,
  type Optional,
  object,
  optional,
  type Properties,
  withDefault,
} from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import {
  described,
  type JsonSchema,
  readInput,
  rejectValue,
  type Schema,
  ValidationError,
} from '../mock/input/schema.ts'
import { type Duration, duration, flag, string, text } from '../mock/input/values.ts'
import { unnamed } from './yargs-options.ts'

/** Returns the schema of settings: `name=value`, several with commas, or an object in a config file. */
export function settings<Given>(
  schema: Schema<Given, unknown>,
  description: string,
  example: string,
): Schema<unknown, Given> {
  return {
    ...settingList(schema, description),
    parse: (found) => readSettings(schema, [found].flat().flatMap(splitText), example),
    encode: (read) => read,
  }
}

/** Returns the schema of a flag that is off by default. */
export function offByDefault(description: string): Optional<boolean> {
  return withDefault(described(description, flag), false)
}

/** Returns the schema of an option that names a file or a folder. Paths in a config file are relative to that file. */
export function optionalPath(
  description: string,
  fallback?: string,
): Optional<string, string | undefined> {
  return optional(
    described(description, text(), { format: 'path', ...(fallback && { default: fallback }) }),
  )
}

/** Returns the schema of a list: an array, or text with commas. */
export function textList<Item extends string>(
  item: Schema<Item>,
): Schema<string | readonly string[], Item[]> {
  return {
    expected: item.expected,
    jsonSchema: () => ({ type: 'array', items: item.jsonSchema() }),
    parse: (found) => [found].flat().flatMap(splitText).map(item.parse),
    encode: (read) => read,
  }
}

/** Splits text at commas; other values stay as they are, for the schema to reject. */
export function splitText(found: unknown): unknown[] {
  return typeof found === 'string' ? found.split(',') : [found]
}

/** Returns the limits of one table, out of those of all tables. */
export function limitsIn<Limits extends Properties>(
  { properties }: ObjectSchema<Limits>,
  all: Readonly<Record<string, unknown>>,
): GivenOf<Limits> {
  const table = object(properties, { unknown: 'ignore' })
  return table.encode(table.parse(all))
}

/** Returns the schema of a duration that people type: a bare number could mean any unit. */
export function withUnit(schema: Schema<Duration, number>): Schema<Duration, number> {
  const expected = schema.expected.replace(
    'milliseconds, or a duration',
    'a duration with its unit,',
  )
  return {
    ...schema,
    expected,
    parse(found) {
      if (typeof found === 'string' && /^\d+$/.test(found)) return rejectValue(found, expected)
      try {
        return schema.parse(found)
      } catch (thrown) {
        if (!(thrown instanceof ValidationError)) throw thrown
        return rejectValue(found, expected)
      }
    },
  }
}

/** A duration that people type. */
export const typedDuration: Schema<Duration, number> = withUnit(duration)

/** One `name=value` word, or one property of an object. */
interface Setting {
  readonly path: readonly string[]
  readonly text: unknown
  /** The text, or its value as JSON. */
  readonly value: unknown
}

/**
 * Reads an object from `name=value` words, or from objects; `name.part=value` sets a part, and names may be hyphenated
 * like options. A value is JSON if the schema accepts that, else a string; the last value of a name counts.
 *
 * @param example A valid word, for the error message.
 * @throws {@link ValidationError}
 */
export function readSettings<Given, Read>(
  schema: Schema<Given, Read>,
  words: readonly unknown[],
  example: string,
): Given {
  return schema.encode(
    readParts(
      schema,
      words.flatMap((word) => settingsOf(word, example)),
    ),
  )
}

function settingsOf(word: unknown, example: string): Setting[] {
  if (isRecord(word)) {
    return Object.entries(word).map(([name, value]) => ({ path: [name], text: value, value }))
  }
  const [, name = '', text] = (typeof word === 'string' && /^([^=]+)=(.*)$/s.exec(word)) || []
  if (text === undefined) return rejectValue(word, `name=value, such as ${example}`)
  return [{ path: camelCase(name.trim()).split('.'), text, value: jsonOr(text) }]
}

/** Writes a hyphenated name in camel case: `rateLimits` for `rate-limits`. */
function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function jsonOr(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function readParts<Read>(schema: Schema<unknown, Read>, settings: readonly Setting[]): Read {
  try {
    return schema.parse(objectOf(settings))
  } catch (thrown) {
    const rejected = thrown instanceof ValidationError && thrown.path.join('.')
    const isText = ({ path, text, value }: Setting) => value !== text && path.join('.') === rejected
    if (!settings.some(isText)) throw thrown
    return readParts(
      schema,
      settings.map((one) => (isText(one) ? { ...one, value: one.text } : one)),
    )
  }
}

function objectOf(settings: readonly Setting[]): Readonly<Record<string, unknown>> {
  const made = new Map<string, unknown>()
  for (const {
    path: [name = '', ...part],
    value,
  } of settings) {
    const before = made.get(name)
    const inner = part.length === 0 ? value : objectOf([{ path: part, text: '', value }])
    const isBoth = part.length > 0 && isRecord(before) && isRecord(inner)
    made.set(name, isBoth ? { ...before, ...inner } : inner)
  }
  return Object.fromEntries(made)
}

/**
 * Reads an object from the words of a line.
 *
 * @param example A valid word, for the error message.
 * @throws {@link InputError} naming the setting.
 */
export function settingsFrom<Given>(
  schema: Schema<Given, unknown>,
  words: readonly string[],
  example: string,
): Given {
  return readInput({ parse: () => readSettings(schema, words, example) }, words, schema.title)
}

/**
 * Returns the schema of words for {@link readSettings}, with examples for shell completion.
 *
 * @param given Names that other words of the command set.
 */
export function settingList(
  schema: { jsonSchema(): JsonSchema },
  description: string,
  given: readonly string[] = [],
): Schema<readonly string[], string[]> {
  const isOpen = (word: string): boolean => !given.includes(word.replace(/=.*/, ''))
  return {
    ...list(string),
    jsonSchema: () => ({
      type: 'array',
      description,
      items: { type: 'string', examples: wordsOf(schema.jsonSchema()).filter(isOpen) },
    }),
  }
}

/** Lists the prefixes of all `name=value` words of an object, and the whole words of booleans and enums. */
function wordsOf(json: JsonSchema): string[] {
  const { oneOf, properties } = unnamed(json)
  if (Array.isArray(oneOf)) return [...new Set(oneOf.filter(isRecord).flatMap(wordsOf))]
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, part]) => {
    const { properties: parts, type, enum: choices } = unnamed(isRecord(part) ? part : {})
    if (isRecord(parts)) return Object.keys(parts).map((one) => `${name}.${one}=`)
    if (type === 'boolean') return [`${name}=true`, `${name}=false`]
    return Array.isArray(choices) ? choices.map((choice) => `${name}=${choice}`) : [`${name}=`]
  })
}

/** Returns a `name=value` word for a value; a word that has this form stays as it is. */
export function asSetting(name: string, word: string | undefined): string[] {
  if (word === undefined) return []
  // A key may end in equals signs.
  return [/^[\w-]+(?:\.\w+)?=[^=]/.test(word) ? word : `${name}=${word}`]
}
