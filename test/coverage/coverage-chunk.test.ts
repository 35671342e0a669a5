import { describe, expect, it } from 'vitest'
import { readModules } from '../architecture/module.ts'

/** What isn't in the chunk: the build evaluates the cells, and only controls and commands read the schemas. */
const elsewhere = /^src\/coverage\/(?:cells\/|coverage-report\.ts|coverage-folder\.ts)/

/** What it takes from elsewhere all the same: what the build evaluates, and what nothing else in a page has. */
const allowed = ['src/coverage/cells/cells.ts', 'src/input/make-folder.ts']

describe('the chunk that counts', () => {
  // A chunk that shares modules with another one has bundlers split what every page loads (decisions/027).
  it('imports only types from outside of it', () => {
    const modules = readModules().filter(({ path }) => path.startsWith('src/coverage/'))
    const chunk = modules.filter(({ path }) => !elsewhere.test(path))
    expect(chunk.map(({ path }) => path)).toContain('src/coverage/coverage.ts')
    const outside = chunk.flatMap(({ path, imports }) =>
      imports
        .filter(({ isOfTypes }) => !isOfTypes)
        .filter((one) => !allowed.some((path) => path === one.path))
        .filter((one) => !chunk.some((other) => other.path === one.path))
        .map(({ from }) => `${path} imports ${from}`),
    )
    expect(outside).toEqual([])
  })
})
