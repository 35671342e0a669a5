import packageJson from '../../package.json' with { type: 'json' }
import { runStep } from '../checks/coverage/steps.ts'
import { countText, printableJson } from '../checks/reports/text.ts'
import { resetPart } from '../mock/controls/controls.ts'
import { keyChange } from '../mock/controls/keys.ts'
import { newSandbox, sandboxName } from '../mock/controls/sandboxes.ts'
import { scenarioName } from '../mock/controls/scenarios.ts'
import { faultKinds, faultSettings } from '../mock/faults/fault-rules.ts'
import { list, optional } from '../mock/input/object.ts'
import { described, readInput } from '../mock/input/schema.ts'
import {
  duration,
  formatDuration,
  instant,
  integer,
  nameIn,
  oneOf,
  string,
  text,
} from '../mock/input/values.ts'
import { basePath } from '../mock/spec/endpoints.ts'
import { gapSettings } from '../mock/spec/gaps.ts'
import { int64 } from '../mock/spec/int64.ts'
import { toJson } from '../mock/spec/json.ts'
import { petStatus } from '../mock/spec/pet.ts'
import { plans, windowNames } from '../mock/spec/plans.ts'
import { clockSpeed } from '../mock/state/clock.ts'
import { keyText, unnamedKey } from '../mock/state/keys.ts'
import { snapshotDocument } from '../mock/state/state.ts'
import { CliError } from './cli-error.ts'
import {
  type Command,
  command,
  commandOf,
  listCommand,
  mutationCommand,
  queryCommand,
} from './command.ts'
import { readJsonFile, writeFile } from './files.ts'
import {
  calibrateOptions,
  checkNames,
  checkOptions,
  defaultUrl,
  exploredOptions,
  findingsOptions,
  gapsOptions,
  openOptions,
  replayOptions,
  requestsOptions,
  whatIfOptions,
} from './options.ts'
import { programLine } from './program.ts'
import {
  choiceTable,
  clockText,
  faultTable,
  faultText,
  keySentence,
  keyTable,
  petTable,
  petText,
  scenarioSentence,
  scenarioTable,
  statusScreen,
} from './remote/answers.ts'
import { serveOptions } from './serve/serve-settings.ts'
import { asSetting, settingList, settingsFrom } from './settings.ts'

/** Command that runs if none is named. */
export const serve = command({
  summary: 'Serve the API; the default command',
  serving: serveOptions.properties,
  output: 'log',
  examples: {
    '--port 0 --port-file port.txt': 'Serve on any free port, and write its number to a file',
    '--clock 2030-12-04T23:59:00Z': 'See the deprecated operation disappear after a minute',
    '--rate-limits report-only --pets 10000':
      'Serve many pets, and never reject a request over quota',
    '--gap retryAfterFormat=http-date --gap banAfter=3':
      'Set what happens where the spec leaves it open',
  },
  notes:
    'It has no --json: --log json prints a line of JSON for each request. Variables, such as PETSTORE_SANDBOX_PORT=0, and the config file, such as { "port": 0 }, set the same options. The command line overrides variables, and variables override the file.',
  async run({ readSettings }) {
    const settings = await readSettings()
    const { serve: serveUntilStopped } = await import('./serve/serve.ts')
    await serveUntilStopped(settings, packageJson.version)
  },
})

/** Arguments of a command that runs another one. */
const commandWords = {
  command: optional(described('The command and its arguments', list(string)), []),
} as const

/** @throws {@link CliError} if the command to run is missing. */
function expectCommand(name: string, { command: [program = ''] }: { command: readonly string[] }) {
  if (program !== '') return
  const use = `use ${name} [options] -- COMMAND`
  throw new CliError(`Cannot run ${name}: the command is missing; ${use}`, 2)
}

