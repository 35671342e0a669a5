import { toJson } from '../../../contract/int64.ts'
import {
  fromTexts,
  type ObjectSchema,
  object,
  type Properties,
  type ReadOf,
} from '../../../input/object.ts'
import { textsOf } from '../../usage/literal-words.ts'
import { readEach } from '../../usage/read-each.ts'
import { describeEach } from '../../usage/yargs-options.ts'
import type { Client } from '../connect.ts'
import { answerTable } from './answer-tables.ts'

/** What an action takes, does, and shows. */
interface ActionRow<Words extends Properties, Answer> {
  readonly about: string
  /** The words after its name, in their order: those that may be left out last, and an array the very last. */
  readonly words: Words
  /** Words that can be pasted into a shell, and what they do. */
  readonly examples?: Readonly<Record<string, string>>
  /** Asks nothing of the client before it has read what is left to read. */
  run(client: Client, words: ReadOf<Words>): Promise<Answer>
  /** How the answer is shown; by default as a table, or as `Done`. */
  show?(answer: Answer, words: ReadOf<Words>): string
}

/** An action of a command for a running sandbox. */
export interface Action {
  readonly about: string
  readonly words: Properties
  readonly examples: Readonly<Record<string, string>>
  /**
   * Reads the words.
   *
   * @returns What does the action, and gives the text to print.
   * @throws {@link InputError} naming the word.
   */
  prepare(given: Readonly<Record<string, unknown>>): RunAction
}

/** Does an action at a running sandbox, and gives the text to print. */
type RunAction = (client: Client, form: 'text' | 'json') => Promise<string>

/** A command for a running sandbox. */
export interface RemoteCommand {
  readonly about: string
  /** By name; the first one is what the command does without a word. */
  readonly actions: Readonly<Record<string, Action>>
  /** The action that words are for where they name none. */
  readonly implied?: string
}

/** Makes an action. */
export function action<const Words extends Properties, Answer>(
  row: ActionRow<Words, Answer>,
): Action {
  const { about, words, examples = {}, run, show = answerTable } = row
  const schema = object(words)
  return {
    about,
    words,
    examples,
    prepare(given) {
      const read = readEach(schema, valuesOf(schema, given))
      return async (client, form) => {
        const answer = await run(client, read)
        if (form === 'text') return show(answer, read)
        return answer === undefined ? '{}' : toJson(answer)
      }
    },
  }
}

/** Takes the words from what yargs has read; one that is missing is left out. */
function valuesOf(schema: ObjectSchema<Properties>, given: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.keys(schema.properties).flatMap((name) => {
      const texts = textsOf(given[name])
      const [text] = texts
      if (text === undefined) return []
      if (Array.isArray(given[name])) return [[name, texts]]
      return [[name, fromTexts(schema, { [name]: text })[name]]]
    }),
  )
}

/** Writes the words that an action takes as a usage line does, such as `<key> [settings..]`. */
export function usageOf(words: Properties): string {
  return Object.entries(describeEach(words))
    .map(([name, { type }]) => {
      const text = type === 'array' ? `${name}..` : name
      return 'fallback' in (words[name] ?? {}) ? `[${text}]` : `<${text}>`
    })
    .join(' ')
}
