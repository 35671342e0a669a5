import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { reachedFiles } from '../../../build/reached-files.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { captureSchema } from '../../../src/sandbox/controls/captures.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'
import { projectFolder } from '../../unit/package/project-folder.ts'

expectFreshBuild()

/** What is no code. */
const documents = ['./package.json', './capture.schema.json', './jest/jest-preset'] as const

type Entry = Exclude<keyof typeof manifest.exports, (typeof documents)[number]>

/** What each entry leads to outside of the package, in its code and in its declarations. */
const entries: readonly {
  readonly entry: Entry
  readonly code: readonly string[]
  readonly declarations: readonly string[]
}[] = [
  { entry: '.', code: [], declarations: [] },
  { entry: './calibrate', code: [], declarations: [] },
  { entry: './client', code: [], declarations: [] },
  { entry: './fetch', code: [], declarations: [] },
  { entry: './matchers', code: [], declarations: [] },
  { entry: './panel', code: [], declarations: [] },
  { entry: './seed', code: ['@faker-js/faker'], declarations: [] },
  { entry: './msw', code: ['msw'], declarations: ['msw'] },
  { entry: './msw-worker', code: ['msw'], declarations: ['msw'] },
  { entry: './express', code: ['node:'], declarations: ['node:'] },
  { entry: './vite', code: ['node:'], declarations: ['node:'] },
  { entry: './server', code: ['node:'], declarations: ['node:'] },
  { entry: './jest', code: ['msw', 'node:'], declarations: ['msw'] },
  { entry: './vitest', code: ['msw', 'node:', 'vitest'], declarations: ['msw', 'vitest'] },
  {
    entry: './playwright',
    code: ['@playwright/test', 'node:'],
    declarations: ['@playwright/test'],
  },
]

/** A module's path with the ending that it has where it is read. */
function pathRead(path: string, readsDeclarations: boolean): string {
  return readsDeclarations ? path.replace(/(?<!\.d)\.ts$/, '.d.ts') : path
}

/** Lists what a built file imports, types and what is loaded later included. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(projectFolder, path), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports
      .flatMap(({ entries }) => entries.flatMap((one) => one.moduleRequest ?? []))
      .map(({ value }) => value),
    ...dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    ),
    ...(path.endsWith('.d.ts')
      ? [...text.matchAll(/\bimport\(["']([^"']+)["']\)/g)].flatMap((found) => found[1] ?? [])
      : []),
  ]
}

/** Lists what a built file leads to: other files of `dist/`, and by way of them packages. */
function reachedFrom(target: string): { readonly paths: string[]; readonly packages: string[] } {
  const readsDeclarations = target.endsWith('.d.ts')
  const paths = new Set([target.replace(/^\.\//, '')])
  const packages = new Set<string>()
  for (const path of paths) {
    for (const from of importsOf(path)) {
      if (from.startsWith('.')) paths.add(pathRead(join(dirname(path), from), readsDeclarations))
      else packages.add(/^(?:node:|@[^/]+\/[^/]+|[^/]+)/.exec(from)?.[0] ?? from)
    }
  }
  return { paths: [...paths], packages: [...packages].sort() }
}

const declarationsFolder = 'dist/types'

describe('the entries of the package', () => {
  it('S18: a file that one of them needs and that is missing is noticed by the build', () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-built-'))
    for (const part of ['dist', 'package.json']) {
      cpSync(join(projectFolder, part), join(folder, part), { recursive: true })
    }
    const missing = () => reachedFiles(folder).filter((file) => !existsSync(file))
    expect(missing()).toEqual([])
    const chunk = reachedFiles(folder).find((file) => file.includes('chunks')) ?? ''
    for (const file of [chunk, join(folder, 'dist/cli.js')]) {
      rmSync(file)
      expect(missing()).toContain(file)
    }
    rmSync(folder, { recursive: true })
  })

  it('have all the declarations that they lead to, and no others', () => {
    const reached = entries.flatMap(({ entry }) => reachedFrom(manifest.exports[entry].types).paths)
    const found = readdirSync(join(projectFolder, declarationsFolder), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => relative(projectFolder, join(parentPath, name)))
    expect(found.sort()).toEqual([...new Set(reached)].sort())
  })

  it('have all their exports on the page of the types', () => {
    const page = readFileSync(join(projectFolder, 'dist/types.md'), 'utf8')
    const headings = new Set([...page.matchAll(/^##+ (.*)/gm)].map(([, heading]) => heading))
    const exported = entries.flatMap(({ entry }) => {
      const text = readFileSync(join(projectFolder, manifest.exports[entry].types), 'utf8')
      const own = [...text.matchAll(/^export declare (?:function|class|const) (\w+)/gm)]
      const renamed = [...text.matchAll(/^export \{[^}]*\b\w+ as (\w+)/gm)]
      return [entry.replace('.', manifest.name), ...[...own, ...renamed].map(([, name]) => name)]
    })
    expect(exported.filter((name) => !headings.has(name))).toEqual([])
    // Users can't see what these stand for.
    expect(page).not.toMatch(/\b(?:Input|Output|GivenOf)</)
  })

  it('have the JSON Schema of captures beside them', () => {
    const require = createRequire(import.meta.url)
    expect(require(`${manifest.name}/capture.schema.json`)).toEqual(captureSchema())
  })

  it('are imported by their names from within the package too', () => {
    // Vitest's own entry runs only under Vitest.
    const names = entries
      .filter(({ entry }) => entry !== './vitest')
      .map(({ entry }) => entry.replace('.', manifest.name))
    const script = `for (const name of ${JSON.stringify(names)}) {
      const { length } = Object.keys(await import(name))
      if (length === 0) throw new Error(name)
    }`
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: projectFolder,
    })
  })
})

describe.each(entries)('the entry $entry', ({ entry, code, declarations }) => {
  const { default: script, types } = manifest.exports[entry]

  it('is there, once the package is built', () => {
    expect([script, types].filter((path) => !existsSync(join(projectFolder, path)))).toEqual([])
  })

  it('leads to nothing but what it says', () => {
    expect(reachedFrom(script).packages).toEqual(code)
    expect(reachedFrom(types).packages).toEqual(declarations)
  })
})
