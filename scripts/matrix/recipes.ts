import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findBrowser } from '../browsers.ts'
import { demand } from './command.ts'
import { createProject, root } from './projects.ts'

/** A sample of the documents that needs packages which nothing else here does. */
interface Recipe {
  readonly name: string
  readonly packages: readonly string[]
  /** Its files by name, made of the samples of the documents. */
  readonly files: Readonly<Record<string, () => string>>
  /** A program in the project's `node_modules`, and its words. */
  readonly command: readonly [string, ...string[]]
}

function sample(file: string): string {
  const [path = file] = globSync(`test/*/readme/${file}`, { cwd: root })
  return readFileSync(join(root, path), 'utf8')
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run'] as const

const jest = 'node_modules/jest/bin/jest.js'

/** Jest as it is, with ES modules: Node 24.9 or newer. */
function jestOfModules(msw: string): Recipe {
  return {
    name: `Jest with ES modules beside MSW ${msw}`,
    packages: ['jest@30', `msw@${msw}`],
    files: { 'pets.test.js': () => sample('jest-sample.js') },
    command: ['--experimental-vm-modules', jest],
  }
}

/** Jest with CommonJS, into which the listed packages are transformed. */
const jestOfCommonJs: Recipe = {
  name: 'Jest with CommonJS beside MSW 2',
  packages: ['jest@30', '@swc/jest', '@swc/core', 'msw@2'],
  files: {
    'jest.config.cjs': () => sample('jest.config.js'),
    'pets.test.js': () => sample('jest-sample.js'),
    'msw.test.js': () => forJest(sample('msw.test.ts')),
  },
  command: [jest],
}

/** Puts a file of Jest's into the environment that has a page. */
const inPage = (text: string): string => `/** @jest-environment jest-fixed-jsdom */\n${text}`

/** Makes a sample that Vitest runs one for Jest. */
const forJest = (text: string): string =>
  text
    .replace(
      "import { test } from 'petstore-sandbox/vitest'",
      "import { withSandbox } from 'petstore-sandbox/jest'",
    )
    .replace(
      "import { expect } from 'vitest'",
      "import { expect, test as jestTest } from '@jest/globals'",
    )
    .replace("'vitest'", "'@jest/globals'")
    .replace("test.override('apiUrl', ", 'const test = withSandbox(jestTest).override({ apiUrl: ')
    .replace("/v1')", "/v1' })")

/** Jest with a page: what needs MSW, and what needs nothing. */
const pageFiles = {
  'pets.test.js': () => inPage(sample('jest-sample.js')),
  'fetch.test.js': () => inPage(forJest(sample('fetch.test.ts'))),
  'dom.test.js': () => inPage(forJest(sample('dom.ts').replace(/^.*\n/, ''))),
}

/** A host that speaks Fetch, and the program that runs it, with its words. */
function host(name: string, packages: readonly string[], ...run: readonly string[]): Recipe {
  return {
    name: `hosts that speak Fetch: ${name}`,
    packages,
    files: {
      'serve.js': () => sample('hosts/serve.js'),
      'try.js': () => sample('hosts/try.js'),
    },
    command: ['try.js', name, ...run],
  }
}

const hono = ['hono@4', '@hono/node-server']
const bun = 'node_modules/.bin/bun'

/** The samples of the documents that only this checks, as printed. */
export const recipes: readonly Recipe[] = [
  {
    name: 'jsdom',
    packages: ['vitest@5', 'msw@3', 'jsdom'],
    files: { 'dom.test.ts': () => sample('dom.ts') },
    command: vitest,
  },
  {
    name: 'happy-dom',
    packages: ['vitest@5', 'msw@3', 'happy-dom'],
    files: { 'dom.test.ts': () => sample('dom.ts').replace('jsdom', 'happy-dom') },
    command: vitest,
  },
  jestOfModules('2'),
  jestOfModules('3'),
  jestOfCommonJs,
  {
    name: 'Jest with a page, and ES modules',
    packages: ['jest@30', 'jest-fixed-jsdom', 'msw@3'],
    files: pageFiles,
    command: ['--experimental-vm-modules', jest],
  },
  {
    name: 'Jest with a page, and CommonJS',
    packages: ['jest@30', 'jest-fixed-jsdom', '@swc/jest', '@swc/core', 'msw@2'],
    files: { 'jest.config.cjs': () => sample('jest.config.js'), ...pageFiles },
    command: [jest],
  },
  {
    name: 'Storybook',
    packages: [
      'storybook@10',
      '@storybook/html-vite@10',
      'msw-storybook-addon@3',
      'msw@3',
      'vite@8',
      'playwright',
    ],
    files: {
      '.storybook/main.js': () => sample('storybook/main.js'),
      '.storybook/preview.js': () => sample('storybook/preview.js'),
      'pets.stories.js': () => sample('storybook/pets.stories.js'),
      'app.js': () => sample('storybook/app.js'),
      'try.js': () => sample('storybook/try.js'),
    },
    command: ['try.js', findBrowser('chromium') ?? ''],
  },
  host('hono', hono, process.execPath),
  host('hono-on-bun', [...hono, 'bun@1'], bun),
  host('bun', ['bun@1'], bun),
  host('deno', ['deno@2'], 'node_modules/.bin/deno', 'run', '--allow-all'),
]

/** Runs a recipe in a project of its own. */
export async function runRecipe(
  { packages, files, command }: Recipe,
  folder: string,
  tarball: string,
): Promise<void> {
  await createProject(folder, [tarball, ...packages])
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text())
  }
  await demand([process.execPath, ...command], { cwd: folder })
}
