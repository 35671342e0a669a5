import packageJson from '../../package.json' with { type: 'json' }
import { countText, printableJson } from '../checks/reports/text.ts'
import { action, actionGroups, sandboxGroup } from '../client/actions/actions.ts'
import { keySentence } from '../client/actions/sentences.ts'

import { basePath } from '../mock/api/endpoints.ts'
import { int64 } from '../mock/api/int64.ts'
import { toJson } from '../mock/api/json.ts'
import { openApiDocument } from '../mock/api/openapi.ts'
import { petStatus } from '../mock/api/pet.ts'
import { list, optional } from '../mock/input/object.ts'
import { described, readInput } from '../mock/input/schema.ts'
import { integer, string, text } from '../mock/input/values.ts'
import { keyText } from '../mock/state/keys.ts'
import { snapshotDocument } from '../mock/state/state.ts'
import { CliError } from './cli-error.ts'
import {
  type Command,
  command,
  commandOf,
  listCommand,
  mutationCommands,
  queryCommand,
} from './command.ts'
import { readJsonFile, writeFile } from './files.ts'
import {
  askingOptions,
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
} from './options.ts'
import type { Client } from './remote/connect.ts'
import {
  faultTable,
  gapTable,
  keyTable,
  petTable,
  scenarioTable,
  statusScreen,
} from './remote/response-text.ts'
import { serveOptions } from './serve/serve-settings.ts'

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
  words: {
    number: optional(
      described('Number of a request, to print it in full, with its response', integer(1, 1e15)),
    ),
  },
  options: requestsOptions.properties,
  examples: {
    '--status 429 --key free-key': 'See why a key was rejected',
    1: 'See request 1 in full, such as one that a finding names',
    '--har > requests.har': 'Save the requests for the developer tools of a browser',
  },
  async run({ words: { number }, options, texts }) {
    const { showRequest, showRequests } = await import('./remote/show-requests.ts')
    if (number === undefined) return await showRequests(options, process.stdout)
    const other = Object.keys(texts).find((name) => !Object.hasOwn(askingOptions.properties, name))
    if (other !== undefined) {
      const use = 'leave out one of them'
      throw new CliError(`Cannot use --${other} with the number of a request: ${use}`, 2)
    }
    return await showRequest(number, options, process.stdout)
  },
})

const clock = commandOf({
  ...actionGroups.clock,
  actions: {
    show: queryCommand({ summary: 'Show the clock', run: (client) => client.clock.read() }),
    ...mutationCommands(actionGroups.clock.actions),
  },
})

const keys = commandOf({
  ...actionGroups.keys,
  actions: {
    list: listCommand({
      summary: 'List the keys, with the requests that they have left',
      run: (client) => client.keys.list(),
      show: async (all, { client }) => keyTable(all, (await client.clock.read()).now),
    }),
    show: queryCommand({
      summary: 'Show a key, with the requests that it has left',
      words: { key: described('The key', keyText) },
      run: (client, words) => client.keys.get(words.key),
      show: (view, { client }) => keySentence(view, client),
    }),
    ...mutationCommands(actionGroups.keys.actions),
  },
})

const pets = commandOf({
  ...actionGroups.pets,
  actions: {
    list: listCommand({
      summary: 'List the pets',
      options: { status: optional(described('Only pets with this status', petStatus)) },
      run: (client, { status: of }) => client.pets.list({ status: of }),
      show: petTable,
    }),
    get: queryCommand({
      summary: 'Show a pet',
      words: { id: described("The pet's id", int64) },
      run: (client, { id }) => client.pets.get(id),
      show: petTable,
    }),
    ...mutationCommands(actionGroups.pets.actions),
  },
})

const faults = commandOf({
  ...actionGroups.faults,
  actions: {
    list: listCommand({
      summary: 'List the faults, and how many requests each was applied to',
      run: (client) => client.faults.list(),
      show: faultTable,
    }),
    ...mutationCommands(actionGroups.faults.actions),
  },
})

const scenario = commandOf({
  ...actionGroups.scenario,
  actions: {
    list: listCommand({
      summary: 'List the scenarios, and which are in force',
      run: (client) => client.scenarios(),
      show: scenarioTable,
    }),
    ...mutationCommands(actionGroups.scenario.actions),
  },
})

const gaps = commandOf({
  ...actionGroups.gaps,
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
      show: (inForce) => gapTable(inForce),
    }),
    ...mutationCommands(actionGroups.gaps.actions),
  },
})

const reset = commandOf({
  ...actionGroups.reset,
  actions: mutationCommands(actionGroups.reset.actions),
})

const file = described('A JSON file', text())

