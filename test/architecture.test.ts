import { describe, expect, it } from 'vitest'
import { parseModule, readModules } from './architecture/module.ts'
import {
  exportsByName,
  isNamedAfterWhatItHolds,
  keepsPackagesInTheirPlace,
  keepsToItsLayer,
  readsNoOtherFiles,
  remembersNothing,
  usesOnlyWhatItsHostHas,
} from './architecture/rules.ts'

describe('src/', () => {
  const modules = readModules()

  it('is read', () => {
    expect(modules.length).toBeGreaterThan(30)
    expect(modules.flatMap(({ imports }) => imports).length).toBeGreaterThan(100)
  })

  it.each([
    { says: 'has layers that import only to the left', rule: keepsToItsLayer },
    { says: 'reads no file outside but fixtures and package.json', rule: readsNoOtherFiles },
    { says: 'has each package in its place', rule: keepsPackagesInTheirPlace },
    { says: 'runs in a browser, and reads time from the clock', rule: usesOnlyWhatItsHostHas },
    { says: 'has nothing that two sandboxes share', rule: remembersNothing },
    { says: 'has no default exports', rule: exportsByName },
    { says: 'has files named after what they hold', rule: isNamedAfterWhatItHolds },
  ])('$says', ({ rule }) => {
    expect(modules.flatMap(rule)).toEqual([])
  })
})

describe('the rules', () => {
  it.each([
    { rule: keepsToItsLayer, path: 'contract/a.ts', text: "import { A } from '../state/clock.ts'" },
    { rule: keepsToItsLayer, path: 'state/a.ts', text: "import type { A } from '../engine/b.ts'" },
    { rule: keepsToItsLayer, path: 'engine/a.ts', text: "export * from '../control/b.ts'" },
    { rule: keepsToItsLayer, path: 'engine/a.ts', text: "await import('../sandbox.ts')" },
    { rule: keepsToItsLayer, path: 'state/a.ts', text: "type A = import('../sandbox.ts').Sandbox" },
    { rule: keepsToItsLayer, path: 'adapters/a.ts', text: "import { A } from '../sandbox.ts'" },
    { rule: keepsToItsLayer, path: 'seed/a.ts', text: "import { A } from '../sandbox.ts'" },
    { rule: keepsToItsLayer, path: 'server/a.ts', text: "import { A } from '../seed/seed.ts'" },
    { rule: keepsToItsLayer, path: 'control/a.ts', text: "import { A } from '../seed/seed.ts'" },
    { rule: keepsToItsLayer, path: 'other/a.ts', text: '' },
    { rule: readsNoOtherFiles, path: 'contract/a.ts', text: "import a from '../../package.json'" },
    { rule: keepsPackagesInTheirPlace, path: 'state/a.ts', text: "import { A } from '@msw/data'" },
    { rule: keepsPackagesInTheirPlace, path: 'cli/a.ts', text: "await import('@faker-js/faker')" },
    { rule: keepsPackagesInTheirPlace, path: 'adapters/fetch.ts', text: "import 'msw/node'" },
    { rule: keepsPackagesInTheirPlace, path: 'seed/a.ts', text: "import 'node:fs'" },
    { rule: keepsPackagesInTheirPlace, path: 'cli/a.ts', text: "import 'left-pad'" },
    { rule: usesOnlyWhatItsHostHas, path: 'state/a.ts', text: 'const a = Buffer.from([])' },
    { rule: usesOnlyWhatItsHostHas, path: 'state/a.ts', text: 'globalThis.process.exit()' },
    { rule: usesOnlyWhatItsHostHas, path: 'state/a.ts', text: 'const a = { process }' },
    { rule: usesOnlyWhatItsHostHas, path: 'engine/a.ts', text: 'const a = Date.now()' },
    { rule: usesOnlyWhatItsHostHas, path: 'engine/a.ts', text: 'const a = new Date()' },
    { rule: usesOnlyWhatItsHostHas, path: 'control/a.ts', text: 'setTimeout(() => {}, 1)' },
    { rule: remembersNothing, path: 'state/a.ts', text: 'let a = 1' },
    { rule: remembersNothing, path: 'state/a.ts', text: 'export let a = 1' },
    { rule: remembersNothing, path: 'state/a.ts', text: 'const a = new Map()' },
    { rule: remembersNothing, path: 'state/a.ts', text: 'const a: Set<string> = new Set()' },
    { rule: remembersNothing, path: 'state/a.ts', text: 'const a: string[] = []' },
    { rule: remembersNothing, path: 'state/a.ts', text: 'const a: Record<string, string> = {}' },
    { rule: remembersNothing, path: 'state/a.ts', text: 'class A { static count = 0 }' },
    { rule: exportsByName, path: 'state/a.ts', text: 'export default class A {}' },
    { rule: exportsByName, path: 'state/a.ts', text: 'const a = 1\nexport { a as default }' },
    { rule: isNamedAfterWhatItHolds, path: 'contract/types.ts', text: '' },
    { rule: isNamedAfterWhatItHolds, path: 'state/utils/a.ts', text: '' },
    { rule: isNamedAfterWhatItHolds, path: 'state/sortedList.ts', text: '' },
  ])('refuse src/$path with: $text', ({ rule, path, text }) => {
    expect(rule(parseModule(`src/${path}`, text))).toHaveLength(1)
  })

  it.each([
    { path: 'adapters/a.ts', text: "import type { Sandbox } from '../sandbox.ts'" },
    { path: 'control/a.ts', text: "import type { Seed } from '../seed/seed.ts'" },
    { path: 'adapters/a.ts', text: "import { type Sandbox, type A } from '../sandbox.ts'" },
    { path: 'seed/a.ts', text: "import text from '../../fixtures/pets.json?raw'" },
    { path: 'cli/a.ts', text: "import yargs from 'yargs/helpers'" },
    { path: 'state/clock/clock.ts', text: 'const at = () => { let a = Date.now(); return a }' },
    { path: 'state/a.ts', text: 'const a = { process: 1 }\na.process' },
    { path: 'state/a.ts', text: 'const a: ReadonlySet<string> = new Set()' },
    { path: 'state/a.ts', text: 'const a: readonly string[] = []' },
    { path: 'state/a.ts', text: 'class A { #count = 0; static readonly most = 5 }' },
    { path: 'state/a.ts', text: "// Date.now()\nconst a = 'setTimeout'" },
    { path: 'state/a.ts', text: 'const a = () => new Date(0)' },
  ])('let through src/$path with: $text', ({ path, text }) => {
    const all = [
      keepsToItsLayer,
      readsNoOtherFiles,
      keepsPackagesInTheirPlace,
      usesOnlyWhatItsHostHas,
      remembersNothing,
      exportsByName,
      isNamedAfterWhatItHolds,
    ]
    expect(all.flatMap((rule) => rule(parseModule(`src/${path}`, text)))).toEqual([])
  })
})
