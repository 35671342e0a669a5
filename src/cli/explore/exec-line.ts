import { choiceText, type Row } from '../../explore/suite/row.ts'
import { shellWord } from '../../reports/text.ts'

/** What a command for a shell is made of. */
export interface ExecParts {
  /** The options of `exec`, as they were given. */
  readonly options: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/** Writes the command that runs a suite under a row, for a shell. */
export function execLine(parts: ExecParts, row: Row): string {
  const chosen = row.flatMap((one) => ['--gap', choiceText(one)])
  return shellLine('exec', parts, chosen)
}

/** Writes a command of this program that runs another one, for a shell. */
export function shellLine(
  name: string,
  { options, words }: ExecParts,
  chosen: readonly string[],
): string {
  const given = Object.entries(options).flatMap(([name, text]) =>
    text === 'true' ? [`--${name}`] : [`--${name}`, text],
  )
  const command = words.map((word) => word.replaceAll('{row}', '0'))
  const line = ['petstore-sandbox', name, ...given, ...chosen, '--', ...command]
  return line.map(printableWord).join(' ')
}

/** Control characters are escaped, since what prints the line would not keep them. */
function printableWord(word: string): string {
  if (!/\p{Cc}/u.test(word)) return shellWord(word)
  const escaped = word.replaceAll(
    /[\\']|\p{Cc}/gu,
    (character) => escapes[character] ?? `\\u${codeOf(character)}`,
  )
  return `$'${escaped}'`
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
