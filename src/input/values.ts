import { namesOf } from './record.ts'
import { type Schema, value } from './schema.ts'

/** What a text may be. */
interface TextRule {
  readonly use: string
  readonly pattern: RegExp
  readonly most?: number
}

const anyText: TextRule = { use: 'a non-empty string', pattern: /[\s\S]/ }

/** A string that is not empty, by default any. */
export function text({ use, pattern, most = Number.POSITIVE_INFINITY } = anyText): Schema<string> {
  return value<string>({
    use,
    json: {
      type: 'string',
      minLength: 1,
      ...(Number.isFinite(most) ? { maxLength: most } : {}),
      ...(pattern === anyText.pattern ? {} : { pattern: pattern.source }),
    },
    read: (found) =>
      typeof found === 'string' && found.length <= most && pattern.test(found) ? found : undefined,
  })
}

/** A string, be it empty. */
export const string: Schema<string> = value<string>({
  use: 'a string',
  json: { type: 'string' },
  read: (found) => (typeof found === 'string' ? found : undefined),
})

/** A whole number within bounds. */
export function whole(least: number, most: number): Schema<number> {
  return value<number>({
    use: `a whole number from ${least} to ${most}`,
    json: { type: 'integer', minimum: least, maximum: most },
    read: (found) =>
      typeof found === 'number' && Number.isInteger(found) && found >= least && found <= most
        ? found
        : undefined,
    fromText: numberFromText,
  })
}

/** A number within bounds, fractions included. */
export function number(
  use: string,
  json: { minimum?: number; exclusiveMinimum?: number; maximum: number },
): Schema<number> {
  const {
    minimum = Number.NEGATIVE_INFINITY,
    exclusiveMinimum = Number.NEGATIVE_INFINITY,
    maximum,
  } = json
  return value<number>({
    use,
    json: { type: 'number', ...json },
    read: (found) =>
      typeof found === 'number' && found >= minimum && found > exclusiveMinimum && found <= maximum
        ? found
        : undefined,
    fromText: numberFromText,
  })
}

/** A number that a text writes; any other text as it is, to be refused. */
export function numberFromText(text: string): unknown {
  return /^-?\d+(?:\.\d+)?(?:e\d+)?$/i.test(text) ? Number(text) : text
}

const flagTexts: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** True or false. */
export const flag: Schema<boolean> = value<boolean>({
  use: 'true or false',
  json: { type: 'boolean' },
  read: (found) => (typeof found === 'boolean' ? found : undefined),
  fromText: (text) => (Object.hasOwn(flagTexts, text) ? flagTexts[text] : text),
})

/** One of a list of names or numbers. */
export function oneOf<const Choice extends string | number>(
  choices: readonly Choice[],
): Schema<Choice> & { readonly choices: readonly Choice[] } {
  const isNumeric = choices.some((choice) => typeof choice === 'number')
  const schema = value<Choice>({
    use: choices.length === 1 ? JSON.stringify(choices[0]) : `one of ${choices.join(', ')}`,
    json: { ...(isNumeric ? {} : { type: 'string' }), enum: choices },
    read: (found) => choices.find((choice) => choice === found),
    ...(isNumeric
      ? { fromText: (given: string) => choices.find((one) => String(one) === given) ?? given }
      : {}),
  })
  return { ...schema, choices }
}

/** One of the names of a table. */
export function nameIn<Table extends object>(table: Table) {
  return oneOf(namesOf(table))
}

/** What another schema takes, or null. */
export function nullable<Given, Read>(
  schema: Schema<Given, Read>,
): Schema<Given | null, Read | null> {
  return {
    use: `${schema.use}, or null`,
    describe: () => ({ anyOf: [schema.describe(), { type: 'null' }] }),
    read: (found) => (found === null ? null : schema.read(found)),
    write: (read) => (read === null ? null : schema.write(read)),
    fromText: schema.fromText,
  }
}

/** Anything that a test tells to be of a type, such as a function or a document of another's making. */
export function anyThat<Value>(
  use: string,
  isOne: (found: unknown) => found is Value,
  json: Readonly<Record<string, unknown>> = {},
): Schema<Value> {
  return value<Value>({ use, json, read: (found) => (isOne(found) ? found : undefined) })
}
