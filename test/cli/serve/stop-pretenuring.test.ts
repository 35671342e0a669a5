import { expect, it } from 'vitest'
import { nodePrograms, serveCli } from '../../kit/cli-process.ts'

// Issue 8: some processes took 18 to 40 ms for the slowest hundredth of their requests, for as long as they lived.
it.each(nodePrograms())(
  'keeps Node $version from making any object old from the start',
  async (node) => {
    const nodeFlags = ['--trace-pretenuring-statistics', '--trace-gc']
    // So many that V8 would decide so of the objects that they are made of.
    const { cli } = await serveCli(['--pets', '50000'], { node: node.path, nodeFlags })
    const { stdout } = await cli.stop()
    expect(stdout).toContain('Scavenge')
    expect(stdout).not.toContain('=> tenure')
  },
)
