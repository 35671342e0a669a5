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

function jest(msw: string): Recipe {
  return {
    name: `Jest beside MSW ${msw}`,
    packages: ['jest@30', '@jest/globals@30', '@swc/jest', '@swc/core', `msw@${msw}`],
    files: {
      'jest.config.cjs': () => sample('jest.config.js'),
      'msw.test.ts': () => sample('msw.test.ts').replace("'vitest'", "'@jest/globals'"),
    },
    command: ['node_modules/jest/bin/jest.js'],
  }
}

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
  jest('2'),
  jest('3'),
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
