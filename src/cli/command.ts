import { printableJson } from '../checks/reports/text.ts'
import type { Action, ActionGroup } from '../client/actions/actions.ts'
import { readEach, usageOf, wordValues } from '../client/actions/words.ts'
import { toJson } from '../mock/api/json.ts'
import { fromTexts, object, type Properties, type ReadOf } from '../mock/input/object.ts'
import { mapTable } from '../mock/input/record.ts'
import { allOption, askingOptions, remoteOptions } from './options.ts'
import { programLine } from './program.ts'
import type { Client } from './remote/connect.ts'
import { type OutputContext, resultTable } from './remote/response-text.ts'
import { readServeSettings, type ServeSettings } from './serve/serve-settings.ts'
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
  /** Kind of output: a command fails if it can't print its `result`, but continues without its `log`. */
  readonly output: 'result' | 'log'
  /** Examples for a shell, without the command's name, and their effects. */
  readonly examples: Readonly<Record<string, string>>
  /** Text at the end of the help. */
  readonly notes: string
  /** Actions by name; the first one is the default unless {@link requiresAction} is set. */
  readonly actions: Readonly<Record<string, Command>>
  /** Action to run if arguments are given but name no action. */
  readonly actionForArgs: string | undefined
  /** Whether a command line must name an action: there is no default that only shows something. */
  readonly requiresAction: boolean
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
  output: 'result',
  examples: {},
  notes: '',
  actions: {},
  actionForArgs: undefined,
  requiresAction: false,
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
  requiresAction = false,
  notes = '',
}: Pick<Command, 'summary' | 'actions'> &
  Partial<Pick<Command, 'actionForArgs' | 'requiresAction' | 'notes'>>): Command {
  const [[first, defaultAction] = unreachable()] = Object.entries(actions)
  const meant = actionForArgs === undefined ? undefined : actions[actionForArgs]
  const words = meant?.words ?? {}
  const otherwise = actionForArgs === undefined ? '' : `; with arguments, it is ${actionForArgs}`
  return {
    ...commandDefaults,
    summary,
    usage: usageOf(words).replaceAll('<', '[').replaceAll('>', ']'),
    words,
    options: Object.assign({}, ...Object.values(actions).map(({ options }) => options)),
    notes: requiresAction
      ? notes
      : `The default action is ${first}${otherwise}. ${notes}`.trimEnd(),
    actions,
    actionForArgs,
    requiresAction,
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

/** Writes the line of usage of a command that starts a sandbox, and may run another command beside it. */
function servingUsage(words: Properties): string {
  return Object.keys(words).length === 0 ? '[options]' : '[options] -- COMMAND'
}

/** Row of an action that queries a running sandbox. */
interface QueryRow<Words extends Properties, Result> {
  readonly summary: string
  /** Arguments after its name in order: optional ones last, and a list at the very end. */
  readonly words?: Words
  readonly examples?: Readonly<Record<string, string>>
  run(client: Client, words: ReadOf<Words>): Promise<Result>
  /** Formats the result; by default as a table. */
  show?(result: Result, scene: OutputContext): string | Promise<string>
}

/** Creates an action that queries a running sandbox. */
export function queryCommand<
  const Words extends Properties = Record<never, never>,
  Result = unknown,
>({ run, show = resultTable, ...row }: QueryRow<Words, Result>): Command {
  return command<Words, typeof askingOptions.properties>({
    ...row,
    options: askingOptions.properties,
    run: ({ words, options }) =>
      printResult(options, async (client) => {
        const result = await run(client, words)
        return { result, text: (scene) => show(result, scene) }
      }),
  })
}

/** Creates an action that lists something of a running sandbox; prints only the first lines unless `--all` is set. */
export function listCommand<
  const Filters extends Properties = Record<never, never>,
  Result = unknown,
>({
  run,
  show = resultTable,
  options,
  ...row
}: Omit<QueryRow<Record<never, never>, Result>, 'run' | 'words'> & {
  /** Options that filter the list. */
  readonly options?: Filters
  run(client: Client, filters: ReadOf<Filters>): Promise<Result>
}): Command {
  return command({
    ...row,
    options: { ...askingOptions.properties, all: allOption, ...options },
    run: ({ options: read }) =>
      printResult(read, async (client) => {
        // The type is that of the row's own options.
        const result = await run(client, read as ReadOf<Filters>)
        return { result, text: async (scene) => firstLines(await show(result, scene), read.all) }
      }),
  })
}

/** Creates the commands of actions, by name. */
export function mutationCommands(
  actions: ActionGroup<Client>['actions'],
): Readonly<Record<string, Command>> {
  return mapTable(actions, (name) => mutationCommand(actions[name] ?? unreachable()))
}

/** Creates the command of an action that changes something in a running sandbox. */
function mutationCommand({ summary, words, examples, prepare, undoneBy }: Action<Client>): Command {
  return command({
    summary,
    words,
    examples,
    options: remoteOptions.properties,
    async run({ words: read, options }) {
      const call = prepare(read)
      const undoLine = undoneBy(read)
      const hint =
        undoLine === undefined
          ? ''
          : `\nEverything else is unchanged; ${programLine(undoLine)} takes it back`
      await printResult(options, async (client) => {
        const { result, message, plainOutput } = await call(client)
        return {
          result,
          text: async () => (options.quiet ? plainOutput() : (await message()) + hint),
        }
      })
    },
  })
}

/** A result to print. */
interface Printed {
  readonly result: unknown
  text(scene: OutputContext): string | Promise<string>
}

/** Calls a running sandbox and prints the result, as JSON or as text. */
async function printResult(
  place: ReadOf<typeof askingOptions.properties>,
  ask: (client: Client) => Promise<Printed>,
): Promise<void> {
  // Loaded only when needed, since a server doesn't need it.
  const { atSandbox } = await import('./remote/connect.ts')
  const stream = process.stdout
  const text = await atSandbox(place, async (client) => {
    const { result, text: textOf } = await ask(client)
    if (place.json) return printableJson(result === undefined ? '{}' : toJson(result))
    return await textOf({ client, place, stream })
  })
  if (text !== '') stream.write(`${text}\n`)
}
