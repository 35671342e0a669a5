import { printableJson } from '../checks/reports/text.ts'
import { InputError, show } from '../mock/input/input-error.ts'
import { fromTexts, object, type Properties, type ReadOf } from '../mock/input/object.ts'
import { redactKey } from '../mock/log/redactor.ts'
import { toJson } from '../mock/spec/json.ts'
import { CliError } from './cli-error.ts'
import { allOption, askingOptions, remoteOptions } from './options.ts'
import { answerTable, type OutputContext } from './remote/answers.ts'
import type { Client, Target } from './remote/connect.ts'
import { readServeSettings, type ServeSettings } from './serve/serve-settings.ts'
import { describeEach, readEach } from './settings.ts'
import { firstLines } from './terminal.ts'

type Texts = Readonly<Record<string, string>>

/** Input of a command's `run()`. */
interface Input<Words extends Properties, Options extends Properties> {
  readonly words: ReadOf<Words>
  readonly options: ReadOf<Options>
  /** Options as they were written, without those of {@link Row.serving}. */
  readonly texts: Texts
  /** Options of {@link Row.serving} as they were written. */
  readonly servingTexts: Texts
  /** Reads the options of {@link Row.serving}, also from variables and the config file. */
  readSettings(): Promise<ServeSettings>
}

/** Row of the table of commands. */
interface Row<Words extends Properties, Options extends Properties>
  extends Partial<Pick<Command, 'serving' | 'defaults' | 'output' | 'examples' | 'notes'>> {
  readonly summary: string
  /** Arguments after its name in order: optional ones last, and a list at the very end. */
  readonly words?: Words
  readonly options?: Options
  /** @returns The exit code; 0 if left out. */
  run(given: Input<Words, Options>): Promise<number> | Promise<void>
}

/** Command, or an action of one: all facts that the parser, the help and the completion use. */
export interface Command {
  readonly summary: string
  /** Text after its name in a line of usage. */
  readonly usage: string
  readonly words: Properties
  /** All of its options, including those of a sandbox that it starts. */
  readonly options: Properties
  /** Options of a sandbox that it starts; variables and the config file set them, too. */
  readonly serving: Properties
  /** Other defaults of those options; variables and config files don't change them, since those are for `serve`. */
  readonly defaults: Texts
  /** Kind of output: a command fails if it can't print its `answer`, but continues without its `log`. */
  readonly output: 'answer' | 'log'
  /** Examples for a shell, without the command's name, and their effects. */
  readonly examples: Readonly<Record<string, string>>
  /** Text at the end of the help. */
  readonly notes: string
  /** Actions by name; the first one is the default. */
  readonly actions: Readonly<Record<string, Command>>
  /** Action to run if arguments are given but name no action. */
  readonly actionForArgs: string | undefined
  /**
   * Runs the command.
   *
   * @param given Arguments after its name, neither too many nor too few.
   * @param texts Options by name.
   */
  run(given: readonly string[], texts: Texts): Promise<void>
}

/** Defaults of a command's optional facts. */
const commandDefaults = {
  serving: {},
  defaults: {},
  output: 'answer',
  examples: {},
  notes: '',
  actions: {},
  actionForArgs: undefined,
} as const

/** Creates a command from its row. */
export function command<
  const Words extends Properties = Record<never, never>,
  const Options extends Properties = Record<never, never>,
>(row: Row<Words, Options>): Command {
  const { serving = {}, defaults = {} } = row
  const words: Properties = row.words ?? {}
  const options: Properties = row.options ?? {}
  const schemas = { words: object(words), options: object(options) }
  return {
    ...commandDefaults,
    ...row,
    usage: row.serving === undefined ? usageOf(words) : servingUsage(words),
    words,
    options: { ...options, ...serving },
    async run(given, all) {
      const texts = textsOf(options, all)
      const servingTexts = textsOf(serving, all)
      const code = await row.run({
        // The types are those of the row's own schemas.
        words: readEach(schemas.words, wordValues(words, given)) as ReadOf<Words>,
        options: readEach(
          schemas.options,
          fromTexts(schemas.options, texts),
          (name) => `--${name}`,
        ) as ReadOf<Options>,
        texts,
        servingTexts,
        readSettings: () => readServeSettings({ ...defaults, ...servingTexts }, process.env),
      })
      if (typeof code === 'number') process.exitCode = code
    },
  }
}

/** Creates a command whose actions are commands of their own. */
export function commandOf({
  summary,
  actions,
  actionForArgs,
}: Pick<Command, 'summary' | 'actions'> & Partial<Pick<Command, 'actionForArgs'>>): Command {
  const [[first, defaultAction] = unreachable()] = Object.entries(actions)
  const meant = actionForArgs === undefined ? undefined : actions[actionForArgs]
  const words = meant?.words ?? {}
  return {
    ...commandDefaults,
    summary,
    usage: usageOf(words).replaceAll('<', '[').replaceAll('>', ']'),
    words,
    options: Object.assign({}, ...Object.values(actions).map(({ options }) => options)),
    notes: `The default action is ${first}${actionForArgs === undefined ? '' : `; with arguments, it is ${actionForArgs}`}.`,
    actions,
    actionForArgs,
    run: (given, texts) =>
      (given.length > 0 && meant !== undefined ? meant : defaultAction).run(given, texts),
  }
}

function unreachable(): never {
  throw new TypeError('Cannot make a command: it has no action')
}