const exec = command({
  summary: 'Run a command beside a sandbox of its own, without a report',
  words: commandWords,
  serving: serveOptions.properties,
  output: 'log',
  // A sandbox of `serve` may run at the same time.
  defaults: { port: '0', log: 'silent' },
  examples: {
    '-- npm test': 'Run tests',
    '--clock 2030-12-04 --gap banAfter=3 -- pytest -x': 'Set how their sandbox starts',
    '--capture failed.petstore.json -- npm test': 'Save everything that they did, to replay it',
  },
  notes:
    "The command finds the sandbox by PETSTORE_API_URL, PETSTORE_KEY and PETSTORE_CONTROL_URL; for each plan there is a key, such as PETSTORE_PRO_KEY. Commands such as clock find it by themselves. exec ends with the command's exit code, or with 127 if there is no such command. It has no --json: it prints only what the command prints.",
  async run({ words, readSettings }) {
    const settings = await readSettings()
    expectCommand('exec', words)
    const { exec: runBeside } = await import('./serve/serve.ts')
    return await runBeside(settings, words.command)
  },
})

const check = command({
  summary: 'Run a command, such as your tests, and report what your client does wrong',
  words: commandWords,
  options: checkOptions.properties,
  serving: exploredOptions.properties,
  examples: {
    '-- npm test': 'Run tests once beside a sandbox',
    '--full -- npm test':
      'Before a release: also under failure conditions, and for hidden assumptions',
    '--only minute-limit,lost-response -- npm test': 'Repeat some checks after a fix',
    '--report pretty --report junit=check.xml --min-coverage 60 -- npm test': 'In CI',
    '--from petstore-check': 'Report what tests have left in a folder',
  },
  notes: `The command finds the sandbox as with exec; sandboxes that tests create themselves are checked, too. What the command prints goes to standard error. The checks of --only and --skip are ${checkNames.join(', ')}. The exit code is that of a command that fails; otherwise 0 if there is nothing to fix, 4 if there is, and 5 if there is nothing to check: no request came, or the command is flaky. Hidden assumptions are experimental: they may change in a minor version.`,
  async run({ words, options, servingTexts: given, readSettings }) {
    const settings = await readSettings()
    if (options.from.length === 0) expectCommand('check', words)
    else if (words.command.length > 0) {
      throw new CliError('Cannot use --from with a command: leave out one of them', 2)
    }
    const { check: run } = await import('./check/check.ts')
    return await run({ options, settings, given, words: words.command }, process.stdout)
  },
})

const status = queryCommand({
  summary: 'Show a running sandbox on one screen: clock, keys, faults, findings, latest requests',
  run: (client) => client.status(),
  show: statusScreen,
})

const requests = command({
  summary: 'List the latest requests to a running sandbox, with the reason for each response',
  options: requestsOptions.properties,
  examples: {
    '--status 429 --key free-key': 'See why a key was rejected',
    '--har > requests.har': 'Save the requests for the developer tools of a browser',
  },
  run: async ({ options }) =>
    (await import('./remote/show-requests.ts')).showRequests(options, process.stdout),
})

