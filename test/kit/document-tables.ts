import { ruleNames, rules } from '../../src/checks/audit/rules.ts'
import { prettyReport } from '../../src/checks/reports/pretty.ts'
import { checkLine } from '../../src/cli/check/check.ts'
import { checkReport } from '../../src/cli/check/check-report.ts'
import { type ConditionName, conditionNames, conditions } from '../../src/cli/check/conditions.ts'
import { itemsOf } from '../../src/cli/check/items.ts'
import { acceptedFindings } from '../../src/cli/findings.ts'
import { type CheckName, checkOptions, remoteOptions } from '../../src/cli/options.ts'
import { processLimits, serveOptions } from '../../src/cli/serve/serve-options.ts'
import { describeEach } from '../../src/cli/yargs-options.ts'
import { gapDescriptions, gapNames, gaps, valuesText } from '../../src/mock/api/gaps.ts'
import { faultKinds } from '../../src/mock/faults/fault-rules.ts'
import { object, type Properties } from '../../src/mock/input/object.ts'
import { component } from '../../src/mock/input/schema.ts'
import { durationFrom } from '../../src/mock/input/values.ts'
import { sharedLimits } from '../../src/mock/log/shared-memory.ts'
import { scenarios } from '../../src/sandbox/controls/scenarios.ts'
import { frozenSandbox } from './frozen-sandbox.ts'
import { knownCommands } from './known-commands.ts'
import { codeBlock, inCode, table } from './markdown.ts'
import { requestOf } from './send.ts'

/** The gaps of a clause, with their choices. */
export function gapList(clause: string): string {
  return gapNames
    .filter((name) => gaps[name].spec === clause)
    .map(
      (name) => `- ${inCode(name)} (${valuesText(gaps[name])}): ${gapDescriptions[name].summary}`,
    )
    .join('\n')
}

/** The rules of the audit, each under a heading; what `document` says beside what is found and the fix stays. */
export function ruleSections(document: string): string {
  const parts = ruleNames.map((name) => {
    const { severity, summary, advice } = rules[name]
    const [, section = ''] =
      new RegExp(`^### ${name}\n\n([\\s\\S]*?)(?=\n\n(?:#|<!--))`, 'm').exec(document) ?? []
    const [why, ...others] = section
      .split(/\n(?=- )/)
      .filter((row) => row !== '' && !/^- \*\*(?:What|Fix)\*\*/.test(row))
    const rows = [`- **What** (${severity}): ${summary}`, why, `- **Fix**: ${advice}`, ...others]
    return `### ${name}\n\n${rows.filter((row) => row !== undefined).join('\n')}`
  })
  return parts.join('\n\n')
}

/** The ready-made situations. */
export function scenarioTable(): string {
  const rows = Object.entries(scenarios).map(([name, { summary }]) => [inCode(name), summary])
  return table([['scenario', 'effect'], ...rows])
}

/** Options of `serve`, of all commands for a running sandbox, and of `check`; `help` prints those of the others. */
export function optionLists(): string {
  const shared = describeEach(serveOptions.properties)
  const groups: readonly (readonly [of: string, options: Properties])[] = [
    ['serve', serveOptions.properties],
    ['commands for a running sandbox', remoteOptions.properties],
    ['check', checkOptions.properties],
  ]
  return groups
    .map(([of, options]) => {
      const rows = Object.entries(describeEach(options))
        .filter(([name, own]) => of === 'serve' || shared[name]?.description !== own.description)
        .map(([name, { description }]) => `- ${inCode(`--${name}`)}: ${String(description)}`)
      return `**${of}**\n\n${rows.join('\n')}`
    })
    .join('\n\n')
}

/** All limits that can be set, with their defaults. */
export function limitList(): string {
  const all = { ...sharedLimits.properties, ...processLimits.properties }
  return Object.entries(describeEach(all))
    .map(
      ([name, json]) => `- ${inCode(name)} (${String(json.default)}): ${String(json.description)}`,
    )
    .join('\n')
}

/** The kinds of fault, with the settings that each has of its own. */
export function faultTable(): string {
  const shared = sharedFaultSettings()
  const waitText = valueText(durationFrom(0, 86_400_000).jsonSchema() as SettingSchema)
  const rows = Object.entries(faultKinds).map(([name, { properties, ...kind }]) => {
    const { schema } = kind.jsonSchema()[component] as { schema: { description: string } }
    const described = object(properties).jsonSchema().properties as Settings
    const settings = Object.entries(described)
      .filter(([setting]) => setting !== 'fault' && !shared.includes(setting))
      .map(([setting, schema]) => `${inCode(setting)}: ${valueText(schema)}`)
      // The document says once how to write one.
      .map((text) => text.replace(waitText, 'a duration'))
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

/** All commands, with the names of those within them. */
export function commandList(): string {
  const rows = knownCommands.map(({ name, usage, describe, commands }) => {
    const names = commands.map((one) => inCode(one.name.slice(name.length + 1)))
    const text = names.length === 0 ? describe : `${describe}: ${names.join(', ')}`
    return `- ${inCode(usage)}: ${text}`
  })
  return rows.join('\n')
}

/** A report on a client with bad manners, as a document shows it. */
export async function sampleCheck(): Promise<string> {
  const sandbox = frozenSandbox({ coverage: true })
  const url = '/v1/pets?limit=100&api_key=pro-key'
  await sandbox.handle(requestOf({ url, key: 'pro-key' }))
  await sandbox.handle(requestOf({ url: '/v1/pets/1', key: 'pro-key' }))
  const options = { exceptions: [], failOn: 'error' } as const
  const findingsResult = acceptedFindings(await sandbox.findings(), options, 0)
  const coverage = await sandbox.coverage()
  const report = checkReport({
    ...{ findingsResult, coverage, exercised: coverage, minCoverage: undefined },
    ...{ conditions: [], assumptions: undefined, stale: [], hasBaseline: false, failOn: 'error' },
    items: itemsOf({ ...findingsResult, first: [], conditions: [], assumptions: undefined }, []),
    first: { passed: true, code: 0, failure: '' },
    ...{ problem: undefined, conditionsNote: undefined, runs: 1, time: '4s', tests: 0 },
    ...{ requests: 2, isInterrupted: false, isWhole: false },
    commandFor: (names) =>
      checkLine(
        {
          given: {},
          words: ['npm', 'test'],
          options: { jobs: undefined, junit: undefined, timeout: undefined },
        },
        names,
      ),
  })
  return codeBlock('', prettyReport(report))
}

/** The checks that are no failure conditions. */
const sideChecks: Readonly<Record<Exclude<CheckName, ConditionName>, string>> = {
  baseline: 'Nothing fails: the findings of the first run.',
  assumptions: 'Gaps have other values: hidden assumptions.',
}

/** The checks, as a document shows them. */
export function checkList(): string {
  const rows = conditionNames.map((name) => {
    const { description, per } = conditions[name]
    return [name, per === 'operation' ? `For each operation: ${description}` : description]
  })
  return [...rows, ...Object.entries(sideChecks)]
    .map(([name = '', text]) => `- ${inCode(name)}: ${text}`)
    .join('\n')
}