/** Returns the texts of these options. */
function textsOf(options: Properties, texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => Object.hasOwn(options, name)))
}

/** Returns the values of arguments by name: missing ones are left out, and a list takes all that remain. */
function wordValues(properties: Properties, given: readonly string[]) {
  const places = Object.entries(describeEach(properties)).slice(0, given.length)
  return Object.assign(
    {},
    ...places.map(([name, { type }], at) => {
      const text = given[at] ?? ''
      return type === 'array'
        ? { [name]: given.slice(at) }
        : fromTexts({ properties }, { [name]: text })
    }),
  )
}

/** Writes arguments as in a line of usage, such as `<key> [settings..]`. */
function usageOf(words: Properties): string {
  return Object.entries(describeEach(words))
    .map(([name, { type }]) => {
      const text = type === 'array' ? `${name}..` : name
      return isOptional(words[name]) ? `[${text}]` : `<${text}>`
    })
    .join(' ')
}

/** Writes the line of usage of a command that starts a sandbox, and may run another command beside it. */
function servingUsage(words: Properties): string {
  return Object.keys(words).length === 0 ? '[options]' : '[options] -- COMMAND'
}

/** Returns whether an argument is optional. */
export function isOptional(word: Properties[string] | undefined): boolean {
  return word !== undefined && 'fallback' in word
}

/** Row of an action that calls a running sandbox. */
interface ActionRow<Words extends Properties, Answer> {
  readonly summary: string
  /** Arguments after its name in order: optional ones last, and a list at the very end. */
  readonly words?: Words
  readonly examples?: Readonly<Record<string, string>>
  /** Reads all remaining input before it sends a request. */
  run(client: Client, words: ReadOf<Words>, place: Target): Promise<Answer>
}

/** Formatting of a result; by default as a table. */
interface Shown<Answer> {
  show?(answer: Answer, scene: OutputContext): string | Promise<string>
}

/** Output of an action that changes something. */
interface Told<Words extends Properties, Answer> {
  /** Describes the change in a sentence. */
  message(answer: Answer, words: ReadOf<Words>, scene: OutputContext): string | Promise<string>
  /** Returns the output for scripts, such as the id of what was created. */
  plainOutput?(answer: Answer): string
}

/** Creates an action that queries a running sandbox. */
export function queryCommand<
  const Words extends Properties = Record<never, never>,
  Answer = unknown,
>(row: ActionRow<Words, Answer> & Shown<Answer>): Command {
  const { show = answerTable } = row
  return actionOf(row, askingOptions.properties, (answer, _words, scene) => show(answer, scene))
}

/** Creates an action that lists something of a running sandbox; prints only the first lines unless `--all` is set. */
export function listCommand<
  const Filters extends Properties = Record<never, never>,
  Answer = unknown,
>(
  row: Omit<ActionRow<Record<never, never>, Answer>, 'run' | 'words'> &
    Shown<Answer> & {
      /** Options that filter the list. */
      readonly options?: Filters
      run(client: Client, filters: ReadOf<Filters>): Promise<Answer>
    },
): Command {
  const { summary, examples, options, run, show = answerTable } = row
  return command({
    summary,
    options: { ...askingOptions.properties, all: allOption, ...options },
    ...(examples && { examples }),
    run: async ({ options: read }) =>
      await printAnswer(
        read,
        // The type is that of the row's own options.
        (client) => run(client, read as ReadOf<Filters>),
        async (answer, scene) => firstLines(await show(answer, scene), read.all),
      ),
  })
}

/** Creates an action that changes something in a running sandbox. */
export function mutationCommand<
  const Words extends Properties = Record<never, never>,
  Answer = unknown,
>(row: ActionRow<Words, Answer> & Told<Words, Answer>): Command {
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
  { summary, words, examples, run }: ActionRow<Words, Answer>,
  options: Options,
  show: (
    answer: Answer,
    words: ReadOf<Words>,
    scene: OutputContext,
    options: ReadOf<Options>,
  ) => string | Promise<string>,
): Command {
  return command<Words, Options>({
    summary,
    ...(words && { words }),
    options,
    ...(examples && { examples }),
    run: async ({ words: read, options: place }) =>
      await printAnswer(
        place,
        (client) => withTypedKey(read, () => run(client, read, place)),
        (answer, scene) => show(answer, read, scene, place),
      ),
  })
}

/** Makes errors quote the key as it was typed: a sandbox shows only its beginning, which can hide a typo. */
async function withTypedKey<Answer>(
  { key }: { readonly key?: unknown },
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof InputError) || typeof key !== 'string') throw error
    const message = error.message.replace(show(redactKey(key)), () => JSON.stringify(key))
    throw new CliError(message, 1)
  }
}

/** Calls a running sandbox and prints the result. */
async function printAnswer<Answer>(
  place: ReadOf<typeof askingOptions.properties>,
  ask: (client: Client) => Promise<Answer>,
  show: (answer: Answer, scene: OutputContext) => string | Promise<string>,
): Promise<void> {
  // Loaded only when needed, since a server doesn't need it.
  const { atSandbox } = await import('./remote/connect.ts')
  const stream = process.stdout
  const text = await atSandbox(place, async (client) => {
    const answer = await ask(client)
    if (place.json) return printableJson(answer === undefined ? '{}' : toJson(answer))
    return await show(answer, { client, place, stream })
  })
  if (text !== '') stream.write(`${text}\n`)
}
