import { gapSettings } from '../../../contract/gap-settings.ts'
import { toJson } from '../../../contract/int64.ts'
import { resetPart } from '../../../control/controls/controls.ts'
import { scenarioName } from '../../../control/controls/scenarios.ts'
import { newSandbox, sandboxName } from '../../../control/http/process-controls.ts'
import { list } from '../../../input/collections.ts'
import { optional } from '../../../input/object.ts'
import { described, readInput } from '../../../input/schema.ts'
import { string, text } from '../../../input/values.ts'
import { snapshotDocument } from '../../../state/snapshot.ts'
import { readJsonFile } from '../../files/read-json-file.ts'
import { writeFile } from '../../files/write-file.ts'
import { asSetting, settingList, settingsFrom } from '../../usage/settings.ts'
import { action, type RemoteCommand } from './action.ts'
import { choiceTable } from './answer-tables.ts'

/** Sets up ready-made situations in a running sandbox. */
export const scenarioCommand: RemoteCommand = {
  about: 'Set up a ready-made situation in a running sandbox',
  implied: 'apply',
  actions: {
    list: action({ about: 'List them', words: {}, run: (client) => client.scenarios() }),
    apply: action({
      about: 'Set one up; the word apply may be left out',
      words: { scenario: described('Its name', scenarioName) },
      run: (client, { scenario }) => client.scenario(scenario),
    }),
  },
}

/** Lists and makes the choices of a running sandbox. */
export const gapCommand: RemoteCommand = {
  about: 'List or make choices at the gaps of a running sandbox',
  implied: 'set',
  actions: {
    list: action({
      about: 'List the choices in force',
      words: {},
      run: (client) => client.gaps(),
      show: (inForce) => choiceTable(inForce),
    }),
    set: action({
      about: 'Choose; the word set may be left out',
      words: {
        choices: settingList(gapSettings, 'Choices, as name=choice; the command gaps lists them'),
      },
      examples: { 'retryAfterFormat=http-date banAfter=3': 'Change two of them' },
      run: (client, { choices }) =>
        client.setGaps(settingsFrom(gapSettings, choices, 'retryAfterFormat=http-date')),
      show: (inForce, { choices }) =>
        choiceTable(
          inForce,
          choices.map((word) => word.replace(/=.*/s, '')),
        ),
    }),
  },
}

/** Resets a running sandbox. */
export const resetCommand: RemoteCommand = {
  about: 'Reset a running sandbox to its seed',
  implied: 'only',
  actions: {
    all: action({ about: 'Reset everything', words: {}, run: (client) => client.reset() }),
    only: action({
      about: 'Reset some parts; the word only may be left out',
      words: { parts: described('Its parts', list(resetPart)) },
      examples: { 'quotas faults': 'Give all keys their requests back, and remove all faults' },
      run: (client, { parts }) => client.reset({ only: parts }),
    }),
  },
}

const file = described('A JSON file', text())

/** Saves and restores the state of a running sandbox. */
export const snapshotCommand: RemoteCommand = {
  about: 'Save or restore the whole state of a running sandbox',
  actions: {
    print: action({
      about: 'Print it as JSON',
      words: {},
      run: (client) => client.snapshot(),
      show: toJson,
    }),
    save: action({
      about: 'Save it to a file',
      words: { file },
      run: async (client, words) => {
        writeFile(
          words.file,
          `${toJson(await client.snapshot())}
`,
          0o600,
        )
        return { file: words.file }
      },
      show: (saved) => `Saved to ${saved.file}`,
    }),
    restore: action({
      about: 'Restore it from a file',
      words: { file },
      run: async (client, words) =>
        client.restore(
          await readJsonFile(words.file, (found) => readInput(snapshotDocument, found)),
        ),
    }),
    store: action({
      about: 'Have the process save all sandboxes to the file of --state',
      words: {},
      run: (client) => client.save(),
    }),
  },
}

/** Lists, makes and deletes the named sandboxes of a running process. */
export const sandboxesCommand: RemoteCommand = {
  about: 'List, make and delete the named sandboxes of a running process',
  actions: {
    list: action({ about: 'List them', words: {}, run: (client) => client.sandboxes.list() }),
    create: action({
      about: 'Make one',
      words: {
        name: optional(described('Its name; a random one by default', string)),
        settings: optional(settingList(newSandbox, 'Its settings, as name=value'), []),
      },
      examples: { 'alice clock=2030-12-05 rateLimit=reported': 'The sandbox "alice"' },
      run(client, { name, settings }) {
        const all = [...asSetting('name', name), ...settings]
        return client.sandboxes.create(settingsFrom(newSandbox, all, 'clock=2030-12-05'))
      },
    }),
    delete: action({
      about: 'Delete one',
      words: { name: described('Its name', sandboxName) },
      run: (client, { name }) => client.sandboxes.delete(name),
    }),
  },
}
