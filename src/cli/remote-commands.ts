import { readFileSync, writeFileSync } from 'node:fs'
import { InputError, show } from '../contract/input.ts'
import { parseInt64, parseJson, toJson } from '../contract/int64.ts'
import { CliError } from './cli-error.ts'
import { reasonOf } from './read-json-file.ts'
import { callControl, type RemoteOptions } from './remote-client.ts'
import { formatTable } from './table.ts'

/** What an action of a command sends, and how its answer is shown. */
interface Action {
  /** The words after it; one with `?` may be left out, one with `...` takes the rest. */
  readonly words: string
  readonly about: string
  /** The method, path and body of its request. */
  request(words: readonly string[]): readonly [method: string, path: string, body?: unknown]
  /** What a person is shown; by default the answer as a table, or that it is done. */
  show?(answer: unknown, words: readonly string[]): string
}

/** A command for a running sandbox. */
export interface RemoteCommand {
  readonly about: string
  readonly actions: Readonly<Record<string, Action>>
}

/** The commands for a running sandbox: their actions by name, the first one for no word at all. */
export const remoteCommands: Readonly<Record<string, RemoteCommand>> = {
  clock: {
    about: 'Read or move the clock of a running sandbox',
    actions: {
      show: { words: '', about: 'Where it stands', request: () => ['GET', '/clock'] },
      advance: {
        words: 'DURATION',
        about: 'Move on, such as by 61s',
        request: ([advance]) => ['PATCH', '/clock', { advance }],
      },
      set: { words: 'INSTANT', about: 'Jump', request: ([set]) => ['PATCH', '/clock', { set }] },
      freeze: { words: '', about: 'Stop', request: () => ['PATCH', '/clock', { mode: 'frozen' }] },
      resume: {
        words: '',
        about: 'Run on',
        request: () => ['PATCH', '/clock', { mode: 'offset' }],
      },
      scale: {
        words: 'TIMES',
        about: 'Run so many times as fast',
        request: ([times]) => ['PATCH', '/clock', { mode: 'scaled', scale: Number(times) }],
      },
      system: {
        words: '',
        about: "Follow the system's time",
        request: () => ['PATCH', '/clock', { mode: 'system' }],
      },
    },
  },
  keys: {
    about: 'List, issue and change the keys of a running sandbox',
    actions: {
      list: {
        words: '',
        about: 'With what they have left',
        request: () => ['GET', '/keys'],
        show: keyTable,
      },
      issue: {
        words: 'PLAN KEY? SETTING=VALUE...?',
        about: 'Issue one, such as pro, or enterprise big limits={"minute":9,"day":9}',
        request: ([plan, ...rest]) => ['POST', '/keys', { plan, ...keyAndSettings(rest) }],
        show: keyTable,
      },
      change: {
        words: 'KEY SETTING=VALUE...',
        about: 'Such as plan=pro, remaining={"minute":1}, expiresAt=2030-01-01',
        request: ([key = '', ...rest]) => ['PATCH', keyPath(key), settings(rest)],
        show: keyTable,
      },
      ban: {
        words: 'KEY DURATION',
        about: 'Ban for a while',
        request: ([key = '', ban]) => ['PATCH', keyPath(key), { ban }],
        show: keyTable,
      },
      pardon: {
        words: 'KEY',
        about: 'End a ban',
        request: ([key = '']) => ['PATCH', keyPath(key), { pardon: true }],
        show: keyTable,
      },
      revoke: {
        words: 'KEY',
        about: 'Revoke',
        request: ([key = '']) => ['PATCH', keyPath(key), { revoked: true }],
        show: keyTable,
      },
      delete: { words: 'KEY', about: 'Delete', request: ([key = '']) => ['DELETE', keyPath(key)] },
    },
  },
  pets: {
    about: "List, add and change pets behind the API's back",
    actions: {
      list: { words: '', about: 'All of them', request: () => ['GET', '/pets'] },
      get: {
        words: 'ID',
        about: 'One',
        request: ([id = '']) => ['GET', `/pets/${encodeURIComponent(id)}`],
      },
      add: {
        words: 'NAME CATEGORY STATUS?',
        about: 'Add one, such as Rex 1 sold',
        request: ([name, category = '', status]) => [
          'POST',
          '/pets',
          {
            name,
            categoryId: parseInt64(category) ?? category,
            ...(status === undefined ? {} : { status }),
          },
        ],
      },
      status: {
        words: 'ID STATUS',
        about: 'Change the status, as the store does when a pet is sold',
        request: ([id = '', status]) => ['PATCH', `/pets/${encodeURIComponent(id)}`, { status }],
      },
      delete: {
        words: 'ID',
        about: 'Delete one',
        request: ([id = '']) => ['DELETE', `/pets/${encodeURIComponent(id)}`],
      },
      clear: { words: '', about: 'Delete all', request: () => ['DELETE', '/pets'] },
    },
  },
  faults: {
    about: 'Let something go wrong in a running sandbox',
    actions: {
      list: { words: '', about: 'With what they have done', request: () => ['GET', '/faults'] },
      add: {
        words: 'FAULT SETTING=VALUE...?',
        about: 'Such as status status=503 times=2, or latency ms=["1s","3s"]',
        request: ([fault, ...rest]) => ['POST', '/faults', { fault, ...settings(rest) }],
      },
      remove: {
        words: 'ID',
        about: 'Take one away',
        request: ([id = '']) => ['DELETE', `/faults/${encodeURIComponent(id)}`],
      },
      clear: { words: '', about: 'Take all away', request: () => ['DELETE', '/faults'] },
    },
  },
  scenario: {
    about: 'Bring a ready-made situation about in a running sandbox',
    actions: {
      list: { words: '', about: 'Those that there are', request: () => ['GET', '/scenarios'] },
      apply: {
        words: 'NAME',
        about: 'One of them',
        request: ([name]) => ['POST', '/scenario', { name }],
      },
    },
  },
  gap: {
    about: 'Read or choose what a running sandbox does where the spec is silent',
    actions: {
      list: {
        words: '',
        about: 'The choices in force',
        request: () => ['GET', '/gaps'],
        show: pairTable,
      },
      set: {
        words: 'NAME=CHOICE...',
        about: 'Such as retryAfterFormat=http-date',
        request: (words) => ['PATCH', '/gaps', settings(words)],
        show: pairTable,
      },
    },
  },
  reset: {
    about: 'Bring a running sandbox back to its seed',
    actions: {
      all: { words: '', about: 'All of it', request: () => ['POST', '/reset'] },
      only: {
        words: 'PART...',
        about: 'pets, keys, quotas, clock, faults, journal or gaps',
        request: (only) => ['POST', '/reset', { only }],
      },
    },
  },
  snapshot: {
    about: 'Save or restore the whole state of a running sandbox',
    actions: {
      print: {
        words: '',
        about: 'As JSON',
        request: () => ['GET', '/snapshot'],
        show: (answer) => toJson(answer),
      },
      save: {
        words: 'FILE',
        about: 'To a file',
        request: () => ['GET', '/snapshot'],
        show: (answer, [file = '']) => writeSnapshot(file, answer),
      },
      restore: {
        words: 'FILE',
        about: 'From a file',
        request: ([file = '']) => ['PUT', '/snapshot', readSnapshotFile(file)],
      },
      store: {
        words: '',
        about: 'Let the process write its own --state file',
        request: () => ['POST', '/save'],
      },
    },
  },
  sandboxes: {
    about: 'List, make and delete the named sandboxes of a running process',
    actions: {
      list: { words: '', about: 'Those that there are', request: () => ['GET', '/sandboxes'] },
      create: {
        words: 'NAME?',
        about: 'Make one',
        request: ([name]) => ['POST', '/sandboxes', name === undefined ? {} : { name }],
      },
      delete: {
        words: 'NAME',
        about: 'Delete one',
        request: ([name = '']) => ['DELETE', `/sandboxes/${encodeURIComponent(name)}`],
      },
    },
  },
}

