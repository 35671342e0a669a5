import { plans, windowNames } from '../../mock/api/plans.ts'
import { optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { nameIn, oneOf, string } from '../../mock/input/values.ts'
import { keyText, unnamedKey } from '../../mock/state/keys.ts'
import { type KeyView, keyChange } from '../../sandbox/controls/keys.ts'
import { asSetting, settingList, settingsFrom, typedDuration } from '../option-schemas.ts'
import { allOption, remoteOptions } from '../options.ts'
import type { Client } from '../remote/connect.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { keyTable } from '../remote/response-text.ts'
import { keySentence } from '../remote/sentences.ts'
import { firstLines } from '../terminal.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readArguments,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const listOptions = { all: allOption }

const list: Command = {
  command: 'list',
  describe: 'List the keys, with the requests that they have left',
  builder: (yargs) => yargs.options(optionsOf(listOptions)),
  handler: remoteHandler((found) => {
    const { all } = readOptions(listOptions, found)
    return async (client) => {
      const result = await client.keys.list()
      const text = async () => firstLines(keyTable(result, (await client.clock.read()).now), all)
      return { result, text }
    }
  }),
}

const key = described('The key', keyText)

/** Returns a key, and its description. */
function shown(view: KeyView, client: Client) {
  return { result: view, text: () => keySentence(view, client) }
}

const show: Command = {
  command: 'show <key>',
  describe: 'Show a key, with the requests that it has left',
  builder: (yargs) => withArguments(yargs, { key }),
  handler: remoteHandler((found) => {
    const words = readArguments({ key }, found)
    return async (client) => shown(await client.keys.get(words.key), client)
  }),
}

const issueWords = {
  plan: described('Its plan', nameIn(plans)),
  key: optional(described('The key; a random one by default', string)),
  settings: optional(settingList(unnamedKey, 'Its settings, as name=value', ['plan']), []),
}

const issue: Command = {
  command: 'issue <plan> [key] [settings..]',
  describe: 'Issue a key',
  builder: (yargs) =>
    withArguments(yargs, issueWords)
      .example(...exampleLines('$0 keys issue pro', 'A random key on the Pro plan'))
      .example(
        ...exampleLines(
          '$0 keys issue enterprise big limits.minute=9 limits.day=99',
          'The key "big" with its own limits',
        ),
      ),
  handler: changeHandler(issueWords, ({ plan, key: name, settings }) => {
    const all = [`plan=${plan}`, ...asSetting('key', name), ...settings]
    const wanted = settingsFrom(unnamedKey, all, 'expiresAt=2030-01-01')
    return async (client) => {
      const issued = await client.keys.issue(wanted)
      const text = async () => `Issued: ${await keySentence(issued, client)}`
      return { result: issued, text, quiet: issued.key }
    }
  }),
}

const updateWords = { key, settings: settingList(keyChange, 'What to change, as name=value') }

const update: Command = {
  command: 'update <key> <settings..>',
  describe: 'Change a key',
  builder: (yargs) =>
    withArguments(yargs, updateWords)
      .example(...exampleLines('$0 keys update free-key plan=pro', 'Move it to another plan'))
      .example(
        ...exampleLines(
          '$0 keys update free-key remaining.minute=1',
          'Leave it one request in this minute',
        ),
      )
      .example(
        ...exampleLines(
          '$0 keys update free-key \'remaining={"minute":1,"day":1}\'',
          'The same for both windows, as JSON',
        ),
      ),
  handler: changeHandler(updateWords, (words) => {
    const wanted = settingsFrom(keyChange, words.settings, 'plan=pro')
    return async (client) => shown(await client.keys.update(words.key, wanted), client)
  }),
}

const exhaustWords = {
  key,
  window: optional(described('Which; minute by default', oneOf(windowNames)), 'minute'),
}

const exhaust: Command = {
  command: 'exhaust <key> [window]',
  describe: "Exhaust a key's minute or day",
  builder: (yargs) =>
    withArguments(yargs, exhaustWords).example(
      ...exampleLines('$0 keys exhaust free-key day', 'Exhaust it until midnight, UTC'),
    ),
  handler: changeHandler(
    exhaustWords,
    (words) => async (client) => shown(await client.keys.exhaust(words.key, words.window), client),
  ),
}

const banWords = { key, duration: described('How long, such as 10m', typedDuration) }

const ban: Command = {
  command: 'ban <key> <duration>',
  describe: 'Ban a key for a while',
  builder: (yargs) =>
    withArguments(yargs, banWords).example(
      ...exampleLines('$0 keys ban free-key 10m', 'Ban it for ten minutes'),
    ),
  handler: changeHandler(
    banWords,
    (words) => async (client) => shown(await client.keys.ban(words.key, words.duration), client),
  ),
}

const unban: Command = {
  command: 'unban <key>',
  describe: 'End a ban, and forget the rejections that led to it',
  builder: (yargs) => withArguments(yargs, { key }),
  handler: changeHandler({ key }, (words) => async (client) => {
    const result = await client.keys.unban(words.key)
    return { result, text: async () => `Unbanned: ${await keySentence(result, client)}` }
  }),
}

const revoke: Command = {
  command: 'revoke <key>',
  describe: 'Revoke a key',
  builder: (yargs) => withArguments(yargs, { key }),
  handler: changeHandler(
    { key },
    (words) => async (client) => shown(await client.keys.revoke(words.key), client),
  ),
}

const remove: Command = {
  command: 'delete <key>',
  describe: 'Delete a key',
  builder: (yargs) => withArguments(yargs, { key }),
  handler: changeHandler({ key }, (words) => async (client) => {
    const result = await client.keys.delete(words.key)
    return { result, text: () => `Deleted the key ${words.key}` }
  }),
}

export const keys: Command = {
  command: 'keys',
  describe: 'List, issue, ban, exhaust and change keys',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .options(optionsOf(listOptions, { global: false }))
      .command([list, show, issue, update, exhaust, ban, unban, revoke, remove]),
  handler: list.handler,
}
