import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { nodePrograms } from '../../kit/cli-process.ts'

const file = fileURLToPath(new URL('node-test.js', import.meta.url))

it.each(nodePrograms())(
  'the test of the guide passes under node:test on $version',
  async (node) => {
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
    const { stdout } = await promisify(execFile)(
      node.path,
      ['--test', '--test-reporter=tap', file],
      {
        env,
      },
    )
    expect(stdout).toMatch(/^# pass 1$/m)
  },
)
