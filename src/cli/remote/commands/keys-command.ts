import { plans, windowNames } from '../../../contract/plans.ts'
import { keyChange } from '../../../control/controls/key-controls.ts'
import { duration } from '../../../input/duration.ts'
import { optional } from '../../../input/object.ts'
import { described } from '../../../input/schema.ts'
import { nameIn, oneOf, string } from '../../../input/values.ts'
import { keyText, unnamedKey } from '../../../state/keys.ts'
import { asSetting, settingList, settingsFrom } from '../../usage/settings.ts'
import { change, question, type RemoteCommand } from './action.ts'
import { keySentence, unitNote } from './answer-sentences.ts'
import { keyTable } from './key-table.ts'

const key = described('The key', keyText)

/** Whether one of some settings says what a key has left in a window. */
function setBy(settings: readonly string[]): (window: string) => boolean {
  return (window) =>
    settings.some((setting) => setting.startsWith('remaining') && setting.includes(window))
}

/** Lists, issues and changes the keys of a running sandbox. */
export const keysCommand: RemoteCommand = {
  about: 'List, issue and change the keys of a running sandbox',
  actions: {
    list: question({
      about: 'List the keys, with the requests they have left',
      words: {},
      run: (client) => client.keys.list(),
      show: async (keys, { client }) => keyTable(keys, (await client.clock.read()).now),
    }),
    issue: change({
      about: 'Issue a key',
      words: {
        plan: described('Its plan', nameIn(plans)),
        key: optional(described('The key; a random one by default', string)),
        settings: optional(settingList(unnamedKey, 'Its settings, as name=value', ['plan']), []),
      },
      examples: {
        pro: 'A random key of the Pro plan',
        'enterprise big limits.minute=9 limits.day=99': 'The key "big" with its own limits',
      },
      run(client, { plan, key: text, settings }) {
        const all = [`plan=${plan}`, ...asSetting('key', text), ...settings]
        return client.keys.issue(settingsFrom(unnamedKey, all, 'expiresAt=2030-01-01'))
      },
      says: async (issued, _, scene) => `Issued: ${await keySentence(issued, scene)}`,
      gives: (issued) => issued.key,
    }),
    change: change({
      about: 'Change a key',
      words: { key, settings: settingList(keyChange, 'What to change, as name=value') },
      examples: {
        'free-key plan=pro': 'Put it on another plan',
        'free-key remaining.minute=1': 'Leave one request in this minute',
        'free-key \'remaining={"minute":1,"day":1}\'': 'The same of both windows, as JSON',
      },
      run: (client, words) =>
        client.keys.change(words.key, settingsFrom(keyChange, words.settings, 'plan=pro')),
      says: (changed, { settings }, scene) =>
        keySentence(changed, scene, windowNames.filter(setBy(settings))),
    }),
    exhaust: change({
      about: "Use up a key's requests of the minute or the day",
      words: {
        key,
        window: optional(
          described('Of what; of the minute by default', oneOf(windowNames)),
          'minute',
        ),
      },
      examples: { 'free-key day': 'Have it refused until midnight, UTC' },
      run: (client, { key: text, window }) => client.keys.setRemaining(text, { [window]: 0 }),
      says: (changed, { window }, scene) => keySentence(changed, scene, [window]),
    }),
    ban: change({
      about: 'Ban a key for a while',
      words: {
        key,
        duration: described('How long, such as 10m; a bare number is milliseconds', duration),
      },
      examples: { 'free-key 10m': 'Have it refused for ten minutes' },
      run: (client, words) => client.keys.change(words.key, { ban: words.duration }),
      says: async (changed, _, scene) =>
        `${await keySentence(changed, scene)}${unitNote(scene.texts.duration)}`,
    }),
    pardon: change({
      about: 'End a ban, and forget the refusals that led to it',
      words: { key },
      run: (client, words) => client.keys.change(words.key, { pardon: true }),
      says: async (changed, _, scene) => `Pardoned: ${await keySentence(changed, scene)}`,
    }),
    revoke: change({
      about: 'Revoke a key',
      words: { key },
      run: (client, words) => client.keys.change(words.key, { revoked: true }),
      says: (changed, _, scene) => keySentence(changed, scene),
    }),
    delete: change({
      about: 'Delete a key',
      words: { key },
      run: (client, words) => client.keys.delete(words.key),
      says: (_, words) => `Deleted the key ${words.key}`,
    }),
  },
}