const clock = commandOf({
  summary: 'Read or move the clock',
  actions: {
    show: queryCommand({ summary: 'Show the clock', run: (client) => client.clock.read() }),
    advance: mutationCommand({
      summary: 'Advance the clock',
      words: {
        duration: described(
          'How far, such as 61s, 5m or 1h30m; a bare number is milliseconds',
          duration,
        ),
      },
      examples: { '61s': 'Begin the next minute window' },
      run: (client, words) => client.clock.update({ advance: words.duration }),
      message: (reading, words) =>
        `The clock advanced by ${formatDuration(words.duration)}: ${clockText(reading)}`,
    }),
    set: mutationCommand({
      summary: 'Set the clock, forward or back',
      words: {
        instant: described(
          'The new time, such as 2030-12-05T00:00:00Z; a bare number is Unix milliseconds',
          instant,
        ),
      },
      examples: { '2030-12-05': 'See GET /pets/{petId} gone' },
      run: (client, words) => client.clock.update({ set: words.instant }),
      message: (reading) => `The clock is set: ${clockText(reading)}`,
    }),
    freeze: mutationCommand({
      summary: 'Freeze the clock',
      run: (client) => client.clock.update({ mode: 'frozen' }),
      message: (reading) => `The clock is frozen at ${reading.now}`,
    }),
    resume: mutationCommand({
      summary: 'Let the clock run on from the time it shows',
      run: (client) => client.clock.update({ mode: 'running' }),
      message: (reading) => `The clock runs on: ${clockText(reading)}`,
    }),
    speed: mutationCommand({
      summary: 'Run the clock this many times as fast',
      words: { times: described('Sandbox seconds in a real second', clockSpeed) },
      examples: { 60: 'Let a minute pass in a second' },
      run: (client, { times }) => client.clock.update({ mode: 'scaled', speed: times }),
      message: (reading) => `The clock runs on: ${clockText(reading)}`,
    }),
    system: mutationCommand({
      summary: "Follow the system's clock",
      run: (client) => client.clock.update({ mode: 'system' }),
      message: (reading) => `The clock follows the system's: ${reading.now}`,
    }),
  },
})

const key = described('The key', keyText)

const keys = commandOf({
  summary: 'List, issue, ban, exhaust and change keys',
  actions: {
    list: listCommand({
      summary: 'List the keys, with the requests that they have left',
      run: (client) => client.keys.list(),
      show: async (all, { client }) => keyTable(all, (await client.clock.read()).now),
    }),
    show: queryCommand({
      summary: 'Show a key, with the requests that it has left',
      words: { key },
      run: (client, words) => client.keys.get(words.key),
      show: keySentence,
    }),
    issue: mutationCommand({
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
      run(client, { plan, key: name, settings }) {
        const all = [`plan=${plan}`, ...asSetting('key', name), ...settings]
        return client.keys.issue(settingsFrom(unnamedKey, all, 'expiresAt=2030-01-01'))
      },
      message: async (issued, _, scene) => `Issued: ${await keySentence(issued, scene)}`,
      plainOutput: (issued) => issued.key,
    }),
    update: mutationCommand({
      summary: 'Change a key',
      words: { key, settings: settingList(keyChange, 'What to change, as name=value') },
      examples: {
        'free-key plan=pro': 'Move it to another plan',
        'free-key remaining.minute=1': 'Leave it one request in this minute',
        'free-key \'remaining={"minute":1,"day":1}\'': 'The same for both windows, as JSON',
      },
      run: (client, words) =>
        client.keys.update(words.key, settingsFrom(keyChange, words.settings, 'plan=pro')),
      message: (changed, _, scene) => keySentence(changed, scene),
    }),
    exhaust: mutationCommand({
      summary: "Exhaust a key's minute or day",
      words: {
        key,
        window: optional(described('Which; minute by default', oneOf(windowNames)), 'minute'),
      },
      examples: { 'free-key day': 'Exhaust it until midnight, UTC' },
      run: (client, words) => client.keys.setRemaining(words.key, { [words.window]: 0 }),
      message: (changed, _, scene) => keySentence(changed, scene),
    }),
    ban: mutationCommand({
      summary: 'Ban a key for a while',
      words: {
        key,
        duration: described('How long, such as 10m; a bare number is milliseconds', duration),
      },
      examples: { 'free-key 10m': 'Ban it for ten minutes' },
      run: (client, words) => client.keys.update(words.key, { ban: words.duration }),
      message: (changed, _, scene) => keySentence(changed, scene),
    }),
    unban: mutationCommand({
      summary: 'End a ban, and forget the rejections that led to it',
      words: { key },
      run: (client, words) => client.keys.update(words.key, { unban: true }),
      message: async (changed, _, scene) => `Unbanned: ${await keySentence(changed, scene)}`,
    }),
    revoke: mutationCommand({
      summary: 'Revoke a key',
      words: { key },
      run: (client, words) => client.keys.update(words.key, { revoked: true }),
      message: (changed, _, scene) => keySentence(changed, scene),
    }),
    delete: mutationCommand({
      summary: 'Delete a key',
      words: { key },
      run: (client, words) => client.keys.delete(words.key),
      message: (_, words) => `Deleted the key ${words.key}`,
    }),
  },
})

