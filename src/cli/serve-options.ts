import type { Options } from 'yargs'
import { type GapSettings, parseGaps } from '../contract/gaps.ts'
import { InputError, isRecord, show } from '../contract/input.ts'
import type { SandboxOptions } from '../sandbox.ts'
import { defaultPort } from '../server/start-server.ts'
import type { ClockSettings } from '../state/clock.ts'
import { rateLimitModes } from '../state/state.ts'
import { CliError } from './cli-error.ts'
import { logFormats } from './log.ts'
import { readSeedFile } from './seed-file.ts'

/** The options of `serve`, as yargs takes them. */
export const serveOptions = {
  port: { number: true, default: defaultPort, describe: 'Port to listen on; 0 for any free one' },
  host: { string: true, default: '127.0.0.1', describe: 'Address to listen on' },
  'seed-file': {
    string: true,
    describe:
      'Pets and keys: a JSON file { "pets", "keys" }, or a folder with pets.json, keys.json',
    defaultDescription: "the package's",
  },
  pets: { number: true, describe: 'Generate this many pets instead' },
  seed: { number: true, default: 1, describe: 'Makes what is random repeatable' },
  clock: {
    string: true,
    describe: 'Instant to start at, such as 2030-12-04T23:59:00Z',
    defaultDescription: 'now',
  },
  frozen: { boolean: true, default: false, describe: 'Stop the clock there' },
  scale: { number: true, describe: 'Run the clock this many times as fast' },
  gap: {
    string: true,
    array: true,
    // One value for each --gap, so that it doesn't take a command for one.
    nargs: 1,
    describe: 'What to do where the spec is silent, as name=choice; may be repeated',
  },
  'rate-limit': {
    choices: rateLimitModes,
    default: 'enforced',
    describe: 'reported: count and show quota, but refuse nothing',
  },
  log: { choices: logFormats, default: 'pretty', describe: 'What to print' },
  'port-file': { string: true, describe: 'File to write the port number to, once it serves' },
  config: {
    string: true,
    describe: 'JSON file with any of these options',
    defaultDescription: 'petstore-sandbox.config.json, if it is there',
  },
} as const satisfies Record<string, Options>

/** The options of `serve` that make the sandbox. */
export interface SandboxArguments {
  readonly seedFile?: string | undefined
  readonly pets?: number | undefined
  readonly seed: number
  readonly clock?: string | undefined
  readonly frozen: boolean
  readonly scale?: number | undefined
  readonly gap?: readonly unknown[] | undefined
  readonly rateLimit: 'enforced' | 'reported'
}

/**
 * Reads the options of a sandbox from the command line.
 *
 * @throws {@link CliError} for wrong usage or a seed file that can't be used.
 * @throws {@link InputError} for a value that can't be used.
 */
export async function sandboxOptions(options: SandboxArguments): Promise<SandboxOptions> {
  const seed = options.seedFile === undefined ? {} : await readSeedFile(options.seedFile)
  if (options.pets !== undefined && seed.pets !== undefined) {
    throw new CliError(`Cannot use --pets: ${options.seedFile} has pets too; use one of them`, 2)
  }
  return {
    seed:
      options.pets === undefined
        ? seed
        : { ...seed, pets: await generated(options.pets, options.seed) },
    randomSeed: options.seed,
    gaps: gapSettings(options.gap ?? []),
    clock: clockSettings(options),
    rateLimit: options.rateLimit,
  }
}

/** Makes pets with faker, which is loaded only here, since that takes longer than all the rest. */
async function generated(count: number, seed: number) {
  const { generatePets } = await import('../seed/generate-pets.ts')
  return generatePets({ count, seed })
}

function clockSettings({ clock, frozen, scale }: SandboxArguments): ClockSettings {
  if (frozen && scale !== undefined) {
    throw new CliError('Cannot use --scale: --frozen stops the clock; use one of them', 2)
  }
  return {
    ...(clock === undefined ? {} : { now: clock }),
    ...(frozen ? { mode: 'frozen' } : {}),
    ...(scale === undefined ? {} : { scale }),
  }
}

/** Reads `name=choice` texts, or the objects that a config file may hold instead. */
function gapSettings(gaps: readonly unknown[]): GapSettings {
  const settings: Record<string, unknown> = {}
  for (const gap of gaps) {
    if (isRecord(gap)) Object.assign(settings, gap)
    else Object.assign(settings, gapPairs(String(gap)))
  }
  parseGaps(settings)
  return settings as GapSettings
}

function gapPairs(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [name = '', ...choice] = pair.split('=')
    if (choice.length === 0) {
      throw new InputError(
        `Cannot set gap ${show(pair)}: use name=choice, such as retryAfterFormat=http-date`,
      )
    }
    return [name.trim(), choice.join('=').trim()]
  })
  return Object.fromEntries(pairs)
}
