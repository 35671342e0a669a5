import { readSettings, settingList } from '../client/actions/words.ts'
import {
  type GivenOf,
  type ObjectSchema,
  type Optional,
  object,
  optional,
  type Properties,
  withDefault,
} from '../mock/input/object.ts'
import { described, type Schema } from '../mock/input/schema.ts'
import { flag, text } from '../mock/input/values.ts'

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