const petId = described("The pet's id", int64)

const pets = commandOf({
  summary: 'List, add, change and delete pets directly, bypassing the API',
  actions: {
    list: listCommand({
      summary: 'List the pets',
      options: { status: optional(described('Only pets with this status', petStatus)) },
      run: (client, { status: of }) => client.pets.list({ status: of }),
      show: petTable,
    }),
    get: queryCommand({
      summary: 'Show a pet',
      words: { id: petId },
      run: (client, { id }) => client.pets.get(id),
      show: petTable,
    }),
    add: mutationCommand({
      summary: 'Add a pet',
      words: {
        name: described('Its name', string),
        category: described('Its categoryId', int64),
        status: optional(described('Its status', petStatus)),
      },
      examples: { 'Rex 1 sold': 'Add a sold pet' },
      run: (client, { name, category, status: of }) =>
        client.pets.create({ name, categoryId: category, status: of }),
      message: (pet) => `Added ${petText(pet)}`,
      plainOutput: (pet) => String(pet.id),
    }),
    'set-status': mutationCommand({
      summary: "Change a pet's status",
      words: { id: petId, status: described('The new status', petStatus) },
      run: (client, words) => client.pets.update(words.id, { status: words.status }),
      message: (pet) => `Changed ${petText(pet)}`,
    }),
    delete: mutationCommand({
      summary: 'Delete a pet',
      words: { id: petId },
      run: (client, { id }) => client.pets.delete(id),
      message: (_, { id }) => `Deleted pet ${id}`,
    }),
    clear: mutationCommand({
      summary: 'Delete all pets',
      run: (client) => client.pets.clear(),
      message: () => 'Deleted all pets',
    }),
  },
})

const oneFault = { ...faultSettings, title: 'fault' }

const faults = commandOf({
  summary: 'List, add and remove faults: errors, delays, broken connections',
  actions: {
    list: listCommand({
      summary: 'List the faults, and how many requests each was applied to',
      run: (client) => client.faults.list(),
      show: faultTable,
    }),
    add: mutationCommand({
      summary: 'Add a fault',
      words: {
        fault: described('What goes wrong', nameIn(faultKinds)),
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
        'status status=503 times=2': 'Respond to the next two requests with 503',
        'latency ms=1s-3s': 'Delay each response by one to three seconds',
        'disconnect operation=createPet': 'Break the connection of each POST',
      },
      run: (client, { fault, settings }) =>
        client.faults.add(settingsFrom(oneFault, [`fault=${fault}`, ...settings], 'times=2')),
      message: (fault) => `Added fault ${fault.id}: ${faultText(fault)}`,
      plainOutput: ({ id }) => String(id),
    }),
    remove: mutationCommand({
      summary: 'Remove a fault',
      words: { id: described("The fault's id", integer(0, 1e15)) },
      run: (client, { id }) => client.faults.remove(id),
      message: (_, { id }) => `Removed fault ${id}`,
    }),
    clear: mutationCommand({
      summary: 'Remove all faults',
      run: (client) => client.faults.clear(),
      message: () => 'Removed all faults',
    }),
  },
})