/**
 * Runs an action of a command against a running sandbox, and gives what to print.
 *
 * @throws {@link CliError} for wrong words, or with what the sandbox says.
 */
export async function runRemote(
  command: string,
  words: readonly string[],
  options: RemoteOptions & { readonly json?: boolean },
): Promise<string> {
  const { action, rest } = findAction(command, words)
  const [method, path, body] = action.request(rest)
  const answer = await callControl(options, method, path, body)
  if (options.json === true) return answer === undefined ? '{}' : toJson(answer)
  return action.show === undefined ? showAnswer(answer) : action.show(answer, rest)
}

function findAction(command: string, words: readonly string[]) {
  const actions: Readonly<Record<string, Action>> = remoteCommands[command]?.actions ?? {}
  const [first, ...others] = words
  const [usual = ''] = Object.keys(actions)
  // What stands alone, such as `scenario flaky`, is the last action's.
  const isAction = first !== undefined && Object.hasOwn(actions, first)
  const only = Object.entries(actions)
  const implied = only.length === 2 && first !== undefined ? only[1] : undefined
  const name = isAction ? first : first === undefined ? usual : (implied?.[0] ?? first)
  const action = actions[name]
  if (action === undefined) {
    throw new CliError(
      `Cannot run ${command} ${show(name)}: there is no such action; use one of ${Object.keys(actions).join(', ')}`,
      2,
    )
  }
  const rest = isAction ? others : words
  checkWords(`${command} ${name}`, action, rest)
  return { action, rest }
}

