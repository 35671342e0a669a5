import { gapSettings } from '../../mock/api/gaps.ts'
import { int64 } from '../../mock/api/int64.ts'
import { petStatus } from '../../mock/api/pet.ts'
import { plans, windowNames } from '../../mock/api/plans.ts'
import { faultKinds, faultSettings } from '../../mock/faults/fault-rules.ts'
import { list, optional, type Properties, type ReadOf } from '../../mock/input/object.ts'
import { namesOf } from '../../mock/input/record.ts'
import { described, type Schema } from '../../mock/input/schema.ts'
import {
  duration,
  formatDuration,
  instant,
  integer,
  nameIn,
  oneOf,
  string,
} from '../../mock/input/values.ts'
import { clockSpeed } from '../../mock/state/clock.ts'
import { keyText, unnamedKey } from '../../mock/state/keys.ts'
import { resetPart } from '../../sandbox/controls/controls.ts'
import { keyChange } from '../../sandbox/controls/keys.ts'
import { newSandbox, sandboxName } from '../../sandbox/controls/sandboxes.ts'
import { scenarioName, scenarios } from '../../sandbox/controls/scenarios.ts'
import type { SandboxClient } from '../sandbox-client.ts'
import {
  clockText,
  faultText,
  gapSentence,
  keySentence,
  petText,
  scenarioSentence,
} from './sentences.ts'
import { asSetting, settingList, settingsFrom } from './words.ts'

/** Controls that the actions below call. */
export type ActionClient = Pick<
  SandboxClient,
  'clock' | 'keys' | 'pets' | 'faults' | 'scenario' | 'stopScenario' | 'gaps' | 'setGaps' | 'reset'
>

/** Row of an action, with the types of its arguments and of its result. */
interface Row<Client, Words extends Properties, Result> {
  readonly summary: string
  /** Arguments after its name in order: optional ones last, and a list at the very end. */
  readonly words?: Words
  readonly examples?: Readonly<Record<string, string>>
  /** Whether it deletes something, so that a page offers to undo it. */
  readonly deletes?: true
  /**
   * Reads the arguments that need more than their own schema, and returns the call.
   *
   * @throws {@link InputError} for invalid arguments, before anything is sent.
   */
  call(words: ReadOf<Words>): (client: Client) => Promise<Result>
  /** Describes the change in a sentence. */
  message(result: Result, words: ReadOf<Words>, client: Client): string | Promise<string>
  /** Returns the output for scripts, such as the id of what was created. */
  plainOutput?(result: Result): string
  /** Returns the line that undoes it. */
  undoneBy?(words: ReadOf<Words>): string
}

/** Result of an action. */
export interface ActionResult {
  readonly result: unknown
  /** Describes the change in a sentence. */
  message(): string | Promise<string>
  /** Returns the output for scripts, such as the id of what was created; empty for other actions. */
  plainOutput(): string
}

/** An action that people type, such as `keys ban free-key 10m`; it changes a sandbox. */
export interface Action<Client = ActionClient> {
  readonly summary: string
  readonly words: Properties
  /** Examples of arguments, and their effects. */
  readonly examples: Readonly<Record<string, string>>
  readonly deletes: boolean
  /**
   * Returns the call for arguments by name.
   *
   * @throws {@link InputError} for invalid arguments, before anything is sent.
   */
  prepare(words: Readonly<Record<string, unknown>>): (client: Client) => Promise<ActionResult>
  /** Returns the line that undoes it, if there is one. */
  undoneBy(words: Readonly<Record<string, unknown>>): string | undefined
}

/** Creates an action from its row. */
export function action<
  const Words extends Properties = Record<never, never>,
  Result = unknown,
  Client = ActionClient,
>(row: Row<Client, Words, Result>): Action<Client> {
  const { summary, words = {}, examples = {}, deletes = false, plainOutput = () => '' } = row
  return {
    summary,
    words,
    examples,
    deletes,
    prepare(given) {
      // The types are those of the row's own arguments.
      const read = given as ReadOf<Words>
      const call = row.call(read)
      return async (client) => {
        const result = await call(client)
        return {
          result,
          message: () => row.message(result, read, client),
          plainOutput: () => plainOutput(result),
        }
      }
    },
    undoneBy: (given) => row.undoneBy?.(given as ReadOf<Words>),
  }
}