const scenario = commandOf({
  summary: 'Set up a scenario, such as banned or flaky',
  actionForArgs: 'apply',
  actions: {
    list: listCommand({
      summary: 'List the scenarios, and which are in force',
      run: (client) => client.scenarios(),
      show: scenarioTable,
    }),
    apply: mutationCommand({
      summary: 'Set up a scenario, for all keys or for one',
      words: {
        scenario: described('Its name', scenarioName),
        key: optional(described('The key to apply it to; all keys by default', keyText)),
      },
      examples: {
        'banned free-key': 'Ban one key',
        flaky: 'Lose some responses for every key',
      },
      run: (client, words) => client.scenario(words.scenario, { key: words.key }),
      message: async (_, words, scene) =>
        `${await scenarioSentence(words.scenario, words.key, scene)}\nEverything else is unchanged; ${programLine(['scenario undo', words.scenario, words.key ?? ''].join(' ').trim())} takes it back`,
    }),
    undo: mutationCommand({
      summary: 'Undo a scenario that is in force, for all keys or for one',
      words: {
        scenario: described('Its name', scenarioName),
        key: optional(described('The key to undo it for; all keys by default', keyText)),
      },
      examples: { banned: 'Unban all keys' },
      run: async (client, { scenario: name, key }) => {
        const found = (await client.scenarios({ key })).find((one) => one.name === name)
        if (found?.inForce === true) {
          for (const step of found.undo) await runStep(client, step)
        }
        return found
      },
      message: (found, words) =>
        found?.inForce === true ? `Undone: ${found.title}` : `${words.scenario} is not in force`,
    }),
  },
})

const gaps = commandOf({
  summary: 'List the gaps of the spec, and set them',
  actionForArgs: 'set',
  actions: {
    list: command({
      summary: 'List all gaps and their values',
      options: gapsOptions.properties,
      run: async ({ options }) =>
        (await import('./remote/show-gaps.ts')).showGaps(options, process.stdout),
    }),
    show: listCommand({
      summary: 'Show the values in force in a running sandbox',
      run: (client) => client.gaps(),
      show: (inForce) => choiceTable(inForce),
    }),
    set: mutationCommand({
      summary: 'Set gaps in a running sandbox',
      words: { values: settingList(gapSettings, 'Gaps to set, as name=value') },
      examples: { 'retryAfterFormat=http-date banAfter=3': 'Set two gaps' },
      run: (client, { values }) =>
        client.setGaps(settingsFrom(gapSettings, values, 'retryAfterFormat=http-date')),
      message: (inForce, { values }) =>
        choiceTable(
          inForce,
          values.map((word) => word.replace(/=.*/s, '')),
        ),
    }),
  },
})

const reset = commandOf({
  summary: 'Reset a sandbox to how it started',
  actionForArgs: 'only',
  actions: {
    all: mutationCommand({
      summary: 'Reset everything',
      run: (client) => client.reset(),
      message: () => 'Everything is as it was at the start',
    }),
    only: mutationCommand({
      summary: 'Reset some parts',
      words: {
        parts: described(
          'The parts; keys also ends all bans, and what a key has used belongs to quotas',
          list(resetPart),
        ),
      },
      examples: { 'quotas faults': 'Give all keys their requests back, and remove all faults' },
      run: (client, { parts }) => client.reset({ only: parts }),
      message: (_, { parts }) => `Reset ${parts.join(', ')}; everything else is unchanged`,
    }),
  },
})

const file = described('A JSON file', text())

const snapshot = commandOf({
  summary: 'Save or restore the state of a sandbox',
  actions: {
    print: queryCommand({
      summary: 'Print a snapshot as JSON',
      run: (client) => client.snapshot(),
      show: toJson,
    }),
    save: mutationCommand({
      summary: 'Save a snapshot to a file, which only its owner may read',
      words: { file },
      async run(client, words) {
        writeFile(words.file, `${toJson(await client.snapshot())}\n`, 0o600)
        return { file: words.file }
      },
      message: (saved) => `Saved to ${saved.file}`,
    }),
    restore: mutationCommand({
      summary: 'Restore a snapshot from a file',
      words: { file },
      async run(client, words) {
        const read = (found: unknown) => readInput(snapshotDocument, found)
        await client.restore(await readJsonFile(words.file, read))
      },
      message: (_, words) => `Everything is as saved in ${words.file}`,
    }),
  },
})

