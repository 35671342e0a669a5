import { ruleNames, rules } from '../../src/audit/rules.ts'
import { processLimits } from '../../src/cli/serve/serve-settings.ts'
import { describeEach } from '../../src/cli/settings.ts'
import { choicesText, gapDescriptions, gapNames, gaps } from '../../src/contract/gaps.ts'
import { scenarios } from '../../src/control/scenarios.ts'
import { faultKinds } from '../../src/faults/fault-rules.ts'
import { object } from '../../src/input/object.ts'
import { component } from '../../src/input/schema.ts'
import { sharedLimits } from '../../src/state/limits.ts'
import { differences } from './doors-cases.ts'
import { inCode, table } from './markdown.ts'

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
