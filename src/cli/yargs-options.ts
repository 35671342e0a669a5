import type { Argv, CommandModule, Options } from 'yargs'
import {
  fromTexts,
  type ObjectSchema,
  object,
  type Properties,
  type ReadOf,
} from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { component, type JsonSchema, readInput } from '../mock/input/schema.ts'
import { programName } from './program.ts'

/** A yargs command module. */
export type Command = CommandModule

/** Arguments and options as yargs returns them. */
export type Arguments = Readonly<Record<string, unknown>>

/** Presentation of options. */
interface Presentation {
  /** Heading above them in the help. */
  readonly group?: string
  /** Defaults of this command that differ from those in the schemas. */
  readonly defaults?: Readonly<Record<string, string>>
  /** Whether commands within this one have them, too; `true` by default. */
  readonly global?: boolean
}

/** Describes options to yargs from their schemas. */
export function optionsOf(
  properties: Properties,
  { group, defaults = {}, global = true }: Presentation = {},
): Record<string, Options> {
  const rows = Object.entries(describeEach(properties))
  return Object.fromEntries(
    rows.map(([name, json]): [string, Options] => [
      name,
      {
        ...parsingOf(json),
        describe: helpText({ ...json, default: defaults[name] ?? json.default }),
        choices: listedIn(json),
        global,
        ...(group === undefined ? {} : { group }),
        ...(name === 'quiet' ? { alias: 'q' } : {}),
      },
    ]),
  )
}

/** Has yargs take one value for each option that isn't a flag, so that a word after the value stays a word. */
function parsingOf({ type }: JsonSchema): Options {
  if (type === 'boolean') return { boolean: true }
  return { string: true, nargs: 1, ...(type === 'array' ? { array: true } : {}) }
}

/** Describes the arguments of a command to yargs from their schemas. */
export function withArguments(yargs: Argv, properties: Properties): Argv {
  return Object.entries(describeEach(properties)).reduce(
    (so, [name, json]) =>
      so.positional(name, { type: 'string', describe: helpText(json), choices: listedIn(json) }),
    yargs,
  )
}

/** Returns an example for yargs: a comment, and a line of its own to paste into a shell; `$0` is the program. */
export function exampleLines(line: string, text: string): [string, string] {
  return [`# ${text}\n${line.replace('$0', programName())}`, '']
}

/**
 * Reads arguments from what yargs has parsed.
 *
 * @throws {@link InputError} with the name of the argument.
 */
export function readArguments<All extends Properties>(
  properties: All,
  found: Arguments,
): ReadOf<All> {
  return readEach(object(properties), valuesOf(properties, found))
}

/**
 * Reads options from what yargs has parsed.
 *
 * @throws {@link InputError} with the name of the option.
 */
export function readOptions<All extends Properties>(
  properties: All,
  found: Arguments,
): ReadOf<All> {
  return readEach(object(properties), valuesOf(properties, found), (name) => `--${name}`)
}

function valuesOf(properties: Properties, found: Arguments): Readonly<Record<string, unknown>> {
  const lists = Object.entries(describeEach(properties)).flatMap(([name, { type }]) => {
    const values = valuesIn(found, name)
    return type === 'array' && values.length > 0 ? [[name, values]] : []
  })
  return { ...fromTexts({ properties }, textsOf(properties, found)), ...Object.fromEntries(lists) }
}

/**
 * Returns the texts of the options that were given. The values of a list are joined; for any other option the last one
 * counts, so that options in a script can be overridden after it.
 */
export function textsOf(properties: Properties, found: Arguments): Record<string, string> {
  const rows = Object.entries(describeEach(properties))
  return Object.fromEntries(
    rows.flatMap(([name, { type }]) => {
      const values = valuesIn(found, name)
      if (values.length === 0) return []
      return [[name, type === 'array' ? values.join(',') : (values.at(-1) ?? '')]]
    }),
  )
}

function valuesIn(found: Arguments, name: string): string[] {
  const value = found[name]
  return value === undefined ? [] : [value].flat().map(String)
}

/** Returns whether a list of arguments has any. */
export function isGiven(found: unknown): boolean {
  return Array.isArray(found) && found.length > 0
}

/** Maximum number of names that the help lists. */
const maxListed = 12

/** Returns the description of a value with its names, if they are few, and its default. */
function helpText(json: JsonSchema): string {
  const { description = '', default: standard } = json
  // Of settings, only the names.
  const names = [...new Set(listedIn(json).map((word) => word.replace(/[.=].*/, '')))]
  const isShown = ['string', 'number'].includes(typeof standard)
  return [
    String(description).replace(/\.$/, ''),
    ...(names.length === 0 || names.length > maxListed ? [] : [`(${names.join(', ')})`]),
    ...(isShown ? [`[default: ${standard}]`] : []),
  ].join(' ')
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
 * Reads values one by one.
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
    const isRequired = !('fallback' in property)
    if (name in values || isRequired) readInput(property, values[name], nameOf(name))
  }
  return schema.parse(values)
}
