import { gapSettings } from '../../../contract/gap-settings.ts'
import { toJson } from '../../../contract/json/json.ts'
import { resetPart } from '../../../control/controls/controls.ts'
import { type ScenarioName, scenarioName, scenarios } from '../../../control/controls/scenarios.ts'
import { newSandbox, sandboxName } from '../../../control/http/process-controls.ts'
import { scenarioTexts } from '../../../control/views/scenario-texts.ts'
import { list } from '../../../input/collections.ts'
import { optional } from '../../../input/object.ts'
import { described } from '../../../input/schema.ts'
import { string, text } from '../../../input/values.ts'
import { keyText } from '../../../state/keys.ts'
import { writeFile } from '../../files/write-file.ts'
import { printable } from '../../terminal/printable.ts'
import { asSetting, settingList, settingsFrom } from '../../usage/settings.ts'
import { change, question, type RemoteCommand, type Scene } from './action.ts'
import { keySentence } from './answer-sentences.ts'
import { choiceTable } from './answer-tables.ts'

/** Sets up ready-made situations in a running sandbox. */
export const scenarioCommand: RemoteCommand = {
  about: 'Set up a ready-made situation in a running sandbox',
  implied: 'apply',
  actions: {
    list: question({ about: 'List the scenarios', words: {}, run: (client) => client.scenarios() }),
    apply: change({
      about: 'Set up a scenario, for all keys or for one; the word apply may be left out',
      words: {
        scenario: described('Its name', scenarioName),
        key: optional(described('The key it is for; all keys by default', keyText)),
      },
      examples: {
        'banned free-key': 'Have one key refused as banned',
        flaky: 'Lose some answers to every key',
      },
      run: (client, { scenario, key }) => client.scenario(scenario, { key }),
      says: async (_, { scenario, key }, scene) =>
        `${await scenarioSentence(scenario, key, scene)}\nIt adds to what there was; petstore-sandbox reset undoes all`,
    }),
  },
}

/** Lists and makes the choices of a running sandbox. */
export const gapCommand: RemoteCommand = {
  about: 'List or make choices at the gaps of a running sandbox',
  implied: 'set',
  actions: {
    list: question({
      about: 'List the choices in force',
      words: {},
      run: (client) => client.gaps(),
      show: (inForce) => choiceTable(inForce),
    }),
    set: change({
      about: 'Make choices; the word set may be left out',
      words: {
        choices: settingList(gapSettings, 'Choices, as name=choice; the command gaps lists them'),
      },
      examples: { 'retryAfterFormat=http-date banAfter=3': 'Change two of them' },
      run: (client, { choices }) =>
        client.setGaps(settingsFrom(gapSettings, choices, 'retryAfterFormat=http-date')),
      says: (inForce, { choices }) =>
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
    all: change({
      about: 'Reset everything',
      words: {},
      run: (client) => client.reset(),
      says: () => 'Everything is as it was at the start',
    }),
    only: change({
      about: 'Reset some parts; the word only may be left out',
      words: { parts: described('Its parts', list(resetPart)) },
      examples: { 'quotas faults': 'Give all keys their requests back, and remove all faults' },
      run: (client, { parts }) => client.reset({ only: parts }),
      says: (_, { parts }) => `As at the start: ${parts.join(', ')}; the rest stays`,
    }),
  },
}

const file = described('A JSON file', text())

/** Saves and restores the state of a running sandbox. */
export const snapshotCommand: RemoteCommand = {
  about: 'Save or restore the whole state of a running sandbox',
  actions: {
    print: {
      about: 'Print a snapshot as JSON',
      isChange: false,
      words: {},
      examples: {},
      prepare:
        () =>
        async (_form, { place, stream }) => {
          const { printSnapshot } = await import('../snapshot-files.ts')
          await printSnapshot(place, stream)
          return ''
        },
    },
    save: change({
      about: 'Save a snapshot to a file',
      words: { file },
      async run(_client, words, place) {
        const { saveSnapshot } = await import('../snapshot-files.ts')
        await saveSnapshot(place, words.file)
        return { file: words.file }
      },
      says: (saved) => `Saved to ${saved.file}`,
    }),
    restore: change({
      about: 'Restore a snapshot from a file',
      words: { file },
      async run(_client, words, place) {
        const { restoreSnapshot } = await import('../snapshot-files.ts')
        await restoreSnapshot(place, words.file)
      },
      says: (_, words) => `Everything is as ${words.file} says`,
    }),
    store: change({
      about: 'Have the process save all sandboxes to the file of --state',
      words: {},
      run: (client) => client.save(),
      says: () => 'Saved all sandboxes to the file of --state',
    }),
  },
}

/** Writes down what was done to a running sandbox. */
export const captureCommand: RemoteCommand = {
  about: 'Save everything that was done to a running sandbox, to replay it',
  implied: 'save',
  actions: {
    print: question({
      about: 'Print the capture as JSON',
      words: {},
      run: (client) => client.capture(),
      show: toJson,
    }),
    save: change({
      about: 'Save the capture to a file; the word save may be left out',
      words: { file },
      examples: { 'failed.petstore.json': 'Save what the replay of failed.petstore.json repeats' },
      async run(client, words) {
        const capture = await client.capture()
        writeFile(words.file, `${toJson(capture)}\n`, 0o644)
        return { file: words.file, steps: capture.steps.length }
      },
      says: (saved) =>
        `Saved ${saved.steps === 1 ? '1 step' : `${saved.steps} steps`} to ${saved.file}`,
    }),
  },
}

/** Lists, makes and deletes the named sandboxes of a running process. */
export const sandboxesCommand: RemoteCommand = {
  about: 'List, make and delete the named sandboxes of a running process',
  actions: {
    list: question({
      about: 'List the named sandboxes',
      words: {},
      run: (client) => client.sandboxes.list(),
    }),
    create: change({
      about: 'Make a named sandbox',
      words: {
        name: optional(described('Its name; a random one by default', string)),
        settings: optional(settingList(newSandbox, 'Its settings, as name=value'), []),
      },
      examples: { 'alice clock=2030-12-05 rateLimit=reported': 'The sandbox "alice"' },
      run(client, { name, settings }) {
        const all = [...asSetting('name', name), ...settings]
        return client.sandboxes.create(settingsFrom(newSandbox, all, 'clock=2030-12-05'))
      },
      says: (made) => `Made sandbox ${made.name}: its API is at ${made.baseUrl}`,
      gives: (made) => made.name,
    }),
    delete: change({
      about: 'Delete a named sandbox',
      words: { name: described('Its name', sandboxName) },
      run: (client, { name }) => client.sandboxes.delete(name),
      says: (_, { name }) => `Deleted sandbox ${name}`,
    }),
  },
}

/** Says what a scenario has changed; of a single key, where that stands now. */
async function scenarioSentence(
  name: ScenarioName,
  key: string | undefined,
  scene: Scene,
): Promise<string> {
  const { of, ...scenario } = scenarios[name]
  if (of === 'keys' && key !== undefined) {
    const told = 'window' in scenario && scenario.window !== undefined ? [scenario.window] : []
    return `Set up ${name}: ${await keySentence(await scene.client.keys.get(key), scene, told)}`
  }
  const whose = of === 'everyone' ? '' : ` for ${key === undefined ? 'all keys' : printable(key)}`
  const what = scenarioTexts[name]
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
  return `Set up ${name}${whose}: ${what}`
}