/** Actions about one subject. */
export interface ActionGroup<Client = ActionClient> {
  readonly summary: string
  /** Action that runs if arguments are given but name no action. */
  readonly actionForArgs?: string
  readonly actions: Readonly<Record<string, Action<Client>>>
}

const key = described('The key', keyText)
const petId = described("The pet's id", int64)
const kindName = nameIn(faultKinds)
const oneFault = { ...faultSettings, title: 'fault' }

/** A kind of fault, or the status of an error response. */
const faultWord: Schema<string> = {
  ...kindName,
  parse: (found) => (isNumber(found) ? found : kindName.parse(found)),
  encode: (read) => read,
}

function isNumber(found: unknown): found is string {
  return typeof found === 'string' && /^\d+$/.test(found)
}

/** All actions that people type, on the command line and in the console. */
export const actionGroups = {
  clock: {
    summary: 'Read or move the clock',
    actions: {
      advance: action({
        summary: 'Advance the clock',
        words: {
          duration: described(
            'How far, such as 61s, 5m or 1h30m; a bare number is milliseconds',
            duration,
          ),
        },
        examples: { '61s': 'Begin the next minute window' },
        call: (words) => (client) => client.clock.update({ advance: words.duration }),
        message: (reading, words) =>
          `The clock advanced by ${formatDuration(words.duration)}: ${clockText(reading)}`,
      }),
      set: action({
        summary: 'Set the clock, forward or back',
        words: {
          instant: described(
            'The new time, such as 2030-12-05T00:00:00Z; a bare number is Unix milliseconds',
            instant,
          ),
        },
        examples: { '2030-12-05': 'See GET /pets/{petId} gone' },
        call: (words) => (client) => client.clock.update({ set: words.instant }),
        message: (reading) => `The clock is set: ${clockText(reading)}`,
      }),
      freeze: action({
        summary: 'Freeze the clock',
        call: () => (client) => client.clock.update({ mode: 'frozen' }),
        message: (reading) => `The clock is frozen at ${reading.now}`,
      }),
      resume: action({
        summary: 'Let the clock run on from the time it shows',
        call: () => (client) => client.clock.update({ mode: 'running' }),
        message: (reading) => `The clock runs on: ${clockText(reading)}`,
      }),
      speed: action({
        summary: 'Run the clock this many times as fast',
        words: { times: described('Sandbox seconds in a real second', clockSpeed) },
        examples: { 60: 'Let a minute pass in a second' },
        call:
          ({ times }) =>
          (client) =>
            client.clock.update({ mode: 'scaled', speed: times }),
        message: (reading) => `The clock runs on: ${clockText(reading)}`,
      }),
      system: action({
        summary: "Follow the system's clock",
        call: () => (client) => client.clock.update({ mode: 'system' }),
        message: (reading) => `The clock follows the system's: ${reading.now}`,
      }),
    },
  },
  keys: {
    summary: 'List, issue, ban, exhaust and change keys',
    actions: {
      issue: action({
        summary: 'Issue a key',
        words: {
          plan: described('Its plan', nameIn(plans)),
          key: optional(described('The key; a random one by default', string)),
          settings: optional(settingList(unnamedKey, 'Its settings, as name=value', ['plan']), []),
        },
        examples: {
          pro: 'A random key on the Pro plan',
          'enterprise big limits.minute=9 limits.day=99': 'The key "big" with its own limits',
        },
        call({ plan, key: name, settings }) {
          const all = [`plan=${plan}`, ...asSetting('key', name), ...settings]
          const wanted = settingsFrom(unnamedKey, all, 'expiresAt=2030-01-01')
          return (client) => client.keys.issue(wanted)
        },
        message: async (issued, _, client) => `Issued: ${await keySentence(issued, client)}`,
        plainOutput: (issued) => issued.key,
      }),
      update: action({
        summary: 'Change a key',
        words: { key, settings: settingList(keyChange, 'What to change, as name=value') },
        examples: {
          'free-key plan=pro': 'Move it to another plan',
          'free-key remaining.minute=1': 'Leave it one request in this minute',
          'free-key \'remaining={"minute":1,"day":1}\'': 'The same for both windows, as JSON',
        },
        call(words) {
          const wanted = settingsFrom(keyChange, words.settings, 'plan=pro')
          return (client) => client.keys.update(words.key, wanted)
        },
        message: (changed, _, client) => keySentence(changed, client),
      }),
      exhaust: action({
        summary: "Exhaust a key's minute or day",
        words: {
          key,
          window: optional(described('Which; minute by default', oneOf(windowNames)), 'minute'),
        },
        examples: { 'free-key day': 'Exhaust it until midnight, UTC' },
        call: (words) => (client) => client.keys.setRemaining(words.key, { [words.window]: 0 }),
        message: (changed, _, client) => keySentence(changed, client),
      }),
      ban: action({
        summary: 'Ban a key for a while',
        words: {
          key,
          duration: described('How long, such as 10m; a bare number is milliseconds', duration),
        },
        examples: { 'free-key 10m': 'Ban it for ten minutes' },
        call: (words) => (client) => client.keys.update(words.key, { ban: words.duration }),
        message: (changed, _, client) => keySentence(changed, client),
      }),
      unban: action({
        summary: 'End a ban, and forget the rejections that led to it',
        words: { key },
        call: (words) => (client) => client.keys.update(words.key, { unban: true }),
        message: async (changed, _, client) => `Unbanned: ${await keySentence(changed, client)}`,
      }),
      revoke: action({
        summary: 'Revoke a key',
        words: { key },
        call: (words) => (client) => client.keys.update(words.key, { revoked: true }),
        message: (changed, _, client) => keySentence(changed, client),
      }),
      delete: action({
        summary: 'Delete a key',
        words: { key },
        deletes: true,
        call: (words) => (client) => client.keys.delete(words.key),
        message: (_, words) => `Deleted the key ${words.key}`,
      }),
    },
  },
  pets: {
    summary: 'List, add, change and delete pets directly, bypassing the API',
    actions: {
      add: action({
        summary: 'Add a pet',
        words: {
          name: described('Its name', string),
          category: described('Its categoryId', int64),
          status: optional(described('Its status', petStatus)),
        },
        examples: { 'Rex 1 sold': 'Add a sold pet' },
        call:
          ({ name, category, status }) =>
          (client) =>
            client.pets.create({ name, categoryId: category, status }),
        message: (pet) => `Added ${petText(pet)}`,
        plainOutput: (pet) => String(pet.id),
      }),
      'set-status': action({
        summary: "Change a pet's status",
        words: { id: petId, status: described('The new status', petStatus) },
        call: (words) => (client) => client.pets.update(words.id, { status: words.status }),
        message: (pet) => `Changed ${petText(pet)}`,
      }),
      delete: action({
        summary: 'Delete a pet',
        words: { id: petId },
        deletes: true,
        call:
          ({ id }) =>
          (client) =>
            client.pets.delete(id),
        message: (_, { id }) => `Deleted pet ${id}`,
      }),
      clear: action({
        summary: 'Delete all pets',
        deletes: true,
        call: () => (client) => client.pets.clear(),
        message: () => 'Deleted all pets',
      }),
    },
  },
  faults: {
    summary: 'List, add and remove faults: errors, delays, broken connections',
    actions: {
      add: action({
        summary: 'Add a fault',
        words: {
          fault: described('What goes wrong; a number, such as 503, is an error status', faultWord),
          settings: optional(
            settingList(
              faultSettings,
              'How, and for which requests, as name=value; a bare ms is milliseconds',
              ['fault'],
            ),
            [],
          ),
        },
        examples: {
          '503 times=2': 'Respond to the next two requests with 503',
          'latency ms=1s-3s': 'Delay each response by one to three seconds',
          'disconnect operation=createPet': 'Break the connection of each POST',
        },
        call({ fault, settings }) {
          const kind = isNumber(fault) ? ['fault=status', `status=${fault}`] : [`fault=${fault}`]
          const wanted = settingsFrom(oneFault, [...kind, ...settings], 'times=2')
          return (client) => client.faults.add(wanted)
        },
        message: (fault) => `Added fault ${fault.id}: ${faultText(fault)}`,
        plainOutput: ({ id }) => String(id),
      }),
      remove: action({
        summary: 'Remove a fault',
        words: { id: described("The fault's id", integer(0, 1e15)) },
        deletes: true,
        call:
          ({ id }) =>
          (client) =>
            client.faults.remove(id),
        message: (_, { id }) => `Removed fault ${id}`,
      }),
      clear: action({
        summary: 'Remove all faults',
        deletes: true,
        call: () => (client) => client.faults.clear(),
        message: () => 'Removed all faults',
      }),
    },
  },
  scenario: {
    summary: 'Set up a scenario, such as banned or flaky',
    actionForArgs: 'apply',
    actions: {
      apply: action({
        summary: 'Set up a scenario, for all keys or for one',
        words: {
          scenario: described('Its name', scenarioName),
          key: optional(described('The key to apply it to; all keys by default', keyText)),
        },
        examples: {
          'banned free-key': 'Ban one key',
          flaky: 'Lose some responses for every key',
        },
        call: (words) => (client) => client.scenario(words.scenario, { key: words.key }),
        message: (_, words, client) => scenarioSentence(words.scenario, words.key, client),
        undoneBy: (words) => ['scenario stop', words.scenario, words.key ?? ''].join(' ').trim(),
      }),
      stop: action({
        summary: 'Stop a scenario, for all keys or for one, and bring back what it replaced',
        words: {
          scenario: described('Its name', scenarioName),
          key: optional(described('The key to stop it for; all keys by default', keyText)),
        },
        examples: { banned: 'Unban all keys' },
        call:
          ({ scenario: name, key }) =>
          (client) =>
            client.stopScenario(name, { key }),
        message: (wasInForce, { scenario: name }) =>
          wasInForce ? `Stopped: ${scenarios[name].title}` : `${name} is not in force`,
      }),
    },
  },
  gaps: {
    summary: 'List the gaps of the spec, and set them',
    actionForArgs: 'set',
    actions: {
      set: action({
        summary: 'Set gaps in a running sandbox',
        words: { values: settingList(gapSettings, 'Gaps to set, as name=value') },
        examples: { 'retryAfterFormat=http-date banAfter=3': 'Set two gaps' },
        call({ values }) {
          const wanted = settingsFrom(gapSettings, values, 'retryAfterFormat=http-date')
          return (client) => client.setGaps(wanted)
        },
        message: (inForce, { values }) =>
          gapSentence(inForce, namesOf(settingsFrom(gapSettings, values, ''))),
      }),
    },
  },
  reset: {
    summary: 'Reset a sandbox to how it started',
    actionForArgs: 'only',
    actions: {
      all: action({
        summary: 'Reset everything',
        deletes: true,
        call: () => (client) => client.reset(),
        message: () => 'Everything is as it was at the start',
      }),
      only: action({
        summary: 'Reset some parts',
        words: {
          parts: described(
            'The parts; keys also ends all bans, and what a key has used belongs to quotas',
            list(resetPart),
          ),
        },
        examples: { 'quotas faults': 'Give all keys their requests back, and remove all faults' },
        deletes: true,
        call:
          ({ parts }) =>
          (client) =>
            client.reset({ only: parts }),
        message: (_, { parts }) => `Reset ${parts.join(', ')}; everything else is unchanged`,
      }),
    },
  },
} satisfies Readonly<Record<string, ActionGroup>>

