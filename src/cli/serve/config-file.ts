import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { rules } from '../../checks/audit/rules.ts'
import { nearest } from '../../mock/input/nearest.ts'
import { list, object, optional } from '../../mock/input/object.ts'
import { isRecord, namesOf } from '../../mock/input/record.ts'
import {
  described,
  type Output,
  readInput,
  readPart,
  refined,
  rejectValue,
  suggestion,
  ValidationError,
} from '../../mock/input/schema.ts'
import { instant, nameIn, text } from '../../mock/input/values.ts'
import { readJsonFile } from '../files.ts'
import { describeEach } from '../yargs-options.ts'
import { defaultConfigFile, serveOptions } from './serve-options.ts'

const exception = object(
  {
    rule: described('The rule whose findings are accepted.', nameIn(rules)),
    reason: described(
      'Why they are accepted.',
      text({ use: 'a sentence that says why', pattern: /\S/ }),
    ),
    until: optional(
      described('When it ends; a date alone means its first instant in UTC.', instant),
    ),
  },
  { example: '{ "rule": "deprecated-operation", "reason": "…", "until": "2030-01-01" }' },
)

/** Rule whose findings don't count. */
export type Exception = Output<typeof exception>

/** Audit settings in a config file. */
const auditSettings = object(
  {
    exceptions: optional(
      refined(
        list(exception),
        (found) => {
          found.forEach(({ rule }, index) => {
            if (found.findIndex((one) => one.rule === rule) === index) return
            throw new ValidationError(`${rule} has an exception already; keep one`, [index, 'rule'])
          })
          return found
        },
        (found) => found,
      ),
      [],
    ),
  },
  { example: '{ "exceptions": [{ "rule": "deprecated-operation", "reason": "…" }] }' },
)

/** Contents of a config file. */
interface Config {
  /** Options of `serve` that are checked but not parsed yet. */
  readonly options: Readonly<Record<string, unknown>>
  /** Exceptions from the audit. */
  readonly exceptions: readonly Exception[]
}

/**
 * Reads the named config file, or else the default one if it exists.
 *
 * @param named File from `--config` or the environment.
 * @throws {@link CliError} with the place in the file.
 */
export async function readConfigFile(named: string | undefined): Promise<Config> {
  if (named === undefined && !existsSync(defaultConfigFile)) return { options: {}, exceptions: [] }
  const file = named ?? defaultConfigFile
  const schema = { parse: (found: unknown) => configIn(found, dirname(file)) }
  return await readJsonFile(file, (value) => readInput(schema, value))
}

/** Part of a config file that isn't an option of `serve`: the settings of the audit. */
const auditName = 'audit'

const { config: _, ...properties } = serveOptions.properties

const names = namesOf(properties)

/** Name of the option `gap` in a config file, where it is a list or an object, as in TypeScript. */
export const gapsName = 'gaps'

const allNames = [...names.map((name) => (name === 'gap' ? gapsName : name)), auditName]

/** @param folder Base of relative paths in the file. */
function configIn(found: unknown, folder: string): Config {
  if (!isRecord(found)) return rejectValue(found, 'an object such as { "port": 0 }')
  const described = describeEach(properties)
  const values = new Map<string, unknown>()
  const { [auditName]: audit = {}, ...options } = found
  const { exceptions } = readPart(auditName, () => auditSettings.parse(audit))
  for (const [spelt, value] of Object.entries(options)) {
    const name = nameOf(spelt)
    if (values.has(name)) throw new ValidationError(`${name} is set twice; set it once`, [spelt])
    readPart(spelt, () => properties[name].parse(value))
    const isPath = described[name]?.format === 'path'
    values.set(name, isPath ? resolve(folder, String(value)) : value)
  }
  return { options: Object.fromEntries(values), exceptions }
}

/** Returns the name of an option, which may also be written in camel case. */
function nameOf(spelt: string): (typeof names)[number] {
  const dashed = spelt.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const name = dashed === gapsName ? 'gap' : names.find((one) => one === dashed && one !== 'gap')
  if (name !== undefined) return name
  const hint = suggestion(nearest(dashed, allNames)) ?? `use ${allNames.join(', ')}`
  throw new ValidationError(`unknown option; ${hint}`, [spelt])
}
