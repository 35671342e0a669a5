import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isRecord, namesOf } from '../../input/record.ts'
import { Refusal, readInput, readPart, refuseValue } from '../../input/schema.ts'
import type { Exception } from '../audit/exceptions.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { nearest } from '../usage/nearest.ts'
import { describeEach } from '../usage/settings.ts'
import { serveOptions } from './serve-options.ts'

/** The config file that is read from the current folder if it exists. */
const defaultFile = 'petstore-sandbox.config.json'

/**
 * Reads the named config file, or else the default one if it exists.
 *
 * @param named From `--config` or the environment.
 * @returns Options of `serve`, checked, and yet to be read.
 * @throws {@link CliError} with the place in the file.
 */
export async function readConfigFile(
  named: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  return (await readConfig(named)).options
}

/**
 * Reads what the named config file, or else the default one, excepts from the audit.
 *
 * @param named From `--config` or the environment.
 * @throws {@link CliError} with the place in the file.
 */
export async function readExceptions(named: string | undefined): Promise<readonly Exception[]> {
  return (await readConfig(named)).exceptions
}

/** What a config file says. */
interface Config {
  readonly options: Readonly<Record<string, unknown>>
  readonly exceptions: readonly Exception[]
}

async function readConfig(named: string | undefined): Promise<Config> {
  if (named === undefined && !existsSync(defaultFile)) return { options: {}, exceptions: [] }
  const file = named ?? defaultFile
  const folder = dirname(file)
  const schema = { read: (found: unknown) => checkedOptions(found, folder) }
  const { [auditName]: audit, ...options } = await readJsonFile(file, (value) =>
    readInput(schema, value),
  )
  if (audit === undefined) return { options, exceptions: [] }
  // Loaded for those who need it: it knows all rules.
  const { auditSettings } = await import('../audit/exceptions.ts')
  const part = { read: () => readPart(auditName, () => auditSettings.read(audit)) }
  const { exceptions } = await readJsonFile(file, (value) => readInput(part, value))
  return { options, exceptions }
}

/** The part of a config file that is no option of `serve`: what is expected of clients. */
const auditName = 'audit'

const { config: _, ...properties } = serveOptions.properties

const names = namesOf(properties)

const allNames = [...names, auditName]

/** @param folder Where relative paths in the file begin. */
function checkedOptions(found: unknown, folder: string): Readonly<Record<string, unknown>> {
  if (!isRecord(found)) return refuseValue(found, 'an object such as { "port": 0 }')
  const described = describeEach(properties)
  const values = new Map<string, unknown>()
  for (const [spelt, value] of Object.entries(found)) {
    if (spelt === auditName) {
      values.set(spelt, value)
      continue
    }
    const name = nameOf(spelt)
    if (values.has(name)) throw new Refusal(`${name} is set twice; set it once`, [spelt])
    readPart(spelt, () => properties[name].read(value))
    const isPath = described[name]?.format === 'path'
    values.set(name, isPath ? resolve(folder, String(value)) : value)
  }
  return Object.fromEntries(values)
}

/** The name of an option, which may be spelt as in JavaScript too. */
function nameOf(spelt: string): (typeof names)[number] {
  const dashed = spelt.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const name = names.find((one) => one === dashed)
  if (name !== undefined) return name
  const meant = nearest(dashed, allNames)
  const hint = meant === undefined ? `use ${allNames.join(', ')}` : `did you mean ${meant}?`
  throw new Refusal(`unknown option; ${hint}`, [spelt])
}
