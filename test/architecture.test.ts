import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { hasDoorsAsEntries, hasNoCircles } from './architecture/house-rules.ts'
import { type Module, parseModule, readModules } from './architecture/module.ts'
import {
  exportsByName,
  isNamedAfterWhatItHolds,
  keepsPackagesInTheirPlace,
  keepsToItsLayer,
  knowsNoDoor,
  provesItsTypes,
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
    { says: 'shares parts of doors, and no door', rule: knowsNoDoor },
    { says: 'asserts no type where a request is answered or a control done', rule: provesItsTypes },
  ])('$says', ({ rule }) => {
    expect(modules.flatMap(rule)).toEqual([])
  })

  it.each([
    { says: 'has no circle of imports, type imports included', rule: hasNoCircles },
    { says: 'has a door for each entry', rule: hasDoorsAsEntries(Object.keys(manifest.exports)) },
  ])('$says', ({ rule }) => {
    expect(rule(modules)).toEqual([])
  })
})

/** Makes modules of their texts, by path. */
function modulesOf(files: Readonly<Record<string, string>>): Module[] {
  return Object.entries(files).map(([path, text]) => parseModule(`src/${path}`, text))
}

/** Makes a number of files in a folder, each with the same text. */
function many(count: number, folder: string, text = ''): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${folder}/file-${index}.ts`, text]),
  )
}

describe('the rules', () => {
  it.each([
    { rule: keepsToItsLayer, path: 'contract/a.ts', text: "import { A } from '../state/keys.ts'" },
    { rule: keepsToItsLayer, path: 'input/a.ts', text: "import { A } from '../contract/pet.ts'" },
    { rule: keepsToItsLayer, path: 'faults/a.ts', text: "import { A } from '../state/keys.ts'" },
    { rule: keepsToItsLayer, path: 'client/a.ts', text: "import { A } from '../state/keys.ts'" },
    { rule: keepsToItsLayer, path: 'client/a.ts', text: "import { A } from '../sandbox.ts'" },
    { rule: keepsToItsLayer, path: 'adapters/a.ts', text: "import type { A } from '../cli/b.ts'" },
    {
      rule: keepsToItsLayer,
      path: 'adapters/a.ts',
      text: "import type { A } from '../engine/b.ts'",
    },
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
    { rule: knowsNoDoor, path: 'server/a.ts', text: "import { A } from '../adapters/fetch.ts'" },
    { rule: knowsNoDoor, path: 'adapters/parts/a.ts', text: "import '../fetch.ts'" },
    { rule: provesItsTypes, path: 'engine/a.ts', text: 'const a = b as string' },
    { rule: provesItsTypes, path: 'control/http/a.ts', text: 'const a = (b as unknown)[1]' },
    { rule: isNamedAfterWhatItHolds, path: 'contract/types.ts', text: '' },
    { rule: isNamedAfterWhatItHolds, path: 'state/utils/a.ts', text: '' },
    { rule: isNamedAfterWhatItHolds, path: 'state/sortedList.ts', text: '' },
  ])('refuse src/$path with: $text', ({ rule, path, text }) => {
    expect(rule(parseModule(`src/${path}`, text))).toHaveLength(1)
  })

  it.each([
    { path: 'adapters/a.ts', text: "import type { Sandbox } from '../sandbox.ts'" },
    { path: 'client/a.ts', text: "import { A } from '../control/http/a.ts'" },
    { path: 'adapters/a.ts', text: "import { A } from './parts/a.ts'\nimport './msw.ts'" },
    { path: 'server/a.ts', text: "import { A } from '../adapters/parts/a.ts'" },
    { path: 'engine/a.ts', text: 'const a = [1] as const\nconst b = a satisfies object' },
    { path: 'engine/a.ts', text: "import { a as b } from './b.ts'" },
    { path: 'adapters/a.ts', text: "import { type Sandbox, type A } from '../sandbox.ts'" },
    { path: 'seed/a.ts', text: "import text from '../../fixtures/pets.json?raw'" },
    { path: 'cli/a.ts', text: "import yargs from 'yargs/helpers'" },
    { path: 'state/clock.ts', text: 'const at = () => { let a = Date.now(); return a }' },
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
      knowsNoDoor,
      provesItsTypes,
    ]
    expect(all.flatMap((rule) => rule(parseModule(`src/${path}`, text)))).toEqual([])
  })

  it.each([
    {
      what: 'a circle of two',
      rule: hasNoCircles,
      files: { 'a/b.ts': "import { C } from './c.ts'", 'a/c.ts': "import { B } from './b.ts'" },
      says: 'src/a/b.ts imports src/a/c.ts imports src/a/b.ts',
    },
    {
      what: 'a circle of types, and of what is loaded later',
      rule: hasNoCircles,
      files: {
        'a.ts': "import type { B } from './b.ts'",
        'b.ts': "type C = import('./c.ts').C",
        'c.ts': "await import('./a.ts')",
      },
      says: 'src/a.ts imports src/b.ts imports src/c.ts imports src/a.ts',
    },
    {
      what: 'a file that imports itself',
      rule: hasNoCircles,
      files: { 'a.ts': "export * from './a.ts'" },
      says: 'src/a.ts imports src/a.ts',
    },
    {
      what: 'a part among the doors',
      rule: hasDoorsAsEntries(['.', './fetch']),
      files: { 'adapters/fetch.ts': '', 'adapters/answer.ts': '', 'adapters/parts/a.ts': '' },
      says: 'src/adapters/answer.ts is no entry of package.json: put it into parts/',
    },
  ])('refuse $what', ({ rule, files, says }) => {
    expect(rule(modulesOf(files)).at(-1)).toBe(says)
  })

  it('let through a house that has none of that', () => {
    const files = {
      'a.ts': "import type { B } from './b.ts'\nimport { C } from './c.ts'",
      'b.ts': "import { C } from './c.ts'",
      'c.ts': 'const a = b as C',
      ...many(12, 'state', 'const a = [1] as const'),
      'adapters/fetch.ts': '',
    }
    const all = [hasNoCircles, hasDoorsAsEntries(['./fetch'])]
    expect(all.flatMap((rule) => rule(modulesOf(files)))).toEqual([])
  })
})