const state = commandOf({
  summary: 'Save all sandboxes to the --state file of the server',
  actions: {
    save: mutationCommand({
      summary: 'Save them now, as a graceful stop would',
      run: (client) => client.saveState(),
      message: () => 'Saved all sandboxes to the --state file',
    }),
  },
})

const sandboxes = commandOf({
  summary: 'List, create and delete the named sandboxes of a server',
  actions: {
    list: listCommand({
      summary: 'List the named sandboxes',
      run: (client) => client.sandboxes.list(),
    }),
    create: mutationCommand({
      summary: 'Create a named sandbox',
      words: {
        name: optional(described('Its name; a random one by default', string)),
        settings: optional(settingList(newSandbox, 'Its settings, as name=value'), []),
      },
      examples: { 'alice clock=2030-12-05 rateLimits=report-only': 'The sandbox "alice"' },
      run(client, { name, settings }) {
        const all = [...asSetting('name', name), ...settings]
        return client.sandboxes.create(settingsFrom(newSandbox, all, 'clock=2030-12-05'))
      },
      message: (made) => `Created sandbox ${made.name}: its API is at ${made.baseUrl}`,
      plainOutput: (made) => made.name,
    }),
    delete: mutationCommand({
      summary: 'Delete a named sandbox',
      words: { name: described('Its name', sandboxName) },
      run: (client, { name }) => client.sandboxes.delete(name),
      message: (_, { name }) => `Deleted sandbox ${name}`,
    }),
  },
})

const findings = command({
  summary: 'Report the findings on clients of a running sandbox',
  options: findingsOptions.properties,
  examples: {
    '': 'See all findings since the sandbox started, across resets',
    '--fail-on warning --one-client --report github --report markdown=findings.md':
      'The same in CI, where each key is one client',
  },
  run: async ({ options }) =>
    (await import('./findings.ts')).showFindings(options, process.stdout, process.env),
})

const capture = commandOf({
  summary: 'Save everything done to a running sandbox, to replay it anywhere',
  actionForArgs: 'save',
  actions: {
    print: queryCommand({
      summary: 'Print the capture as JSON',
      run: (client) => client.capture(),
      show: (made) => printableJson(toJson(made)),
    }),
    save: mutationCommand({
      summary: 'Save the capture to a file',
      words: { file },
      examples: { 'failed.petstore.json': 'Save a capture' },
      async run(client, words) {
        const made = await client.capture()
        writeFile(words.file, `${toJson(made)}\n`, 0o644)
        return { file: words.file, steps: made.steps.length }
      },
      message: (saved) => `Saved ${countText(saved.steps, 'step')} to ${saved.file}`,
    }),
  },
})

const whatIf = command({
  summary: 'Find the responses that other gap values would have changed',
  words: {
    values: optional(settingList(gapSettings, 'Gap values to try, all at once, as name=value')),
  },
  options: whatIfOptions.properties,
  examples: {
    '': 'Try each other value of each gap, on all requests so far',
    'banAfter=3 banStatus=403': 'Try these values',
    'listOrder=id-descending --request 1': 'Try it on one request',
    '--from failed.petstore.json': 'The same for a capture',
  },
  run: async ({ words, options }) =>
    (await import('./what-if.ts')).showWhatIf(words.values ?? [], options, process.stdout),
})

const replay = command({
  summary: 'Replay a capture, and report the first response that differs',
  words: { file: described('A file that capture saved', text()) },
  options: replayOptions.properties,
  examples: {
    'failed.petstore.json': 'Show the first response that differs',
    'failed.petstore.json --until 63 --serve': 'Look at the sandbox as request 63 left it',
    'failed.petstore.json --minimize': 'Find the fewest steps that show the difference',
    'failed.petstore.json --format vitest > failed.test.ts': 'Make a test of it',
  },
  notes: 'The exit code is 1 if any response differs.',
  run: async ({ words, options }) =>
    (await import('./replay/replay.ts')).replay(
      words.file,
      options,
      process.stdout,
      packageJson.version,
    ),
})

