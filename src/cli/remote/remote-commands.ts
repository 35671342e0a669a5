import { parseInt64, toJson } from '../../contract/int64.ts'
import { show } from '../../input/input-error.ts'
import { readJsonFile, reasonOf } from '../files/read-json-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { answerTable, faultTable, gapTableOf, keyTable, petTable } from './answer-tables.ts'
import { instantFromText } from './instant-from-text.ts'
import {
  type ControlRequest,
  callControl,
  expectSandbox,
  inPath,
  type RemoteOptions,
} from './remote-client.ts'
import { readNamed, readSettings, readValue } from './setting-words.ts'

/** What an action of a command sends, and how its answer is shown. */
interface Action {
  /** The words after it; one in brackets may be left out, one with `...` takes the rest. */
  readonly words: string
  readonly about: string
  request(words: readonly string[]): ControlRequest | Promise<ControlRequest>
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
      show: {
        words: '',
        about: 'Say where it stands',
        request: () => ({ path: '/clock' }),
      },
      advance: {
        words: 'DURATION',
        about: 'Move it on, such as by 61s',
        request: ([advance]) => patch('/clock', { advance }),
      },
      set: {
        words: 'INSTANT',
        about: 'Let it jump, back or forth, such as to 2030-12-05T00:00:00Z',
        request: ([set = '']) => patch('/clock', { set: instantFromText(set) }),
      },
      freeze: {
        words: '',
        about: 'Stop it',
        request: () => patch('/clock', { mode: 'frozen' }),
      },
      resume: {
        words: '',
        about: 'Let it run on from where it is',
        request: () => patch('/clock', { mode: 'offset' }),
      },
      scale: {
        words: 'TIMES',
        about: 'Let it run so many times as fast',
        request: ([times = '']) => patch('/clock', { mode: 'scaled', scale: readValue(times) }),
      },
      system: {
        words: '',
        about: "Let it show the system's time",
        request: () => patch('/clock', { mode: 'system' }),
      },
    },
  },
  keys: {
    about: 'List, issue and change the keys of a running sandbox',
    actions: {
      list: {
        words: '',
        about: 'List them, with what they have left',
        request: () => ({ path: '/keys' }),
        show: keyTable,
      },
      issue: {
        words: 'PLAN [KEY] [SETTING=VALUE...]',
        about: 'Issue one, such as pro, or enterprise big limits={"minute":9,"day":9}',
        request: ([plan, ...rest]) =>
          post('/keys', { plan, ...readNamed('key', rest, 'expiresAt=2030-01-01') }),
        show: keyTable,
      },
      change: {
        words: 'KEY SETTING=VALUE...',
        about: 'Change one, such as by plan=pro, remaining={"minute":1}, expiresAt=2030-01-01',
        request: ([key, ...rest]) => patch(`/keys/${inPath(key)}`, readSettings(rest, 'plan=pro')),
        show: keyTable,
      },
      ban: {
        words: 'KEY DURATION',
        about: 'Ban one for a while',
        request: ([key, ban]) => patch(`/keys/${inPath(key)}`, { ban }),
        show: keyTable,
      },
      pardon: {
        words: 'KEY',
        about: 'End a ban, and forget what led to it',
        request: ([key]) => patch(`/keys/${inPath(key)}`, { pardon: true }),
        show: keyTable,
      },
      revoke: {
        words: 'KEY',
        about: 'Revoke one',
        request: ([key]) => patch(`/keys/${inPath(key)}`, { revoked: true }),
        show: keyTable,
      },
      delete: {
        words: 'KEY',
        about: 'Delete one',
        request: ([key]) => remove(`/keys/${inPath(key)}`),
      },
    },
  },
  pets: {
    about: "List, add and change pets behind the API's back",
    actions: {
      list: { words: '', about: 'List all', request: () => ({ path: '/pets' }), show: petTable },
      get: {
        words: 'ID',
        about: 'Show one',
        request: ([id]) => ({ path: `/pets/${inPath(id)}` }),
        show: petTable,
      },
      add: {
        words: 'NAME CATEGORY [STATUS]',
        about: 'Add one, such as Rex 1 sold',
        request: ([name, category = '', status]) =>
          post('/pets', { name, categoryId: parseInt64(category) ?? category, status }),
        show: petTable,
      },
      status: {
        words: 'ID STATUS',
        about: 'Change its status, as the store does when a pet is sold',
        request: ([id, status]) => patch(`/pets/${inPath(id)}`, { status }),
        show: petTable,
      },
      delete: {
        words: 'ID',
        about: 'Delete one',
        request: ([id]) => remove(`/pets/${inPath(id)}`),
      },
      clear: { words: '', about: 'Delete all', request: () => remove('/pets') },
    },
  },
  faults: {
    about: 'Let something go wrong in a running sandbox',
    actions: {
      list: {
        words: '',
        about: 'List them, with what they have done',
        request: () => ({ path: '/faults' }),
        show: faultTable,
      },
      add: {
        words: 'FAULT [SETTING=VALUE...]',
        about: 'Add one, such as status status=503 times=2, or latency ms=["1s","3s"]',
        request: ([fault, ...rest]) =>
          post('/faults', { fault, ...readSettings(rest, 'times=2 or operation=createPet') }),
        show: faultTable,
      },
      remove: {
        words: 'ID',
        about: 'Take one away',
        request: ([id]) => remove(`/faults/${inPath(id)}`),
      },
      clear: { words: '', about: 'Take all away', request: () => remove('/faults') },
    },
  },
  scenario: {
    about: 'Bring a ready-made situation about in a running sandbox',
    actions: {
      list: {
        words: '',
        about: 'List those that there are',
        request: () => ({ path: '/scenarios' }),
      },
      apply: {
        words: 'NAME',
        about: 'Bring one about; apply may be left out',
        request: ([name]) => post('/scenario', { name }),
      },
    },
  },
  gap: {
    about: 'Read or choose what a running sandbox does where the spec is silent',
    actions: {
      list: {
        words: '',
        about: 'List the choices in force',
        request: () => ({ path: '/gaps' }),
        show: gapTableOf,
      },
      set: {
        words: 'NAME=CHOICE...',
        about: 'Choose, such as retryAfterFormat=http-date; set may be left out',
        request: (words) => patch('/gaps', readSettings(words, 'retryAfterFormat=http-date')),
        show: (answer, words) => gapTableOf(chosen(answer, words)),
      },
    },
  },
  reset: {
    about: 'Bring a running sandbox back to its seed',
    actions: {
      all: { words: '', about: 'All of it', request: () => post('/reset') },
      only: {
        words: 'PART...',
        about: 'Only pets, keys, quotas, clock, faults, journal or gaps; only may be left out',
        request: (only) => post('/reset', { only }),
      },
    },
  },
  snapshot: {
    about: 'Save or restore the whole state of a running sandbox',
    actions: {
      print: {
        words: '',
        about: 'Print it as JSON',
        request: () => ({ path: '/snapshot' }),
        show: (answer) => toJson(answer),
      },
      save: {
        words: 'FILE',
        about: 'Save it to a file',
        request: () => ({ path: '/snapshot' }),
        show: (answer, [file = '']) => writeSnapshot(file, answer),
      },
      restore: {
        words: 'FILE',
        about: 'Restore it from a file',
        request: async ([file = '']) => ({
          method: 'PUT',
          path: '/snapshot',
          body: await readJsonFile(file, (snapshot) => snapshot),
        }),
      },
      store: {
        words: '',
        about: 'Let the process save all its sandboxes to the file of its --state',
        request: () => post('/save'),
      },
    },
  },
  sandboxes: {
    about: 'List, make and delete the named sandboxes of a running process',
    actions: {
      list: {
        words: '',
        about: 'List those that there are',
        request: () => ({ path: '/sandboxes' }),
      },
      create: {
        words: '[NAME] [SETTING=VALUE...]',
        about: 'Make one, such as alice clock=2030-12-05 rateLimit=reported',
        request: (words) => post('/sandboxes', readNamed('name', words, 'clock=2030-12-05')),
      },
      delete: {
        words: 'NAME',
        about: 'Delete one',
        request: ([name]) => remove(`/sandboxes/${inPath(name)}`),
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
  const request = await action.request(rest)
  await expectSandbox(options)
  const answer = await callControl(options, request)
  const { show: showTo = answerTable } = action
  if (options.json !== true) return showTo(answer, rest)
  return answer === undefined ? '{}' : toJson(answer)
}

function findAction(command: string, words: readonly string[]) {
  const actions = remoteCommands[command]?.actions ?? {}
  const names = Object.keys(actions)
  const [first] = words
  const isNamed = first !== undefined && Object.hasOwn(actions, first)
  const [usual = '', other] = names
  // What stands alone, such as in `scenario flaky`, is for the second one of two.
  const implied = first === undefined ? usual : names.length === 2 ? other : undefined
  const name = isNamed ? first : implied
  const action = name === undefined ? undefined : actions[name]
  if (action === undefined) {
    throw new CliError(
      `Cannot run ${command} ${show(first)}: there is no such action; use one of ${names.join(', ')}`,
      2,
    )
  }
  const rest = isNamed ? words.slice(1) : words
  checkWords(`${command} ${name}`, action, rest)
  return { action, rest }
}

function checkWords(command: string, { words }: Action, given: readonly string[]): void {
  const names = words === '' ? [] : words.split(' ')
  const missing = names.slice(given.length).find((name) => !name.startsWith('['))
  const surplus = words.includes('...') ? undefined : given[names.length]
  if (missing === undefined && surplus === undefined) return
  const why = missing === undefined ? `${show(surplus)} is too much` : `${missing} is missing`
  throw new CliError(`Cannot run ${command}: ${why}; use ${`${command} ${words}`.trimEnd()}`, 2)
}

function post(path: string, body?: unknown): ControlRequest {
  return { method: 'POST', path, body }
}

function patch(path: string, body: unknown): ControlRequest {
  return { method: 'PATCH', path, body }
}

function remove(path: string): ControlRequest {
  return { method: 'DELETE', path }
}

/** The choices of the gaps that are named in words. */
function chosen(answer: unknown, words: readonly string[]): Record<string, unknown> {
  const names = Object.keys(readSettings(words, ''))
  return Object.fromEntries(
    Object.entries(answer as object).filter(([name]) => names.includes(name)),
  )
}

function writeSnapshot(file: string, answer: unknown): string {
  try {
    replaceFile(file, `${toJson(answer)}\n`)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${reasonOf(error)}`, 1)
  }
  return `Saved to ${file}`
}