function checkWords(command: string, { words }: Action, given: readonly string[]): void {
  const names = words === '' ? [] : words.split(' ')
  const least = names.filter((name) => !name.endsWith('?')).length
  const most = words.includes('...') ? Number.POSITIVE_INFINITY : names.length
  if (given.length >= least && given.length <= most) return
  throw new CliError(
    `Cannot run ${command}: found ${given.length} words after it; use ${command} ${words}`.trimEnd(),
    2,
  )
}

function keyPath(key: string): string {
  return `/keys/${encodeURIComponent(key)}`
}

/** A key's text, if the first word is one, and its settings. */
function keyAndSettings(words: readonly string[]) {
  const [first] = words
  if (first === undefined || first.includes('=')) return settings(words)
  return { key: first, ...settings(words.slice(1)) }
}

/** Reads `name=value` words; a value that is JSON is taken as such, any other as a text. */
function settings(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const [name = '', value] = word.split(/=(.*)/s)
      if (value === undefined) {
        throw new InputError(`Cannot use ${show(word)}: use name=value, such as times=2`)
      }
      return [name, readValue(value)]
    }),
  )
}

function readValue(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function writeSnapshot(file: string, answer: unknown): string {
  try {
    writeFileSync(file, `${toJson(answer)}\n`)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${reasonOf(error)}`, 1)
  }
  return `Saved to ${file}`
}

function readSnapshotFile(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not valid JSON' : reasonOf(error)
    throw new CliError(`Cannot read ${file}: ${reason}`, 1)
  }
}

/** Shows an answer to a person: an array or an object as a table. */
function showAnswer(answer: unknown): string {
  if (answer === undefined) return 'Done'
  const rows = Array.isArray(answer) ? answer : [answer]
  if (rows.length === 0) return 'None'
  const names = [...new Set(rows.flatMap((row: object) => Object.keys(row)))]
  const cells = rows.map((row: Record<string, unknown>) => names.map((name) => cell(row[name])))
  return formatTable([names, ...cells])
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? toJson(value) : String(value)
}

interface ShownKey {
  readonly key: string
  readonly plan: string
  readonly state: string
  readonly bannedUntil?: string
  readonly expiresAt?: string
  readonly minute: ShownWindow
  readonly day: ShownWindow
}

interface ShownWindow {
  readonly limit: number
  readonly remaining: number
}

function keyTable(answer: unknown): string {
  const keys = (Array.isArray(answer) ? answer : [answer]) as readonly ShownKey[]
  const left = ({ remaining, limit }: ShownWindow): string =>
    `${remaining.toLocaleString('en')} of ${limit.toLocaleString('en')}`
  const rows = keys.map((key) => [
    key.key,
    key.plan,
    key.bannedUntil === undefined ? key.state : `banned until ${key.bannedUntil}`,
    left(key.minute),
    left(key.day),
    key.expiresAt ?? '',
  ])
  return formatTable([
    ['key', 'plan', 'state', 'left this minute', 'left today', 'expires'],
    ...rows,
  ])
}

function pairTable(answer: unknown): string {
  return formatTable(Object.entries(answer as object).map(([name, value]) => [name, cell(value)]))
}