const open = command({
  summary:
    'Look at a capture, a HAR file or a report step by step, or without a file at the playground',
  words: {
    file: optional(described('Capture file, or report of check or findings in JSON', text())),
  },
  options: openOptions.properties,
  examples: {
    'failed.petstore.json': 'Step through what a failed test did to its sandbox',
    'report.json --no-browser': 'Only print the address',
    'failed.petstore.json --to failed': 'Write the same as a folder for any web server',
  },
  run: async ({ words, options }) =>
    (await import('./open.ts')).openFile(words.file, options, process.stdout),
})

const calibrate = command({
  summary: 'Compare a real service with the spec, using HAR files',
  words: { files: described('HAR files recorded with the service', list(text())) },
  options: calibrateOptions.properties,
  examples: {
    'staging.har': 'See the gap values of the service',
    'staging.har --write petstore-sandbox.config.json': 'Give the sandbox the same values',
    'staging.har --baseline calibration.json --report pretty --report json=new.json':
      'In CI: fail only if the service has changed',
  },
  notes:
    'The exit code is 0 if nothing is broken, contradicted or unexplained, or with --baseline if nothing has changed; 4 otherwise; 5 if there is nothing to compare. It sends nothing anywhere.',
  run: async ({ words, options }) =>
    (await import('./calibrate.ts')).calibrateFiles(words.files, options, process.stdout),
})

const openapi = command({
  summary: 'Print the description of the API in OpenAPI 3.1',
  notes: 'It has no --json: what it prints is JSON.',
  async run() {
    const { openApiDocument } = await import('../mock/spec/openapi/openapi.ts')
    // An absolute address, since a relative one has no base in a saved file.
    const document = openApiDocument(`${defaultUrl}${basePath}`)
    process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`)
  },
})

const agents = command({
  summary: 'Print a block for your AGENTS.md: agents >> AGENTS.md',
  notes: 'It has no --json: the block is Markdown, for a file.',
  async run() {
    process.stdout.write(agentsBlock)
  },
})

const completion = command({
  summary: 'Print a completion script for bash or zsh, where petstore-sandbox is on PATH',
  notes: 'It has no --json: a shell reads what it prints.',
  async run() {
    const { default: yargs } = await import('yargs')
    yargs().scriptName(packageJson.name).showCompletionScript()
  },
})

/** All commands, in the groups of the help. To add a command, add a row. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  Commands: { serve, check, open },
  'Make it happen': {
    clock,
    keys,
    pets,
    faults,
    scenario,
    gaps,
    reset,
    snapshot,
    sandboxes,
    state,
  },
  Look: { status, requests, findings, 'what-if': whatIf, capture, replay },
  More: { exec, calibrate, openapi, agents, completion },
}

/** All commands, by name. */
export const commands: Readonly<Record<string, Command>> = Object.assign(
  {},
  ...Object.values(commandGroups),
)

/** Block for a project's own file for coding agents, between comments so that it can be found and replaced. */
export const agentsBlock = `<!-- petstore-sandbox -->
## petstore-sandbox

Clients of the pet store API are written and tested against petstore-sandbox, a local store with the API's errors, rate
limits, bans and headers. Read \`node_modules/petstore-sandbox/AGENTS.md\` first.

- Run tests beside a sandbox: \`npx petstore-sandbox exec -- npm test\`. They send requests to \`$PETSTORE_API_URL\` with
  \`$PETSTORE_KEY\`.
- Check the client: \`npx petstore-sandbox check -- npm test\`. Exit code 4 means that there is something to fix.
- Don't mock \`fetch\`. Don't sleep: \`npx petstore-sandbox clock advance 1m\`.
<!-- /petstore-sandbox -->
`
