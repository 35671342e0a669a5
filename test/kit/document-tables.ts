import { ruleNames, rules } from '../../src/checks/audit/rules.ts'
import { prettyReport } from '../../src/checks/reports/pretty.ts'
import { auditReport, verdictOn } from '../../src/cli/audit.ts'
import { commands } from '../../src/cli/commands.ts'
import { coverageText } from '../../src/cli/coverage.ts'
import { checks, type RunCheckName, runCheckNames } from '../../src/cli/exam/checks.ts'
import { checksFor } from '../../src/cli/exam/exam.ts'
import { causesOf, examReport } from '../../src/cli/exam/exam-report.ts'
import { type DoneCheck, gradeChecks } from '../../src/cli/exam/grade.ts'
import { type CheckName, checkNames } from '../../src/cli/options.ts'
import { processLimits, serveOptions } from '../../src/cli/serve/serve-settings.ts'
import { describeEach } from '../../src/cli/settings.ts'
import { shellLine } from '../../src/cli/suite/session.ts'
import { scenarios } from '../../src/mock/controls/scenarios.ts'
import { faultKinds } from '../../src/mock/faults/fault-rules.ts'
import { object } from '../../src/mock/input/object.ts'
import { grouped } from '../../src/mock/input/record.ts'
import { component } from '../../src/mock/input/schema.ts'
import { sharedLimits } from '../../src/mock/log/byte-budget.ts'
import { createSandbox } from '../../src/mock/sandbox.ts'
import { choicesText, gapDescriptions, gapNames, gaps } from '../../src/mock/spec/gaps.ts'
import { runLine } from '../checks/coverage/run-line.ts'
import { differences } from './doors-cases.ts'
import { rudeSuite } from './exam-suites.ts'
import { frozenSandbox, startAt } from './frozen-sandbox.ts'
import { codeBlock, inCode, table } from './markdown.ts'
import { baselineRun, runCheck } from './run-check.ts'
import { requestOf, type TestRequest } from './send.ts'

/** The gaps of a clause, with their choices. */
export function gapList(clause: string): string {
  return gapNames
    .filter((name) => gaps[name].spec === clause)
    .map((name) => `- ${inCode(name)} (${choicesText(gaps[name])}): ${gapDescriptions[name].about}`)
    .join('\n')
}

/** The rules of the audit, each under a heading, with the notes that `document` has on it. */
export function ruleSections(document: string): string {
  const parts = ruleNames.map((name) => {
    const { severity, about } = rules[name]
    const [, notes = ''] =
      new RegExp(`^### ${name}\n\n.*\n\n((?!<!--|#)[\\s\\S]*?)\n\n(?=<!--|#)`, 'm').exec(
        document,
      ) ?? []
    return [`### ${name}`, `**${severity}**: ${about}`, ...(notes === '' ? [] : [notes])].join(
      '\n\n',
    )
  })
  return parts.join('\n\n')
}

/** The ready-made situations. */
export function scenarioTable(): string {
  const rows = Object.entries(scenarios).map(([name, { title, about }]) => [
    inCode(name),
    `${title}: ${about}`,
  ])
  return table([['scenario', 'effect'], ...rows])
}

/** All options, with the commands that have them; one that means two things has two rows. */
export function optionTable(): string {
  const own = Object.entries(commands).map(([name, { options }]) => [name, options] as const)
  const shared = serveOptions.properties
  const all = [['serve', shared] as const, ...own].flatMap(([name, options]) =>
    Object.entries(describeEach(options))
      .filter(([option]) => name === 'serve' || !Object.hasOwn(shared, option))
      .map(([option, { description }]) => ({
        of: name,
        cells: [inCode(`--${option}`), String(description).replace(/\.$/, '')],
      })),
  )
  const rows = [...grouped(all, ({ cells }) => cells.join('\n')).values()].map((alike) => [
    ...(alike[0]?.cells ?? []),
    alike.map(({ of }) => of).join(', '),
  ])
  return table([['option', 'meaning', 'of'], ...rows])
}

/** All limits, with how each is raised on the command line. */
export function limitTable(): string {
  const all = { ...sharedLimits.properties, ...processLimits.properties }
  const rows = Object.entries(describeEach(all)).map(([name, json]) => {
    const option = name === 'journalBytes' ? '--journal-bytes N' : `--limit ${name}=N`
    return [inCode(name), String(json.description), inCode(option), String(json.default)]
  })
  return table([['limit', 'what it limits', 'set with', 'default'], ...rows])
}

/** Where the doors differ. */
export function differenceTable(): string {
  const shortened = (doors: readonly string[]): string =>
    doors
      .join(', ')
      .replace('MSW in Node, MSW in jsdom, MSW in happy-dom, MSW in Chromium', 'all doors of MSW')
  const rows = differences.map(({ doors, difference }) => [shortened(doors), difference])
  return table([['door', 'what differs'], ...rows])
}

/** The kinds of fault, with the settings that each has of its own. */
export function faultTable(): string {
  const shared = sharedFaultSettings()
  const rows = Object.entries(faultKinds).map(([name, { properties, ...kind }]) => {
    const { schema } = kind.describe()[component] as { schema: { description: string } }
    const described = object(properties).describe().properties as Settings
    const settings = Object.entries(described)
      .filter(([setting]) => setting !== 'fault' && !shared.includes(setting))
      .map(([setting, schema]) => `${inCode(setting)}: ${valueText(schema)}`)
    return [inCode(name), schema.description, settings.join('; ')]
  })
  return table([['fault', 'what goes wrong', 'its settings'], ...rows])
}

