/** Generates clients of both OpenAPI descriptions as their users do, and says which of them compile. */
import { execSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { type ApiName, apiNames, fileOf, saveDescriptions } from './clients/descriptions.ts'
import { type Generator, generators } from './clients/generators.ts'
import { type Check, report, Slots } from './matrix/checks.ts'
import { demand } from './matrix/command.ts'

const folder = fileURLToPath(new URL('clients', import.meta.url))
const packages = join(folder, 'node_modules')
// Beside the generators' packages and below our own: the clients import of both.
const generated = join(folder, '.generated')

/** The compilers that read the clients: the generators' own, and ours. */
const compilers = {
  'TypeScript 5': join(packages, 'typescript/bin/tsc'),
  'our TypeScript': fileURLToPath(
    new URL('../node_modules/@typescript/native/bin/tsc', import.meta.url),
  ),
} as const

const compilerOptions = {
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  // orval writes imports as the project's own tsconfig.json has them.
  allowImportingTsExtensions: true,
  noEmit: true,
}

function installGenerators(): void {
  const writtenAt = (path: string): number =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
  if (writtenAt('node_modules/.package-lock.json') >= writtenAt('package-lock.json')) return
  execSync('npm ci --no-audit --no-fund', { cwd: folder, stdio: 'inherit' })
}

/** Starts afresh: both descriptions, and what the compilers are to read. */
async function prepare(): Promise<void> {
  rmSync(generated, { recursive: true, force: true })
  mkdirSync(generated)
  await saveDescriptions(generated)
  for (const api of apiNames) {
    const files = generators.flatMap(({ name, entries }) =>
      entries.map((entry) => join(name, entry)),
    )
    mkdirSync(join(generated, api))
    writeFileSync(join(generated, api, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  }
}

async function generate(api: ApiName, { name, program, args }: Generator): Promise<undefined> {
  const options = args(fileOf(api, generated), join(generated, api, name))
  await demand([process.execPath, join(packages, program), ...options], { cwd: folder })
}

async function compile(api: ApiName, compiler: string): Promise<undefined> {
  const command = [process.execPath, compiler, '-p', api, '--pretty', 'false'] as const
  await demand(command, { cwd: generated })
}

/** Calls each function that makes up a reply, and says how many there are. */
async function callMocks(api: ApiName, { name, mocks = '' }: Generator): Promise<string> {
  const { module } = await runnerImport<Record<string, unknown>>(join(generated, api, name, mocks))
  const makers = Object.values(module).filter((one) => typeof one === 'function')
  if (makers.length === 0) throw new Error(`Cannot call the mocks of ${name}: it exports none`)
  for (const make of makers) make()
  return `${makers.length} functions`
}

const slots = new Slots()

function checksOf(api: ApiName): Check[] {
  const generations = generators.map((generator) => slots.run(() => generate(api, generator)))
  // A failure is told by its own check.
  const ended = Promise.allSettled(generations)
  const after = <Result>(task: () => Promise<Result>): Promise<Result> =>
    ended.then(() => slots.run(task))
  return [
    ...generators.map(({ name }, index) => ({
      name: `${name} makes a client of the ${api} description`,
      run: async () => await generations[index],
    })),
    ...Object.entries(compilers).map(([compiler, path]) => ({
      name: `The clients of the ${api} description compile, ${compiler}`,
      run: () => after(() => compile(api, path)),
    })),
    ...generators
      .filter(({ mocks }) => mocks !== undefined)
      .map((generator) => ({
        name: `The mocks of ${generator.name} of the ${api} description run`,
        run: () => after(() => callMocks(api, generator)),
      })),
  ]
}

installGenerators()
await prepare()
const failed = await report(apiNames.flatMap(checksOf))
if (failed > 0) process.exitCode = 1
