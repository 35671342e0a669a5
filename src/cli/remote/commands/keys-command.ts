import { plans } from '../../../contract/plans.ts'
import { keyChange } from '../../../control/controls/key-controls.ts'
import { duration } from '../../../input/duration.ts'
import { optional } from '../../../input/object.ts'
import { described } from '../../../input/schema.ts'
import { nameIn, string } from '../../../input/values.ts'
import { keyText, unnamedKey } from '../../../state/keys.ts'
import { asSetting, settingList, settingsFrom } from '../../usage/settings.ts'
import { action, type RemoteCommand } from './action.ts'
import { keyTable } from './answer-tables.ts'

const key = described('The key', keyText)

/** Lists, issues and changes the keys of a running sandbox. */
export const keysCommand: RemoteCommand = {
  about: 'List, issue and change the keys of a running sandbox',
  actions: {
    list: action({
      about: 'List them, with the requests they have left',
      words: {},
      run: (client) => client.keys.list(),
      show: keyTable,
    }),
    issue: action({
      about: 'Issue one',
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
      show: keyTable,
    }),
    change: action({
      about: 'Change one',
      words: { key, settings: settingList(keyChange, 'What to change, as name=value') },
      examples: {
        'free-key plan=pro': 'Put it on another plan',
        'free-key remaining.minute=1': 'Leave one request in this minute',
        'free-key \'remaining={"minute":1,"day":1}\'': 'The same of both windows, as JSON',
      },
      run: (client, words) =>
        client.keys.change(words.key, settingsFrom(keyChange, words.settings, 'plan=pro')),
      show: keyTable,
    }),
    ban: action({
      about: 'Ban one for a while',
      words: { key, duration: described('How long, for instance 10m', duration) },
      run: (client, words) => client.keys.change(words.key, { ban: words.duration }),
      show: keyTable,
    }),
    pardon: action({
      about: 'End a ban, and forget the refusals that led to it',
      words: { key },
      run: (client, words) => client.keys.change(words.key, { pardon: true }),
      show: keyTable,
    }),
    revoke: action({
      about: 'Revoke one',
      words: { key },
      run: (client, words) => client.keys.change(words.key, { revoked: true }),
      show: keyTable,
    }),
    delete: action({
      about: 'Delete one',
      words: { key },
      run: (client, words) => client.keys.delete(words.key),
    }),
  },
}