/** The settings that all faults have, whatever their kind. */
export function sharedFaultSettings(): string[] {
  const [first = [], ...others] = Object.values(faultKinds).map(({ properties }) =>
    Object.keys(properties),
  )
  return first.filter((name) => name !== 'fault' && others.every((one) => one.includes(name)))
}

/** What JSON Schema can say of a setting of a fault. */
interface SettingSchema {
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SettingSchema[]
  readonly items?: SettingSchema
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

type Settings = Readonly<Record<string, SettingSchema>>

/** Says in words which values a setting takes. */
function valueText(schema: SettingSchema): string {
  const { description, enum: choices, minimum, maximum, anyOf, examples, items } = schema
  const byDefault = schema.default === undefined ? '' : `, ${String(schema.default)} by default`
  if (items !== undefined)
    return `an array of two, such as ${inCode(JSON.stringify(examples?.[0]))}`
  if (description !== undefined) return description.replace(/\.$/, '').replace(/^./, lowerCase)
  if (anyOf !== undefined) return anyOf.map(valueText).join(', or ')
  if (choices !== undefined)
    return choices.map((one) => inCode(String(one))).join(' or ') + byDefault
  return `from ${minimum} to ${maximum}${byDefault}`
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}

/** The commands without actions. */
export function commandTable(): string {
  const rows = Object.entries(commands)
    .filter(([, { actions }]) => Object.keys(actions).length === 0)
    .map(([name, { usage, about }]) => [inCode(`${name} ${usage}`.trimEnd()), about])
  return table([['command', 'what it does'], ...rows])
}

/** The beginning of a report on a client with bad manners, as a document shows it. */
export async function sampleAudit(): Promise<string> {
  const sandbox = frozenSandbox()
  const ask = async (request: TestRequest): Promise<void> => {
    await sandbox.handle(requestOf(request))
    sandbox.clock.advance('200ms')
  }
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  for (let tried = 0; tried < 3; tried++) await ask({})
  await ask({ url: '/v1/pets?limit=100&api_key=pro-key', key: 'pro-key' })
  await ask({ url: '/v1/pets/1', key: 'pro-key' })
  const settings = { exceptions: [], failOn: 'error' } as const
  const text = prettyReport(auditReport(verdictOn(await sandbox.audit(), settings, 0)))
  const twoFindings = text.split('\n\n').slice(0, 3).join('\n\n')
  return codeBlock('', `${twoFindings}\n…`)
}

/** What two tests of a small client cover. */
const tests = {
  'shop > lists the pets': ['await client().listPets()', "await client('old-key').listPets()"],
  'shop > adds a pet': [
    "await client().createPet({ name: 'Rex', categoryId: 1 })",
    "await client().createPet({ name: '' })",
    "await client('old-key').createPet({ name: 'Rex', categoryId: 1 })",
  ],
}

/** The beginning of a report on coverage, as a document shows it. */
export async function sampleCoverage(): Promise<string> {
  const sandbox = createSandbox({ coverage: true, clock: { now: startAt, mode: 'frozen' } })
  for (const [name, lines] of Object.entries(tests)) {
    sandbox.journal.mark({ kind: 'test-began', name })
    for (const line of lines) await runLine(sandbox, line)
  }
  const text = prettyReport(coverageText(await sandbox.coverage(), {}))
  const [beginning = ''] = text.split(/\n.*getPet 401/)
  return codeBlock('', `${beginning}\n…`)
}

/** The beginning of the report card of a client with bad manners, as a document shows it. */
export async function sampleExam(): Promise<string> {
  const baseline = await baselineRun(rudeSuite)
  const all = checksFor(checkNames, baseline)
  const done: DoneCheck[] = []
  // One after the other: together they would keep each other's clients waiting, which the report would tell of.
  for (const { name, operation } of all) done.push(await runCheck(rudeSuite, name, operation))
  const shown = {
    checks: gradeChecks(done, baseline),
    manners: baseline.findings.map(({ finding }) => finding),
    explored: undefined,
  }
  const report = examReport({
    ...shown,
    coverage: baseline.coverage,
    causes: causesOf(shown),
    runs: done.reduce((sum, { runs }) => sum + runs.length, 2),
    time: '41s',
    tests: 0,
    isInterrupted: false,
    isPartial: false,
    isWhole: false,
    commandFor: (names) =>
      shellLine('exam', { given: {}, words: ['npm', 'test'] }, ['--only', names.join(',')]),
  })
  const [beginning = ''] = prettyReport(report).split('\n\n  2. ')
  return codeBlock('', `${beginning}\n…`)
}

/** What is examined without a run for it alone. */
const sideChecks: Readonly<Record<Exclude<CheckName, RunCheckName>, string>> = {
  manners: 'What the audit finds when nothing goes wrong.',
  coverage: 'Which documented outcomes the suite covers by itself.',
  explore: 'Which choices at gaps the suite depends on; this takes many runs.',
}

/** The checks, as a document shows them. */
export function checkTable(): string {
  const rows = runCheckNames.map((name) => {
    const { about, per } = checks[name]
    return [inCode(name), per === 'operation' ? `For each operation: ${about}` : about]
  })
  const side = Object.entries(sideChecks).map(([name, about]) => [inCode(name), about])
  return table([['check', 'what happens'], ...rows, ...side])
}
