import { existsSync } from 'node:fs'
import { InputError, isRecord, show } from '../contract/input.ts'
import { readJsonFile } from './read-json-file.ts'

/** The config file that is read when there is one in the current folder. */
const usualFile = 'petstore-sandbox.config.json'

/**
 * Reads the config file: the one that is named, else the usual one if it is there.
 *
 * @param file As given by `--config` or the environment.
 * @param known The options that it may hold.
 * @throws {@link CliError} with the place in the file.
 */
export async function readConfigFile(
  file: string | undefined,
  known: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  if (file === undefined && !existsSync(usualFile)) return {}
  return await readJsonFile(file ?? usualFile, (value) => parseConfig(value, known))
}

function parseConfig(value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) {
    throw new InputError(`Cannot use the config: found ${show(value)}; use an object of options`)
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    throw new InputError(
      `Cannot use the config: there is no option ${show(name)}; use ${known.join(', ')}`,
      [name],
    )
  }
  // An object of gaps reads better than a list of name=choice; yargs would take it apart.
  return isRecord(value.gap) ? { ...value, gap: pairsOf(value.gap) } : value
}

function pairsOf(gaps: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(gaps).map(([name, choice]) => `${name}=${choice}`)
}
