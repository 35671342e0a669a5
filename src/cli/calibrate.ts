import { existsSync } from 'node:fs'
import { applyEdits, type ModificationOptions, modify } from 'jsonc-parser'
import { isSafe } from '../checks/calibrate/ask-for.ts'
import {
  type CalibratedGap,
  type Calibration,
  calibrate,
  matchesSpec,
} from '../checks/calibrate/calibrate.ts'
import { shownValues } from '../checks/calibrate/evidence.ts'
import { expectArchive } from '../checks/calibrate/read-archives.ts'
import { groupOf, type Report, type ReportItem } from '../checks/reports/report.ts'
import { countText } from '../checks/reports/text.ts'
import {
  defaultGaps,
  formatValue,
  type GapName,
  gapNames,
  gapSettings,
  gaps,
} from '../mock/api/gaps.ts'
import { isRecord, namesOf } from '../mock/input/record.ts'
import type { Output } from '../mock/input/schema.ts'
import { CliError } from './cli-error.ts'
import { expectPlace, readBytes, readJsonFile, writeFile } from './files.ts'
import { readSettings } from './option-schemas.ts'
import type { calibrateOptions } from './options.ts'
import { gapsName, readConfigFile } from './serve/config-file.ts'
import { report } from './terminal.ts'
import { writeReports } from './write-reports.ts'

/**
 * Reports a service's gap values and its differences from the spec, and adds the values to a config file with
 * `--write`.
 *
 * @returns The exit code: 0 if the service matches the spec or the baseline, else 4.
 * @throws {@link CliError} for files that can't be read, and if there are no responses to check.
 */
export async function calibrateFiles(
  files: readonly string[],
  options: Output<typeof calibrateOptions>,
  stdout: NodeJS.WritableStream,
): Promise<number> {
  const archives: unknown[] = []
  for (const file of files) archives.push(await readJsonFile(file, expectArchive))
  const { baseline: earlier } = options
  const baseline = earlier === undefined ? undefined : await readJsonFile(earlier, (found) => found)
  const found = calibrate(archives, { baseUrl: options['base-url'], baseline })
  const { write } = options
  const edited = write === undefined ? undefined : await editedConfig(write, found)
  writeReports(calibrationReport(found), options, stdout, process.env)
  if (found.requests.checked === 0) {
    const where = found.baseUrl === null ? 'to /v1/pets; use --base-url' : `under ${found.baseUrl}`
    throw new CliError(
      `Cannot compare the service: the HAR files have no response to a request ${where}`,
      5,
    )
  }
  if (edited !== undefined) writeChoices(edited)
  return matchesSpec(found) ? 0 : 4
}

/** Config file with the confirmed values. */
interface Edited {
  readonly file: string
  readonly text: string
  /** Number of gaps that are set or removed. */
  readonly changes: number
}

/** Writes a config file if anything in it changes, and reports that. */
function writeChoices({ file, text, changes }: Edited): void {
  if (changes === 0) {
    report(`Nothing to write to ${file}: no confirmed value differs from it`)
    return
  }
  asUsage(() => writeFile(file, text, 0o666))
  report(`Wrote ${countText(changes, 'value')} to ${file}`)
}

/** Writes to a file of `--write`: one that can't be written is wrong usage. */
function asUsage(write: () => void): void {
  try {
    write()
  } catch (error) {
    throw error instanceof CliError ? new CliError(error.message, 2) : error
  }
}

const layout: ModificationOptions = {
  formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' },
}

/** Adds the confirmed values to the text of a config file; everything else in it stays. */
async function editedConfig(file: string, found: Calibration): Promise<Edited> {
  const isNew = !existsSync(file)
  asUsage(() => expectPlace(file))
  const bytes = isNew ? '{}\n' : await readBytes(file)
  const text = String(bytes).replace(/^\ufeff/, '')
  const { gap } = isNew ? {} : (await readConfigFile(file)).options
  const isPlain = gap === undefined || isRecord(gap)
  // Replaces `name=value` words by their values.
  const words = isPlain ? undefined : readSettings(gapSettings, [gap].flat(), 'banAfter=3')
  let edited =
    words === undefined ? text : applyEdits(text, modify(text, [gapsName], words, layout))
  if (gap === undefined) edited = applyEdits(edited, modify(edited, [gapsName], {}, layout))
  const known: unknown = words ?? gap
  let changes = 0
  for (const name of gapNames) {
    const { result, values } = found.gaps[name]
    const [choice] = values
    if (result !== 'confirmed' || choice === undefined) continue
    const isDefault = choice === defaultChoice(name)
    if (isDefault && !(isRecord(known) && Object.hasOwn(known, name))) continue
    const value = isDefault ? undefined : configValue(name, choice)
    if (isRecord(known) && known[name] === value && value !== undefined) continue
    changes += 1
    edited = applyEdits(edited, modify(edited, [gapsName, name], value, layout))
  }
  return { file, text: edited.endsWith('\n') ? edited : `${edited}\n`, changes }
}

