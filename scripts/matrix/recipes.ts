import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demand } from './command.ts'
import { createProject, installInto, root } from './projects.ts'

/** A sample of the documents that needs packages which nothing else here does. */
interface Recipe {
  readonly name: string
  readonly packages: readonly string[]
  /** Its files by name, made of those in `test/readme/`. */
  readonly files: Readonly<Record<string, () => string>>
  /** A program in the project's `node_modules`, and its words. */
  readonly command: readonly [string, ...string[]]
}

const sample = (file: string): string => readFileSync(join(root, 'test/readme', file), 'utf8')

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
    'msw.test.js': () => sample('msw.test.ts').replace("'vitest'", "'@jest/globals'"),
  },
  command: [jest],
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
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text())
  await demand([process.execPath, ...command], { cwd: folder })
}

/** The examples that are run as their READMEs say, and by what. */
export const examples = [
  { name: 'vitest-msw', script: 'test' },
  { name: 'browser-msw', script: 'build' },
] as const

/** Copies an example out, installs it with the packed package, and runs it. */
export async function runExample(
  { name, script }: (typeof examples)[number],
  folder: string,
  tarball: string,
): Promise<void> {
  const source = join(root, 'examples', name)
  const filter = (path: string): boolean => !path.startsWith(join(source, 'node_modules'))
  cpSync(source, folder, { recursive: true, filter })
  await installInto(folder, [tarball])
  await demand(['npm', 'run', script], { cwd: folder })
}
