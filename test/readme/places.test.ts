import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ruleNames } from '../../src/checks/audit/rules.ts'
import { conditionNames } from '../../src/cli/check/conditions.ts'
import { commands } from '../../src/cli/commands.ts'
import { serveOptions } from '../../src/cli/serve/serve-settings.ts'
import { routes } from '../../src/mock/controls/http/route-places.ts'
import { scenarios } from '../../src/mock/controls/scenarios.ts'
import { faultKinds } from '../../src/mock/faults/fault-rules.ts'
import { namesOf } from '../../src/mock/input/record.ts'
import { gapNames } from '../../src/mock/spec/gaps.ts'

const optionNames = [serveOptions.properties, ...Object.values(commands).map((one) => one.options)]
  .flatMap(Object.keys)
  .map((name) => `--${name}`)

/** What a document has a heading, an item of a list or a row of a table for, by its name. */
const places: readonly {
  readonly what: string
  readonly names: readonly string[]
  readonly document: string
}[] = [
  { what: 'gap', names: gapNames, document: 'docs/reference/api.md' },
  { what: 'rule', names: ruleNames, document: 'docs/reference/audit-rules.md' },
  { what: 'fault', names: namesOf(faultKinds), document: 'docs/guides/simulate-failures.md' },
  { what: 'scenario', names: namesOf(scenarios), document: 'docs/guides/simulate-failures.md' },
  { what: 'check', names: conditionNames, document: 'docs/guides/check-your-client.md' },
  { what: 'option', names: [...new Set(optionNames)], document: 'docs/reference/command-line.md' },
]

function textOf(document: string): string {
  return readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
}

/** The names in the heading, the item or the first cell of each place. */
function placesIn(document: string): string[] {
  return [...textOf(document).matchAll(/^(?:#+ |- |\| )`?(-*[\w-]+)`?(?=[ (]|$)/gm)].map(
    ([, name = '']) => name,
  )
}

/** Controls that have another name in TypeScript, or that only read what a property has there. */
const otherCalls: Readonly<Record<string, string>> = {
  'clock.update': 'advance',
  gaps: '`gaps`',
  rateLimits: '`rateLimits`',
  controlOpenapi: '/_sandbox/control.openapi.json',
  events: 'events()',
  health: '/health',
  index: '/_sandbox` lists all controls',
  openapi: '/_sandbox/openapi.json',
  scenarios: '`/scenarios`',
  'sandboxes.list': '`sandboxes`',
  'sandboxes.create': '`sandboxes`',
  'sandboxes.delete': '`sandboxes`',
}

describe.each(places)('each $what', ({ names, document }) => {
  it(`has its place in ${document}`, () => {
    const found = placesIn(document)
    expect(names.filter((name) => !found.includes(name))).toEqual([])
  })
})

describe('each command', () => {
  it('has its place in docs/reference/command-line.md', () => {
    const text = textOf('docs/reference/command-line.md')
    expect(Object.keys(commands).filter((name) => !text.includes(`\`${name}`))).toEqual([])
  })
})

describe('each control', () => {
  const text = textOf('docs/reference/control-api.md')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))

  it('has its place in docs/reference/control-api.md under its name in TypeScript', () => {
    const missing = namesOf(routes).filter((name) => {
      const [subject = '', method] = name.split('.')
      const other = otherCalls[name]
      if (other !== undefined) return !text.includes(other)
      if (method === undefined) return !rows.some((row) => row.includes(`\`${name}(`))
      return !rows.some((row) => row.startsWith(`| \`${subject}\``) && row.includes(`\`${method}(`))
    })
    expect(missing).toEqual([])
  })

  it('has its place in docs/reference/control-api.md under its path', () => {
    const paths = Object.values(routes).map(({ path }) => path)
    expect(paths.filter((path) => path !== '/' && !text.includes(path))).toEqual([])
  })
})
