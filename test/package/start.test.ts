import { describe, expect, it } from 'vitest'
import { nodePrograms, serveCli } from '../kit/cli-process.ts'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'

expectFreshBuild()

/** Prints what the process has loaded when it is told to stop, as a module that can be loaded before it. */
const printLoaded = `data:text/javascript,${encodeURIComponent(`
  process.once('SIGTERM', () => {
    const files = Object.keys(process.getBuiltinModule('node:module')._cache)
    console.log(JSON.stringify({ files, ofNode: process.moduleLoadList }))
  })`)}`

describe.each(nodePrograms())('a start on Node $version', ({ path }) => {
  it('loads one file, and nothing of undici', async () => {
    const { cli } = await serveCli([], { node: path, nodeFlags: ['--import', printLoaded] })
    const { stdout } = await cli.stop()
    const { files, ofNode } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"files"')))
    expect(
      files.map((file: string) => file.replaceAll('\\', '/').replace(/.*\/dist\//, '')),
    ).toEqual(['cli/main.cjs'])
    expect(ofNode).not.toContainEqual(expect.stringContaining('undici'))
  })
})
