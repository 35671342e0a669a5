import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ruleNames } from '../../src/checks/audit/rules.ts'
import { commands } from '../../src/cli/commands.ts'
import { checkNames } from '../../src/cli/options.ts'
import { serveOptions } from '../../src/cli/serve/serve-settings.ts'
import { routes } from '../../src/mock/controls/http/routes.ts'
import { scenarios } from '../../src/mock/controls/scenarios.ts'
import { faultKinds } from '../../src/mock/faults/fault-rules.ts'
import { namesOf } from '../../src/mock/input/record.ts'
import { gapNames } from '../../src/mock/spec/gaps.ts'

const optionNames = [serveOptions.properties, ...Object.values(commands).map((one) => one.options)]
  .flatMap(Object.keys)
  .map((name) => `--${name}`)

/** Names that users type, each with a heading, an item of a list or a row of a table in one document. */
const places: readonly { readonly what: string; readonly names: readonly string[] }[] = [
  { what: 'gap', names: gapNames },
  { what: 'rule', names: ruleNames },
  { what: 'fault', names: namesOf(faultKinds) },
  { what: 'scenario', names: namesOf(scenarios) },
  { what: 'check', names: checkNames },
  { what: 'option', names: [...new Set(optionNames)] },
]

const root = new URL('../../', import.meta.url)

/** All documents, wherever they are. */
const documents = globSync(['README.md', 'AGENTS.md', 'docs/**/*.md'], { cwd: root })
  .toSorted()
  .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))

/** The names in the heading, the item or the first cell of each place. */
function placesIn(text: string): string[] {
  return [...text.matchAll(/^(?:#+ |- |\| )`?(-*[\w-]+)`?(?=[ (]|$)/gm)].map(
    ([, name = '']) => name,
  )
}

/** The document about a kind of name is the one that lacks the fewest; returns its path and what it lacks. */
function fewestMissing<Name>(
  missingIn: (text: string) => readonly Name[],
): readonly [path: string, missing: readonly Name[]] {
  const [best] = documents
    .map(({ path, text }) => [path, missingIn(text)] as const)
    .toSorted(([, one], [, other]) => one.length - other.length)
  if (best === undefined) throw new Error('Cannot find a document')
  return best
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

describe.each(places)('each $what', ({ names }) => {
  it('has a place in one document', () => {
    const [path, missing] = fewestMissing((text) => {
      const found = placesIn(text)
      return names.filter((name) => !found.includes(name))
    })
    expect(missing, `they have no heading, item or row in ${path}`).toEqual([])
  })
})

/** All commands, and those with actions once for each action. */
const commandLines = Object.entries(commands).flatMap(([name, { actions }]) => [
  name,
  ...Object.keys(actions).map((action) => `${name} ${action}`),
])

describe('each command', () => {
  it('has a row in one document, with its actions', () => {
    const [path, missing] = fewestMissing((text) =>
      commandLines.filter((line) => {
        const [name, action] = line.split(' ')
        const rows = text.match(new RegExp(`^\\| \`${name}[ \`].*$`, 'gm')) ?? []
        return !rows.some((row) => action === undefined || row.includes(`\`${action}\``))
      }),
    )
    expect(missing, `they have no row in ${path}`).toEqual([])
  })
})

describe('each control', () => {
  it('has a row in one document under its name in TypeScript', () => {
    const [path, missing] = fewestMissing((text) => {
      const rows = text.split('\n').filter((line) => line.startsWith('| '))
      return namesOf(routes).filter((name) => {
        const [subject = '', method] = name.split('.')
        const other = otherCalls[name]
        if (other !== undefined) return !text.includes(other)
        if (method === undefined) return !rows.some((row) => row.includes(`\`${name}(`))
        return !rows.some(
          (row) => row.startsWith(`| \`${subject}\``) && row.includes(`\`${method}(`),
        )
      })
    })
    expect(missing, `they have no row in ${path}`).toEqual([])
  })

  it('is in one document under its path', () => {
    const paths = Object.values(routes).map((route) => route.path)
    const [path, missing] = fewestMissing((text) =>
      paths.filter((one) => one !== '/' && !text.includes(one)),
    )
    expect(missing, `they aren't in ${path}`).toEqual([])
  })
})
