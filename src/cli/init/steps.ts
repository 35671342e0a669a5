import { readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { isFile } from '../files.ts'
import { withPlugin, withStart } from './edit-source.ts'
import { type Project, testFolderOf } from './project.ts'
import {
  jestConfig,
  jestJsonLines,
  jestLines,
  jestTest,
  mocksModule,
  nodeTest,
  playwrightTest,
  pytestFixture,
  pytestTest,
  startLines,
  viteConfig,
  viteImport,
  vitePlugin,
  vitestTest,
} from './templates.ts'

/** Change that `init` would make to a file. */
export type PlanStep = { readonly file: string } & (
  | { readonly kind: 'write'; readonly text: string }
  /** Replaces the text; the other lines stay. */
  | { readonly kind: 'edit'; readonly before: string; readonly text: string }
  /** Leaves the file to the user, who adds the lines. */
  | { readonly kind: 'add'; readonly lines: readonly string[]; readonly where: string }
  /** Leaves a file as it is, which exists or is done already. */
  | { readonly kind: 'keep' }
)

/** Changes that `init` would make in a project, and the commands to type afterwards. */
export interface Plan {
  readonly steps: readonly PlanStep[]
  readonly next: readonly string[]
}

/** Plans the steps for a project; writes nothing. */
export function planSteps(project: Project): Plan {
  const { dependencies, isModule, main, hasPytest, manager } = project
  const isPage = dependencies.has('vite') && main !== undefined
  const test = isModule === undefined ? undefined : firstTest(project)
  const needed = ['petstore-sandbox', ...(isPage ? ['msw'] : []), ...(test?.needs ?? [])]
  // A package may be named with the version that it needs.
  const missing = [...new Set(needed)].filter(
    (one) => !dependencies.has(one.replace(/(.)@.*/, '$1')),
  )
  return {
    steps: [
      ...(isPage ? pageSteps(project, main) : []),
      ...(test?.steps ?? []),
      ...(hasPytest ? pytestSteps(project) : []),
    ],
    next: [
      ...(isModule === undefined || missing.length === 0
        ? []
        : [`${manager.install} ${missing.join(' ')}`]),
      ...(isPage ? [`${manager.run} dev`] : []),
      ...(test === undefined ? [] : [test.run]),
      ...(hasPytest ? [`${manager.exec} petstore-sandbox exec -- pytest`] : []),
    ],
  }
}

function pageSteps(project: Project, main: string): readonly PlanStep[] {
  const language = /\.tsx?$/.test(main) ? 'ts' : 'js'
  const mocks = join(dirname(main), `mocks.${language}`)
  return [
    newFile(project, mocks, mocksModule(language)),
    mainStep(project, main, mocks),
    viteStep(project, language),
  ]
}

function mainStep(project: Project, main: string, mocks: string): PlanStep {
  const before = textOf(project, main)
  if (before.includes('startMocks')) return { kind: 'keep', file: main }
  // TypeScript rejects the ending `.ts` unless a setting allows it, which the module's own imports show.
  const hasEndings = /\bfrom\s*['"]\.[^'"\n]*\.tsx?['"]/.test(before)
  const name = basename(mocks)
  const from = `./${name.endsWith('.js') || hasEndings ? name : basename(name, extname(name))}`
  const isOurs =
    !isFile(join(project.folder, mocks)) || textOf(project, mocks).includes('startMocks')
  const text = isOurs ? withStart(before, from) : undefined
  if (text !== undefined) return { kind: 'edit', file: main, before, text }
  return { kind: 'add', file: main, lines: startLines(from), where: 'before it renders' }
}

function viteStep(project: Project, language: 'ts' | 'js'): PlanStep {
  const { viteConfig: file, isModule } = project
  if (file === undefined) {
    const end = language === 'js' && isModule !== true ? 'mjs' : language
    return newFile(project, `vite.config.${end}`, viteConfig)
  }
  const before = textOf(project, file)
  if (before.includes('petstore-sandbox/vite')) return { kind: 'keep', file }
  const text = /\.c[jt]s$/.test(file) ? undefined : withPlugin(before)
  if (text !== undefined) return { kind: 'edit', file, before, text }
  const lines = [viteImport, `plugins: [${vitePlugin}, …]`]
  return { kind: 'add', file, lines, where: 'the import and the plugin' }
}

/** A first test, the packages that it needs, and the command that runs it. */
interface FirstTest {
  readonly steps: readonly PlanStep[]
  readonly needs: readonly string[]
  readonly run: string
}

function firstTest(project: Project): FirstTest {
  const { dependencies, isModule, manager } = project
  const folder = testFolderOf(project, ['test', 'tests', '__tests__'])
  if (dependencies.has('vitest')) {
    const file = `petstore.test.${dependencies.has('typescript') ? 'ts' : 'js'}`
    return {
      steps: [newFile(project, join(folder, file), vitestTest)],
      needs: ['msw'],
      run: `${manager.exec} vitest run`,
    }
  }
  if (dependencies.has('jest')) {
    const test = newFile(project, join(folder, 'petstore.test.js'), jestTest)
    // MSW 3 needs a newer Node for Jest than for itself.
    const needs = ['@jest/globals', 'msw@2']
    if (isModule === true) {
      const run = `NODE_OPTIONS=--experimental-vm-modules ${manager.exec} jest`
      return { steps: [test], needs, run }
    }
    return {
      steps: [test, jestStep(project)],
      needs: ['@jest/globals', '@swc/core', '@swc/jest', 'msw@2'],
      run: `${manager.exec} jest`,
    }
  }
  if (dependencies.has('@playwright/test')) {
    const file = `petstore.spec.${dependencies.has('typescript') ? 'ts' : 'js'}`
    const place = testFolderOf(project, ['tests', 'e2e', 'test'])
    return {
      steps: [newFile(project, join(place, file), playwrightTest)],
      needs: [],
      run: `${manager.exec} playwright test`,
    }
  }
  return {
    steps: [newFile(project, join(folder, 'petstore.test.mjs'), nodeTest)],
    needs: [],
    run: 'node --test',
  }
}

function jestStep(project: Project): PlanStep {
  const { jestConfig: file } = project
  const transformer = transformerOf(project)
  if (file === undefined) {
    return { kind: 'write', file: 'jest.config.js', text: jestConfig(jestLines(transformer)) }
  }
  if (textOf(project, file).includes('petstore-sandbox/jest')) return { kind: 'keep', file }
  const lines = file.endsWith('.json') ? jestJsonLines(transformer) : jestLines(transformer)
  const place = file === 'package.json' ? 'under "jest", ' : ''
  return { kind: 'add', file, lines, where: `${place}in place of a preset` }
}

/** Returns what transforms the project's own code, unless the preset does. */
function transformerOf({ dependencies, usesBabel }: Project): 'ts-jest' | 'babel-jest' | undefined {
  if (dependencies.has('ts-jest')) return 'ts-jest'
  return usesBabel ? 'babel-jest' : undefined
}

function pytestSteps(project: Project): readonly PlanStep[] {
  const folder = testFolderOf(project, ['tests', 'test'])
  return [
    newFile(project, join(folder, 'conftest.py'), pytestFixture),
    newFile(project, join(folder, 'test_petstore.py'), pytestTest),
  ]
}

function newFile({ folder }: Project, file: string, text: string): PlanStep {
  return isFile(join(folder, file)) ? { kind: 'keep', file } : { kind: 'write', file, text }
}

function textOf({ folder }: Project, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}
