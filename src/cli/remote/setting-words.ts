import { parseJson } from '../../contract/int64.ts'
import { show } from '../../input/input-error.ts'
import { CliError } from '../terminal/cli-error.ts'

/** The settings that are texts, also where they look like a number. */
const texts: readonly string[] = ['key', 'name']

/**
 * Reads `name=value` words; a value that is JSON is taken as such, any other as a text.
 *
 * @param example One that would do.
 * @throws {@link CliError}
 */
export function readSettings(words: readonly string[], example: string): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const [name = '', value] = word.split(/=(.*)/s)
      if (value !== undefined) return [name, texts.includes(name) ? value : readValue(value)]
      throw new CliError(`Cannot use ${show(word)}: it is no setting; use one as ${example}`, 2)
    }),
  )
}

/** Reads a value that may be JSON; what is none is a text. */
export function readValue(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/**
 * Reads `name=value` words of which the first one may be a value alone.
 *
 * @param name What a value alone is of.
 */
export function readNamed(
  name: string,
  words: readonly string[],
  example: string,
): Record<string, unknown> {
  const [first] = words
  // A key may end in equals signs.
  if (first === undefined || /^\w+=[^=]/.test(first)) return readSettings(words, example)
  return { [name]: first, ...readSettings(words.slice(1), example) }
}