/** Returns a value in the form of config files: a number if possible. */
function configValue(name: GapName, choice: string): string | number {
  const gap = gaps[name]
  const isNumber =
    gap.kind === 'count' ||
    (gap.kind === 'enum' && gap.values.some((one) => typeof one === 'number'))
  return isNumber && /^\d+$/.test(choice) ? Number(choice) : choice
}

/** Writes the report on a service: first the problems, then the values, then the requests that would show more. */
function calibrationReport(found: Calibration): Report {
  const { requests, baseUrl, unexplained, changes = [] } = found
  const confirmed = gapNames.filter((name) => found.gaps[name].result === 'confirmed')
  const contradicted = gapNames.filter((name) => found.gaps[name].result === 'contradicted')
  const broken = namesOf(found.clauses).filter((name) => found.clauses[name].result === 'broken')
  const wrong = [
    { count: broken.length, what: 'broken clause' },
    { count: contradicted.length, what: 'contradicted gap' },
    { count: unexplained.length, what: 'unexplained request' },
    { count: changes.length, what: 'change' },
  ].filter(({ count }) => count > 0)
  const wrongText = wrong.map(({ count, what }) => countText(count, what)).join(', ')
  const changed = changes.map((text, index) => item(`${index + 1}`, 'error', 'changed', text))
  const odd = unexplained.map(({ request, problem }) =>
    item(`request ${request}`, 'error', 'unexplained', problem),
  )
  const brokenItems = broken.map((name) => brokenItem(name, found))
  const groups = [
    groupOf('Changes', changed),
    groupOf('Clauses', brokenItems),
    groupOf('Unexplained', odd),
    groupOf('Values', gapItems(found, ['contradicted', 'confirmed', 'narrowed'])),
    groupOf('Not seen', gapItems(found, ['not-seen'])),
  ]
  return {
    title: 'Calibration',
    summary: `${wrongText || 'nothing wrong'}; ${confirmed.length} of ${gapNames.length} values confirmed by ${countText(requests.checked, 'request')} to ${baseUrl ?? 'no API'} (of ${requests.read} in the HAR files)`,
    layout: 'card',
    groups: groups.filter(({ items }) => items.length > 0),
    json: found,
  }
}

function item(name: string, level: ReportItem['level'], state: string, text: string): ReportItem {
  return { name, level, state, text }
}

function brokenItem(name: keyof Calibration['clauses'], { clauses }: Calibration): ReportItem {
  const { problems } = clauses[name]
  const [first, ...rest] = problems
  const more = rest.length === 0 ? '' : `, and ${rest.length} more`
  return item(name, 'error', 'broken', `request ${first?.request}: ${first?.problem}${more}`)
}

const levels = {
  contradicted: 'error',
  confirmed: 'ok',
  narrowed: 'info',
  'not-seen': 'info',
} as const

/** Lists the gaps with these results in order; suggested requests that change nothing come first. */
function gapItems(
  { gaps: found }: Calibration,
  results: readonly CalibratedGap['result'][],
): ReportItem[] {
  const shown = results.flatMap((result) => {
    const names = gapNames.filter((name) => found[name].result === result)
    const isUnsafe = (name: GapName): boolean => !isSafe(found[name].ask ?? '')
    return names.toSorted((one, other) => Number(isUnsafe(one)) - Number(isUnsafe(other)))
  })
  return shown.map((name) => {
    const { result, ask = '' } = found[name]
    return { ...item(name, levels[result], result, textOf(name, found[name])), code: ask }
  })
}

function textOf(name: GapName, { result, values, requests, ask }: CalibratedGap): string {
  switch (result) {
    case 'contradicted':
      return `no value fits ${placesOf(requests)}`
    case 'confirmed':
      return `${values[0]}${values[0] === defaultChoice(name) ? '' : ' (not the default)'}`
    case 'narrowed':
      return shownValues(name, values)
    case 'not-seen':
      return `spec ${gaps[name].spec}${ask === undefined ? "; traffic can't show it" : ''}`
  }
}

function defaultChoice(name: GapName): string {
  return String(formatValue(name, defaultGaps[name]))
}

function placesOf(requests: readonly number[]): string {
  const shown = requests.slice(0, 5).join(', ')
  return `requests ${shown}${requests.length > 5 ? ` and ${requests.length - 5} more` : ''}`
}