const snapshot = commandOf({
  summary: 'Save or restore the state of a sandbox',
  actions: {
    print: queryCommand({
      summary: 'Print a snapshot as JSON',
      run: (client) => client.snapshot(),
      show: (taken) => printableJson(toJson(taken)),
    }),
    ...mutationCommands({
      save: action({
        summary: 'Save a snapshot to a file, which only its owner may read',
        words: { file },
        call: (words) => async (client: Client) => {
          writeFile(words.file, `${toJson(await client.snapshot())}\n`, 0o600)
          return { file: words.file }
        },
        message: (saved) => `Saved to ${saved.file}`,
      }),
      restore: action({
        summary: 'Restore a snapshot from a file',
        words: { file },
        call: (words) => async (client: Client) => {
          const read = (found: unknown) => readInput(snapshotDocument, found)
          await client.restore(await readJsonFile(words.file, read))
        },
        message: (_, words) => `Everything is as saved in ${words.file}`,
      }),
    }),
  },
})

const sandboxes = commandOf({
  ...sandboxGroup,
  actions: {
    list: listCommand({
      summary: 'List the named sandboxes',
      run: (client) => client.sandboxes.list(),
    }),
    ...mutationCommands(sandboxGroup.actions),
  },
})

const findings = command({
  summary: 'Report the findings on clients of a running sandbox',
  options: findingsOptions.properties,
  examples: {
    '': 'See all findings since the sandbox started, across resets',
    '--fail-on warning --report github --report markdown=findings.md': 'The same in CI',
  },
  run: async ({ options }) =>
    (await import('./findings.ts')).showFindings(options, process.stdout, process.env),
})

/** Note on the commands that write and read captures. */
const captureNote =
  'The format of captures is experimental: it may change in a minor version, which still reads earlier captures.'

const capture = commandOf({
  summary: 'Save everything done to a running sandbox, to replay it anywhere',
  actionForArgs: 'save',
  notes: captureNote,
  actions: {
    print: queryCommand({
      summary: 'Print the capture as JSON',
      run: (client) => client.capture(),
      show: (made) => printableJson(toJson(made)),
    }),
    ...mutationCommands({
      save: action({
        summary: 'Save the capture to a file',
        words: { file },
        examples: { 'failed.petstore.json': 'Save a capture' },
        call: (words) => async (client: Client) => {
          const made = await client.capture()
          writeFile(words.file, `${toJson(made)}\n`, 0o644)
          return { file: words.file, steps: made.steps.length }
        },
        message: (saved) => `Saved ${countText(saved.steps, 'step')} to ${saved.file}`,
      }),
    }),
  },
})

const replay = command({
  summary: 'Replay a capture, and report the first response that differs',
  words: { file: described('A file that capture saved', text()) },
  options: replayOptions.properties,
  examples: {
    'failed.petstore.json': 'Show the first response that differs',
    'failed.petstore.json --until 63 --serve': 'Look at the sandbox as request 63 left it',
    'failed.petstore.json --format vitest > failed.test.ts': 'Make a test of it',
  },
  notes: `The exit code is 1 if any response differs. ${captureNote}`,
  run: async ({ words, options }) =>
    (await import('./replay/replay.ts')).replay(
      words.file,
      options,
      process.stdout,
      packageJson.version,
    ),
})

const open = command({
  summary: 'Open a capture step by step; without a file, the playground',
  words: {
    file: optional(described('A file that capture saved', text())),
  },
  options: openOptions.properties,
  examples: {
    'failed.petstore.json': 'Step through what a failed test did to its sandbox',
    'failed.petstore.json --no-browser': 'Only print the address',
    'failed.petstore.json --to failed': 'Write the same as a folder for any web server',
  },
  run: async ({ words, options }) =>
    (await import('./open.ts')).openFile(words.file, options, process.stdout),
})

const calibrate = command({
  summary: 'Compare a real service with the spec, using HAR files (experimental)',
  words: { files: described('HAR files recorded with the service', list(text())) },
  options: calibrateOptions.properties,
  examples: {
    'staging.har': 'See the gap values of the service',
    'staging.har --write petstore-sandbox.config.json': 'Give the sandbox the same values',
    'staging.har --baseline calibration.json --report pretty --report json=new.json':
      'In CI: fail only if the service has changed',
  },
  notes:
    'The exit code is 0 if nothing is broken, contradicted or unexplained, or with --baseline if nothing has changed; 4 otherwise; 5 if there is nothing to compare. It sends nothing anywhere. This command is experimental: it may change in a minor version.',
  run: async ({ words, options }) =>
    (await import('./calibrate.ts')).calibrateFiles(words.files, options, process.stdout),
})

const openapi = command({
  summary: 'Print the description of the API in OpenAPI 3.1',
  notes: 'It has no --json: what it prints is JSON.',
  async run() {
    // An absolute address, since a relative one has no base in a saved file.
    const document = await openApiDocument(`${defaultUrl}${basePath}`)
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
  },
  Look: { status, requests, findings, capture, replay },
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