/** Actions about the sandboxes of a server. */
export const sandboxGroup: ActionGroup<Pick<SandboxClient, 'sandboxes'>> = {
  summary: 'List, create and delete the named sandboxes of a server',
  actions: {
    create: action({
      summary: 'Create a named sandbox',
      words: {
        name: optional(described('Its name; a random one by default', string)),
        settings: optional(settingList(newSandbox, 'Its settings, as name=value'), []),
      },
      examples: { 'alice clock=2030-12-05 rateLimits=report-only': 'The sandbox "alice"' },
      call({ name, settings }) {
        const all = [...asSetting('name', name), ...settings]
        const wanted = settingsFrom(newSandbox, all, 'clock=2030-12-05')
        return (client: Pick<SandboxClient, 'sandboxes'>) => client.sandboxes.create(wanted)
      },
      message: (made) => `Created sandbox ${made.name}: its API is at ${made.baseUrl}`,
      plainOutput: (made) => made.name,
    }),
    delete: action({
      summary: 'Delete a named sandbox',
      words: { name: described('Its name', sandboxName) },
      call:
        ({ name }) =>
        (client: Pick<SandboxClient, 'sandboxes'>) =>
          client.sandboxes.delete(name),
      message: (_, { name }) => `Deleted sandbox ${name}`,
    }),
  },
}
