import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demand } from './command.ts'

/** The package's own folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const npm = ['npm', '--loglevel=error'] as const

/** What the package's own folder has that no copy needs. */
const leftOut = ['.git', 'coverage', 'dist', 'node_modules', 'playwright-report', 'test-results']

/**
 * Builds and packs a copy of the package, so that its own `dist/` stays as it is.
 *
 * @returns The path of the tarball.
 */
export async function packPackage(folder: string): Promise<string> {
  const copy = join(folder, 'package')
  cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.includes(relative(root, path)) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  await demand([...npm, 'run', 'build'], { cwd: copy })
  await demand([...npm, 'pack', '--ignore-scripts', '--pack-destination', folder], { cwd: copy })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error(`Cannot pack the package: ${folder} has no tarball`)
  return join(folder, tarball)
}

/** Makes a project with nothing but some packages, from the registry or from tarballs; gives its folder. */
export async function createProject(
  folder: string,
  dependencies: readonly string[],
): Promise<string> {
  mkdirSync(folder)
  // These fetch their program in a script of their own.
  const allowScripts = { node: true, bun: true, deno: true }
  const manifest = { private: true, type: 'module', allowScripts }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await installInto(folder, dependencies)
  return folder
}

/** Installs packages into a project, beside those that it asks for itself. */
export async function installInto(folder: string, packages: readonly string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline']
  await demand([...npm, 'install', ...options, ...packages], { cwd: folder })
}

/** @throws Error when modules beside a folder's projects would be found from within them. */
export function expectNothingAround(folder: string): void {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const modules = join(dirname(at), 'node_modules')
    if (!existsSync(modules)) continue
    throw new Error(
      `Cannot check the package in ${folder}: ${modules} would be found from there; remove it, or set TMPDIR to another folder`,
    )
  }
}
