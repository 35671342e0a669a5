import { toJson } from '../../../contract/json/json.ts'
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
import type { Client, RemotePlace } from '../connect.ts'
import { answerTable } from './answer-tables.ts'

/** What an action takes and does. */
interface ActionRow<Words extends Properties, Answer> {
  readonly about: string
  /** The words after its name, in their order: those that may be left out last, and an array the very last. */
  readonly words: Words
  /** Words that can be pasted into a shell, and what they do. */
  readonly examples?: Readonly<Record<string, string>>
  /** Asks nothing of the client before it has read what is left to read. */
  run(client: Client, words: ReadOf<Words>, place: RemotePlace): Promise<Answer>
}

/** An action that asks for something. */
interface QuestionRow<Words extends Properties, Answer> extends ActionRow<Words, Answer> {
  /** How the answer is shown; by default as a table. */
  show?(answer: Answer, scene: Scene): string | Promise<string>
}

/** An action that changes something. */
interface ChangeRow<Words extends Properties, Answer> extends ActionRow<Words, Answer> {
  /** Says in a sentence what has changed. */
  says(answer: Answer, words: ReadOf<Words>, scene: Scene): string | Promise<string>
  /** What a script needs of the answer, such as the id of what was made. */
  gives?(answer: Answer): string
}

/** Where an answer is shown, and what it is about. */
export interface Scene {
  readonly client: Client
  readonly place: RemotePlace
  readonly stream: NodeJS.WriteStream
  /** The words as they were written. */
  readonly texts: Readonly<Record<string, unknown>>
}

/** How an answer is printed. */
export type Form = 'text' | 'json' | 'quiet'

/** An action of a command for a running sandbox. */
export interface Action {
  readonly about: string
  /** Whether it changes something. */
  readonly isChange: boolean
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

/** Does an action at a running sandbox, and gives the text to print; `''` for nothing. */
type RunAction = (form: Form, place: Omit<Scene, 'texts'>) => Promise<string>

/** A command for a running sandbox. */
export interface RemoteCommand {
  readonly about: string
  /** By name; the first one is what the command does without a word. */
  readonly actions: Readonly<Record<string, Action>>
  /** The action that words are for where they name none. */
  readonly implied?: string
}

/** Makes an action that asks for something. */
export function question<const Words extends Properties, Answer>(
  row: QuestionRow<Words, Answer>,
): Action {
  const { show = answerTable } = row
  return actionOf(row, (answer, _words, scene) => show(answer, scene))
}

/** Makes an action that changes something. */
export function change<const Words extends Properties, Answer>(
  row: ChangeRow<Words, Answer>,
): Action {
  const { says, gives = () => '' } = row
  return actionOf(row, says, gives)
}

function actionOf<const Words extends Properties, Answer>(
  { about, words, examples = {}, run }: ActionRow<Words, Answer>,
  show: (answer: Answer, words: ReadOf<Words>, scene: Scene) => string | Promise<string>,
  gives?: (answer: Answer) => string,
): Action {
  const schema = object(words)
  return {
    about,
    isChange: gives !== undefined,
    words,
    examples,
    prepare(given) {
      const texts = valuesOf(schema, given)
      const read = readEach(schema, texts)
      return async (form, place) => {
        const answer = await run(place.client, read, place.place)
        if (form === 'json') return answer === undefined ? '{}' : toJson(answer)
        if (form === 'quiet' && gives !== undefined) return gives(answer)
        return await show(answer, read, { ...place, texts })
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
