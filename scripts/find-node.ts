/** Finds versions of Node beside the pinned one that runs all scripts, or installs them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }

/** A Node on this machine. */
export interface NodeProgram {
  readonly path: string
  /** Such as `v20.19.0`. */
  readonly version: string
}

const programName = process.platform === 'win32' ? 'node.exe' : 'node'
const cache = fileURLToPath(new URL('../node_modules/.cache/petstore-sandbox', import.meta.url))

/** Lists the Nodes that the package runs on: those on PATH, but for the pinned one, and those of {@link installNode}. */
export function findNodes(): NodeProgram[] {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, programName))
    .filter((path) => existsSync(path) && !realpathSync(path).includes('node_modules'))
  const folders = existsSync(cache) ? readdirSync(cache) : []
  const installed = folders
    .map((folder) => join(cache, folder, 'node_modules/node/bin', programName))
    .filter((path) => existsSync(path))
  const found = [...onPath, ...installed].map(programAt).filter(isPromised)
  return [...new Map(found.map((node) => [node.version, node])).values()]
}

/** Finds a Node of a major version. */
export function findNode(major: number): NodeProgram | undefined {
  return findNodes().find(({ version }) => version.startsWith(`v${major}.`))
}

/**
 * Installs the latest Node of a major version within `node_modules/`.
 *
 * @throws Error when the registry has none for this machine.
 */
export function installNode(major: number): NodeProgram {
  const folder = join(cache, `node-${major}`)
  mkdirSync(folder, { recursive: true })
  // The package "node" fetches the binary in a script of its own.
  const project = { private: true, allowScripts: { node: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline']
  const { stderr } = spawnSync('npm', ['install', ...options, `node@${major}`], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const node = findNode(major)
  if (node !== undefined) return node
  const reason =
    /^npm error (?!code )(?:notarget )?(.*)$/m.exec(stderr ?? '')?.[1] ?? 'there is none'
  throw new Error(
    `Cannot install Node ${major}, on which tests are run: ${reason.replace(/\.$/, '')}; put one that fits "${manifest.engines.node}" on PATH`,
  )
}

function programAt(path: string): NodeProgram {
  return { path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() }
}

/** Whether the package promises to run on a Node. */
function isPromised({ version }: NodeProgram): boolean {
  const [, minMajor = 0, minMinor = 0] = /(\d+)\.(\d+)/.exec(manifest.engines.node) ?? []
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version) ?? []
  const isLeast = Number(major) === Number(minMajor)
  return isLeast ? Number(minor) >= Number(minMinor) : Number(major) > Number(minMajor)
}
