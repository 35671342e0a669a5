/**
 * Packs the package, installs it beside all that it is to work with, and says what works; words pick checks whose names
 * contain one of them.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { type Check, nothingWrong, report, Slots } from './matrix/checks.ts'
import { copyConsumers, fileOf, runConsumer } from './matrix/consumers.ts'
import { missingLicences, tracesOfMachine } from './matrix/contents.ts'
import { examples, runExample } from './matrix/examples.ts'
import { serveOnce } from './matrix/program.ts'
import { createProject, expectNothingAround, packPackage, root } from './matrix/projects.ts'
import { recipes, runRecipe } from './matrix/recipes.ts'
import {
  beside,
  compilers,
  hosts,
  nodes,
  type ProjectName,
  runRows,
  typeRows,
} from './matrix/table.ts'
import { checkTypes } from './matrix/type-check.ts'

const words = process.argv.slice(2)
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'petstore-sandbox-matrix-'))
process.once('SIGINT', () => process.exit(130))
process.once('exit', () => {
  // What has failed may have left an installation under way.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
})
// What the programs leave behind goes with it.
process.env.TMPDIR = folder
expectNothingAround(folder)
const tarball = await packPackage(folder)
const slots = new Slots()

/** Makes something once, when it is first asked for. */
function once<Key, Made>(make: (key: Key) => Promise<Made>): (key: Key) => Promise<Made> {
  const made = new Map<Key, Promise<Made>>()
  return (key) => {
    const found = made.get(key) ?? make(key)
    made.set(key, found)
    return found
  }
}

function install(name: string, packages: readonly string[]): Promise<string> {
  return slots.run(() => createProject(join(folder, name.replaceAll(' ', '-')), packages))
}

const project = once(async (name: ProjectName) => {
  const made = await install(name, [tarball, ...beside[name]])
  await copyConsumers(made)
  return made
})

const installedPackage = async (): Promise<string> =>
  join(await project('nothing else'), 'node_modules', manifest.name)

/** The folder that holds a version of Node. */
const node = once(async (version: string) =>
  join(await install(`node ${version}`, [`node@${version}`]), 'node_modules/node/bin'),
)

const compilerFolder = once(() =>
  install(
    'compilers',
    compilers.map((version) => `typescript-${version}@npm:typescript@${version}`),
  ),
)

const contentChecks: readonly Check[] = [
  nothingWrong('The tarball has no trace of the machine', async () =>
    tracesOfMachine(await installedPackage(), [root, folder]),
  ),
  nothingWrong('The tarball has the licences of what is bundled', async () =>
    missingLicences(await installedPackage()),
  ),
]

const programChecks = nodes.map((version) => ({
  name: `petstore-sandbox serves and stops on Node ${version}`,
  async run() {
    const [installed, programs] = await Promise.all([project('nothing else'), node(version)])
    await slots.run(() => serveOnce(installed, programs))
    return undefined
  },
}))

const runChecks = runRows.flatMap((row) =>
  row.consumers.map((consumer) => ({
    name: `${consumer} runs beside ${row.project} on Node ${row.node ?? process.versions.node}`,
    async run() {
      const installed = await project(row.project)
      const programs = row.node === undefined ? dirname(process.execPath) : await node(row.node)
      await slots.run(() => runConsumer(consumer, installed, join(programs, 'node')))
      return undefined
    },
  })),
)

const typeChecks = typeRows.flatMap((row) =>
  row.resolutions.flatMap((resolution) =>
    compilers.map((version) => ({
      name: `Types for ${row.host} beside ${row.project}, ${resolution}, TypeScript ${version}`,
      async run() {
        const check = {
          folder: await project(row.project),
          compiler: join(
            await compilerFolder(undefined),
            `node_modules/typescript-${version}/bin/tsc`,
          ),
          resolution,
          ...hosts[row.host],
          files: row.consumers.map(fileOf),
        }
        return await slots.run(() => checkTypes(check))
      },
    })),
  ),
)

/** Makes a check of something that runs in a folder of its own, and may need the installed package. */
function checkIn(name: string, runIn: (at: string, installed: string) => Promise<void>): Check {
  return {
    name,
    async run() {
      // Before it takes a place that the installation needs.
      const installed = await installedPackage()
      await slots.run(() => runIn(join(folder, name.replace(/\W+/g, '-')), installed))
      return undefined
    },
  }
}

const recipeChecks = recipes.map((recipe) =>
  checkIn(`The recipe for ${recipe.name} works as printed`, (at) => runRecipe(recipe, at, tarball)),
)

const exampleChecks = examples.map((example) =>
  checkIn(`The example ${example.name} runs when it is copied out`, (at, from) =>
    runExample(example, at, { from, tarball }),
  ),
)

const all = [
  ...contentChecks,
  ...programChecks,
  ...runChecks,
  ...typeChecks,
  ...recipeChecks,
  ...exampleChecks,
]
const failed = await report(
  words.length === 0 ? all : all.filter(({ name }) => words.some((word) => name.includes(word))),
)
if (failed > 0) process.exitCode = 1
