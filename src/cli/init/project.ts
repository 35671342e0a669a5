import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../mock/input/record.ts'
import { CliError } from '../cli-error.ts'
import { isFile, isFolder, readJsonFile } from '../files.ts'

/** Files and dependencies of a project, as far as `init` needs them. */
export interface Project {
  readonly folder: string
  readonly dependencies: ReadonlySet<string>
  /** Whether `package.json` has `"type": "module"`; `undefined` without a `package.json`. */
  readonly isModule: boolean | undefined
  /** Module that renders the page, such as `src/main.tsx`. */
  readonly main: string | undefined
  readonly viteConfig: string | undefined
  /** File with the configuration of Jest, which may be `package.json`. */
  readonly jestConfig: string | undefined
  readonly usesBabel: boolean
  readonly hasPytest: boolean
  readonly manager: Manager
}

/** Commands of a package manager. */
interface Manager {
  readonly install: string
  readonly run: string
  readonly exec: string
}

/** Package managers by their lock files; npm is the last one. */
const managers: Readonly<Record<string, Manager>> = {
  'pnpm-lock.yaml': { install: 'pnpm add --save-dev', run: 'pnpm', exec: 'pnpm exec' },
  'yarn.lock': { install: 'yarn add --dev', run: 'yarn', exec: 'yarn' },
  'bun.lock': { install: 'bun add --dev', run: 'bun run', exec: 'bunx' },
}

const npm: Manager = { install: 'npm install --save-dev', run: 'npm run', exec: 'npx' }

/**
 * Finds out what a project has.
 *
 * @throws {@link CliError} if the folder is no project, or its `package.json` can't be read.
 */
export async function readProject(folder: string): Promise<Project> {
  const manifest = await readManifest(join(folder, 'package.json'))
  const hasPytest = usesPytest(folder)
  if (manifest === undefined && !hasPytest) {
    throw new CliError(
      'Cannot set up the project: this folder has no package.json; run init where it is',
      2,
    )
  }
  const first = (...names: readonly string[]): string | undefined =>
    names.find((name) => isFile(join(folder, name)))
  const { dependencies, devDependencies, type, jest, babel } = manifest ?? {}
  const lockFile = first(...Object.keys(managers))
  return {
    folder,
    dependencies: new Set(
      [dependencies, devDependencies].flatMap((each) => (isRecord(each) ? Object.keys(each) : [])),
    ),
    isModule: manifest && type === 'module',
    main: first('src/main.tsx', 'src/main.ts', 'src/main.jsx', 'src/main.js'),
    viteConfig: first(
      ...['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((end) => `vite.config.${end}`),
    ),
    jestConfig:
      jest === undefined
        ? first(
            ...['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'].map((end) => `jest.config.${end}`),
          )
        : 'package.json',
    usesBabel:
      babel !== undefined ||
      readdirSync(folder).some((name) => /^(?:babel\.config\.\w+|\.babelrc(?:\.\w+)?)$/.test(name)),
    hasPytest,
    manager: (lockFile === undefined ? undefined : managers[lockFile]) ?? npm,
  }
}

async function readManifest(file: string): Promise<Record<string, unknown> | undefined> {
  if (!isFile(file)) return undefined
  return await readJsonFile(file, (found) => (isRecord(found) ? found : {}))
}

/** Returns whether a file of requirements or settings of Python mentions pytest. */
function usesPytest(folder: string): boolean {
  return readdirSync(folder)
    .filter((name) =>
      /^(?:pyproject\.toml|setup\.cfg|pytest\.ini|tox\.ini|.*requirements.*\.txt)$/.test(name),
    )
    .some(
      (name) =>
        isFile(join(folder, name)) && /\bpytest\b/.test(readFileSync(join(folder, name), 'utf8')),
    )
}

/** Returns the folder for tests: one that exists, or else the first. */
export function testFolderOf({ folder }: Project, names: readonly string[]): string {
  return names.find((name) => isFolder(join(folder, name))) ?? names[0] ?? '.'
}
