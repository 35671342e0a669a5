import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'

const modules = {
  nodenext: 'nodenext',
  node16: 'node16',
  bundler: 'esnext',
} as const

/** How TypeScript is to find modules. */
export type Resolution = keyof typeof modules

/** What to check, and how. */
export interface TypeCheck {
  /** The project's folder. */
  readonly folder: string
  /** The compiler's `tsc`. */
  readonly compiler: string
  readonly resolution: Resolution
  readonly lib: readonly string[]
  readonly types: readonly string[]
  readonly files: readonly string[]
}

/** The package whose file is to blame in a line such as `node_modules/@a/b/index.d.ts(1,2): error TS1: …`. */
const blamed = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//

/**
 * Checks files of a project, with the declarations of all packages that they lead to.
 *
 * @returns Which packages have errors of their own, if any do.
 * @throws Error with the errors that are in the files or in our package.
 */
export async function checkTypes(check: TypeCheck): Promise<string | undefined> {
  const { folder, compiler, resolution, lib, types, files } = check
  const compilerOptions = {
    module: modules[resolution],
    moduleResolution: resolution,
    target: 'es2022',
    esModuleInterop: true,
    resolveJsonModule: true,
    lib,
    types,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  }
  const config = `tsconfig.${process.hrtime.bigint()}.json`
  writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, files }))
  const command = [process.execPath, compiler, '-p', config, '--pretty', 'false'] as const
  const { code, output } = await runCommand(command, { cwd: folder })
  if (code === 0) return undefined
  const errors = output.split(/\r?\n/).filter((line) => / error TS|^error TS/.test(line))
  const theirs = new Set<string>()
  const ours: string[] = []
  for (const error of errors) {
    const name = blamed.exec(error)?.[1]
    if (name === undefined || name === 'petstore-sandbox') ours.push(error)
    else theirs.add(name)
  }
  if (ours.length > 0 || errors.length === 0) throw new Error(ours.join('\n') || output)
  return `errors of their own: ${[...theirs].join(', ')}`
}
