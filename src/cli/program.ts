import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { packageRunner, shellWord } from '../checks/reports/text.ts'
import { packageFolder } from '../server/package-folder.ts'

const { name } = packageJson

/** Circumstances of the start of this program. */
export interface ProgramStart {
  /** Path of the script in `process.argv`, without following links. */
  readonly script: string
  /** Current folder. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
}

/** Writes a command of this program as a user can type it in the same place: `npx petstore-sandbox reset`. */
export function programLine(words: string): string {
  return `${programName()} ${words}`.trimEnd()
}

/** Returns the command that starts the program: its name if the shell finds it, `npx` in a project, else `node`. */
export function programName(start: ProgramStart = thisProcess()): string {
  const { script, folder, environment } = start
  const { npm_lifecycle_event: event, npm_config_user_agent: agent } = environment
  const isLocal = isInModules(script) && isWithin(folder, script)
  const folders = pathOf(environment)
  if (event !== 'npx' && !isLocal) {
    const isFound = folders.some((one) => isExecutable(join(one, name)))
    if (folders.includes(dirname(script)) || (isInModules(script) && isFound)) return name
    if (!isInModules(script)) return `node ${shellWord(shorter(folder, script))}`
  }
  // npx finds nothing without a folder of modules.
  return `${packageRunner(agent)} ${name}`
}

function thisProcess(): ProgramStart {
  return { script: process.argv[1] ?? '', folder: process.cwd(), environment: process.env }
}

function isInModules(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path)
}

/** Returns the folders of `PATH` without those of projects, which npm and npx add. */
function pathOf({ PATH = '' }: NodeJS.ProcessEnv): readonly string[] {
  return PATH.split(delimiter).filter((one) => isAbsolute(one) && !isInModules(join(one, name)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Documents of the package in a project that has installed it. */
const installedDocuments = `node_modules/${name}/docs`

/** Returns the path of the package's documents, relative to the current folder if they are within it. */
export function documentsFolder(): string {
  if (existsSync(installedDocuments)) return installedDocuments
  return shorter(process.cwd(), join(packageFolder(), 'docs'))
}

/** Writes a path relative to a folder, if it is within it. */
function shorter(folder: string, path: string): string {
  return isWithin(folder, path) ? relative(folder, path) : path
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !way.startsWith('..') && !isAbsolute(way)
}
