import type { Options, PositionalOptions } from 'yargs'
import type { Properties } from '../../input/object.ts'
import { object } from '../../input/object.ts'
import { isRecord } from '../../input/record.ts'
import { component, type JsonSchema } from '../../input/schema.ts'

/** What is said of each property of an object, its default included. */
export function describeEach(properties: Properties): Readonly<Record<string, JsonSchema>> {
  const { properties: described } = object(properties).describe()
  const entries = isRecord(described) ? Object.entries(described) : []
  return Object.fromEntries(
    entries.flatMap(([name, json]) => (isRecord(json) ? [[name, unnamed(json)]] : [])),
  )
}

/** Gives a schema without the name that it has in OpenAPI documents. */
export function unnamed({ [component]: named, ...json }: JsonSchema): JsonSchema {
  return isRecord(named) && isRecord(named.schema) ? { ...unnamed(named.schema), ...json } : json
}

/** Describes options to yargs, which lists them in the help, takes them apart and completes them. */
export function yargsOptions(
  properties: Properties,
  defaults: Readonly<Record<string, string>> = {},
): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(describeEach(properties)).map(([name, json]) => {
      const usual = defaults[name] ?? json.default
      return [
        name,
        {
          ...yargsWord(json),
          ...(name === 'quiet' ? { alias: 'q' } : {}),
          ...(json.type === 'boolean' ? { boolean: true } : { requiresArg: true }),
          // One value each time, so that a word after it stays a word.
          ...(json.type === 'array' ? { array: true, nargs: 1 } : {}),
          ...(['string', 'number'].includes(typeof usual)
            ? { defaultDescription: String(usual) }
            : {}),
        },
      ]
    }),
  )
}

/** Describes a word of a command to yargs. */
export function yargsWord({
  description = '',
  enum: choices,
  items,
}: JsonSchema): PositionalOptions & Options {
  const names = namesIn(isRecord(items) ? unnamed(items) : {})
  const listed = names.length === 0 || names.length > maxListed ? '' : ` (${names.join(', ')})`
  return {
    describe: String(description).replace(/\.$/, '') + listed,
    ...(Array.isArray(choices) ? { choices: choices.map(String) } : {}),
  }
}

/** The longest list of names that the help shows. */
const maxListed = 12

/** The names that the words of a list may have. */
function namesIn({ enum: choices, examples }: JsonSchema): readonly string[] {
  if (Array.isArray(choices)) return choices.map(String)
  const words = Array.isArray(examples) ? examples.map(String) : []
  return [...new Set(words.map((word) => word.replace(/[.=].*/, '')))]
}

/** Lays out examples for the help: a comment, and a line that can be pasted into a shell. */
export function shownExamples(
  examples: Readonly<Record<string, string>>,
  command = '',
): [string, string][] {
  return Object.entries(examples).flatMap(([words, about]) => [
    [`# ${about}`, ''],
    [`$0 ${command} ${words}`.replace(/ +/g, ' '), ''],
  ])
}
