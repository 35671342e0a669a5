import { toJson } from '../../contract/json.ts'
import type { Properties, ReadOf } from '../../input/object.ts'
import { type Command, command } from '../command.ts'
import { allOption, askingOptions, remoteOptions } from '../options.ts'
import { firstLines } from '../terminal.ts'
import { answerTable, type Scene } from './answers.ts'
import type { Client, RemotePlace } from './connect.ts'

/** What an action takes and does. */
interface ActionRow<Words extends Properties, Answer> {
  readonly about: string
  /** The words after its name, in their order: optional ones last, and a list the very last. */
  readonly words?: Words
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
  message(answer: Answer, words: ReadOf<Words>, scene: Scene): string | Promise<string>
  /** What a script needs of the answer, such as the id of what was made. */
  plainOutput?(answer: Answer): string
}

/** Makes an action that asks a running sandbox for something. */
export function question<const Words extends Properties = Record<never, never>, Answer = unknown>(
  row: QuestionRow<Words, Answer>,
): Command {
  const { show = answerTable } = row
  return actionOf(row, askingOptions.properties, (answer, _words, scene) => show(answer, scene))
}

/** Makes an action that asks a running sandbox for a list, of which only the beginning is printed unless all is asked for. */
export function listing<Answer>(row: QuestionRow<Record<never, never>, Answer>): Command {
  const { show = answerTable } = row
  const options = { ...askingOptions.properties, all: allOption }
  return actionOf(row, options, async (answer, _words, scene, { all }) => {
    return firstLines(await show(answer, scene), all)
  })
}

/** Makes an action that changes something in a running sandbox. */
export function change<const Words extends Properties = Record<never, never>, Answer = unknown>(
  row: ChangeRow<Words, Answer>,
): Command {
  const { message, plainOutput = () => '' } = row
  return actionOf(row, remoteOptions.properties, async (answer, words, scene, { quiet }) =>
    quiet ? plainOutput(answer) : await message(answer, words, scene),
  )
}

function actionOf<
  Words extends Properties,
  Options extends typeof askingOptions.properties & Properties,
  Answer,
>(
  { about, words, examples, run }: ActionRow<Words, Answer>,
  options: Options,
  show: (
    answer: Answer,
    words: ReadOf<Words>,
    scene: Scene,
    options: ReadOf<Options>,
  ) => string | Promise<string>,
): Command {
  return command<Words, Options>({
    about,
    ...(words && { words }),
    options,
    ...(examples && { examples }),
    async run({ words: read, options: place, written }) {
      // What a server doesn't need is loaded when it is needed.
      const { atSandbox } = await import('./connect.ts')
      const stream = process.stdout
      const text = await atSandbox(place, async (client) => {
        const answer = await run(client, read, place)
        if (place.json) return answer === undefined ? '{}' : toJson(answer)
        return await show(answer, read, { client, place, stream, written }, place)
      })
      if (text !== '') stream.write(`${text}\n`)
    },
  })
}
