import { parseJson } from '../../mock/api/json.ts'
import { show } from '../../mock/input/input-error.ts'
import {
  fromTexts,
  list,
  type ObjectSchema,
  object,
  type Properties,
  type ReadOf,
} from '../../mock/input/object.ts'
import { isRecord, namesOf } from '../../mock/input/record.ts'
import {
  component,
  type JsonSchema,
  readInput,
  rejectValue,
  type Schema,
  ValidationError,
} from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'

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

/** Returns the JSON Schema of each property of an object, including defaults. */
export function describeEach(properties: Properties): Readonly<Record<string, JsonSchema>> {
  const { properties: described } = object(properties).jsonSchema()
  const entries = isRecord(described) ? Object.entries(described) : []
  return Object.fromEntries(
    entries.flatMap(([name, json]) => (isRecord(json) ? [[name, unnamed(json)]] : [])),
  )
}

/** Returns the values that a schema lists; for a list, those of its items. */
export function listedIn({ enum: choices, items }: JsonSchema): readonly string[] {
  if (Array.isArray(choices)) return choices.map(String)
  if (!isRecord(items)) return []
  const item = unnamed(items)
  return Array.isArray(item.examples) ? item.examples.map(String) : listedIn(item)
}

/** Returns a schema without its name in OpenAPI documents. */
export function unnamed({ [component]: named, ...json }: JsonSchema): JsonSchema {
  return isRecord(named) && isRecord(named.schema) ? { ...unnamed(named.schema), ...json } : json
}

/**
 * Reads options or words.
 *
 * @param nameOf Returns the name of an option where it was set.
 * @throws {@link InputError} with that name.
 */
export function readEach<All extends Properties>(
  schema: ObjectSchema<All>,
  values: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string = String,
): ReadOf<All> {
  for (const [name, property] of Object.entries<Properties[string]>(schema.properties)) {
    if (name in values) readInput(property, values[name], nameOf(name))
  }
  return schema.parse(values)
}

/** Returns the values of arguments by name: missing ones are left out, and a list takes all that remain. */
export function wordValues(properties: Properties, given: readonly string[]) {
  const places = Object.entries(describeEach(properties)).slice(0, given.length)
  return Object.assign(
    {},
    ...places.map(([name, { type }], at) => {
      const text = given[at] ?? ''
      return type === 'array'
        ? { [name]: given.slice(at) }
        : fromTexts({ properties }, { [name]: text })
    }),
  )
}

/** Writes arguments as in a line of usage, such as `<key> [settings..]`. */
export function usageOf(words: Properties): string {
  return Object.entries(describeEach(words))
    .map(([name, { type }]) => {
      const text = type === 'array' ? `${name}..` : name
      return isOptional(words[name]) ? `[${text}]` : `<${text}>`
    })
    .join(' ')
}

/** Returns whether an argument is optional. */
export function isOptional(word: Properties[string] | undefined): boolean {
  return word !== undefined && 'fallback' in word
}

/** Returns the argument at a position; an array takes all words that follow. */
export function placeAt(
  words: Properties,
  index: number,
): readonly [name: string, json: JsonSchema] | undefined {
  const places = Object.entries(describeEach(words))
  const place = places[Math.min(index, places.length - 1)]
  return place !== undefined && (index < places.length || place[1].type === 'array')
    ? place
    : undefined
}

/** A command as its errors name it. */
interface NamedCommand {
  readonly name: string
  readonly words: Properties
  /** Text after its name in a line of usage. */
  readonly usage: string
}

/** Returns an error message if required arguments of a command are missing. */
export function missingText(
  { name, words, usage }: NamedCommand,
  given: readonly string[],
): string | undefined {
  const missing = namesOf(words)
    .slice(given.length)
    .find((word) => !isOptional(words[word]))
  return missing && `Cannot run ${name}: no ${missing} given; use ${`${name} ${usage}`.trimEnd()}`
}

/** Returns an error message if a command has more arguments than it takes. */
export function surplusText(
  { name, words, usage }: NamedCommand,
  given: readonly string[],
): string | undefined {
  const places = Object.values(describeEach(words))
  const found = places.at(-1)?.type === 'array' ? undefined : given[places.length]
  if (found === undefined) return undefined
  const use = `use ${`${name} ${usage}`.trimEnd()}`
  return `Cannot run ${name}: unexpected argument ${show(found)}; ${use}`
}
