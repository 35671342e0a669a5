import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'
import { packedFiles } from '../kit/packed-files.ts'
import { projectFolder } from './project-folder.ts'

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent?: readonly (string | null)[]
}

const packed = packedFiles()
const scripts = packed.filter((path) => /^dist\/.*\.c?js$/.test(path))

const textOf = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')

/** The map that a script names; `undefined` for none. */
const mapOf = (path: string): string | undefined =>
  /\n\/\/# sourceMappingURL=(.+)\s*$/.exec(textOf(path))?.[1]

describe('the source maps of the package', () => {
  it('are there for what is ours, and for nothing of others', () => {
    expectFreshBuild()
    const mapped = scripts.filter((path) => mapOf(path) !== undefined)
    expect(mapped).toContain('dist/cli/main.cjs')
    expect(mapped).toContain('dist/server.js')
    expect(mapped).toContain('dist/chunks/page.js')
    expect(mapped).not.toContain('dist/chunks/express.js')
    expect(packed.filter((path) => path.endsWith('.map'))).toEqual(
      mapped.map((path) => `${path}.map`),
    )
    for (const path of mapped) expect(mapOf(path)).toBe(`${basename(path)}.map`)
  })

  it('have the sources in them, which the package has nowhere else, but for those of the program', () => {
    for (const path of packed.filter((one) => one.endsWith('.map'))) {
      const { sources, sourcesContent }: SourceMap = JSON.parse(textOf(path))
      expect(sourcesContent === undefined, path).toBe(path.startsWith('dist/cli/'))
      for (const [index, source] of sources.entries()) {
        const content = sourcesContent?.[index]
        if (source.includes('node_modules/')) {
          expect(content ?? null).toBeNull()
          continue
        }
        // Relative: nothing of the machine that has built it.
        const file = posix.join(posix.dirname(path), source)
        expect(file).toMatch(/^(?:src|build|fixtures)\//)
        if (sourcesContent === undefined) continue
        expect(content, `${source} in ${path}`).toEqual(expect.any(String))
      }
    }
  })

  it('let Node name the place of an error in the source', () => {
    const program = `
      const { createSandbox } = await import('petstore-sandbox')
      try { createSandbox({ nonsense: 1 }) } catch (error) { console.log(error.stack) }`
    const stack = execFileSync(
      process.execPath,
      ['--enable-source-maps', '--input-type=module', '--eval', program],
      { cwd: projectFolder, encoding: 'utf8' },
    )
    expect(stack).toMatch(/src\/sandbox\.ts:\d+:\d+/)
  })
})
