import { namesOf } from './record.ts'
import { type JsonSchema, Refusal, refuseValue, type Schema, value } from './schema.ts'

/** Which strings will do. */
interface TextRule {
  readonly use: string
  readonly pattern: RegExp
  readonly most?: number
}

const anyText: TextRule = { use: 'a non-empty string', pattern: /[\s\S]/ }

/** A non-empty string that follows a rule; by default any. */
export function text({ use, pattern, most = Number.POSITIVE_INFINITY } = anyText): Schema<string> {
  return value<string>({
    use,
    jsonSchema: {
      type: 'string',
      minLength: 1,
      ...(Number.isFinite(most) ? { maxLength: most } : {}),
      ...(pattern === anyText.pattern ? {} : { pattern: pattern.source }),
    },
    read: (found) =>
      typeof found === 'string' && found.length <= most && pattern.test(found) ? found : undefined,
  })
}

/** Any string, even an empty one. */
export const string: Schema<string> = value<string>({
  use: 'a string',
  jsonSchema: { type: 'string' },
  read: (found) => (typeof found === 'string' ? found : undefined),
})

/** A whole number within bounds, inclusive. */
export function whole(
  least: number,
  most: number,
  use: string = `a whole number from ${least} to ${most}`,
): Schema<number> {
  return value<number>({
    use,
    jsonSchema: { type: 'integer', minimum: least, maximum: most },
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
  bounds: { minimum?: number; exclusiveMinimum?: number; maximum: number },
): Schema<number> {
  const {
    minimum = Number.NEGATIVE_INFINITY,
    exclusiveMinimum = Number.NEGATIVE_INFINITY,
    maximum,
  } = bounds
  return value<number>({
    use,
    jsonSchema: { type: 'number', ...bounds },
    read: (found) =>
      typeof found === 'number' && found >= minimum && found > exclusiveMinimum && found <= maximum
        ? found
        : undefined,
    fromText: numberFromText,
  })
}

/** Turns text into the number that it writes; other text stays, to be refused. */
function numberFromText(text: string): unknown {
  return /^-?\d+(?:\.\d+)?(?:e\d+)?$/i.test(text) ? Number(text) : text
}

const flagTexts: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** True or false. */
export const flag: Schema<boolean> = value<boolean>({
  use: 'true or false',
  jsonSchema: { type: 'boolean' },
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
    jsonSchema: { ...(isNumeric ? {} : { type: 'string' }), enum: choices },
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

/** What a schema takes, or null. */
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

/** What either of two schemas takes; each is of a single value. */
export function either<First, FirstRead extends First, Second>(
  first: Schema<First, FirstRead>,
  second: Schema<Second>,
): Schema<First | Second, FirstRead | Second> {
  const use = `${first.use}, or ${second.use}`
  return {
    use,
    describe: () => ({ anyOf: [first.describe(), second.describe()] }),
    read(found) {
      for (const schema of [first, second]) {
        try {
          return schema.read(found)
        } catch (thrown) {
          if (!(thrown instanceof Refusal)) throw thrown
        }
      }
      return refuseValue(found, use)
    },
    write: (read) => read,
    fromText: first.fromText,
  }
}

/** Anything that a test tells to be of a type, such as a function or somebody else's document. */
export function anyThat<Value>(
  use: string,
  isOne: (found: unknown) => found is Value,
  jsonSchema: JsonSchema = {},
): Schema<Value> {
  return value<Value>({ use, jsonSchema, read: (found) => (isOne(found) ? found : undefined) })
}
