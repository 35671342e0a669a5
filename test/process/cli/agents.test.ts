import { describe, expect, it } from 'vitest'
import { agentsBlock } from '../../../src/cli/commands/agents.ts'
import { runMain } from '../../kit/run-main.ts'
import { Shell } from '../../kit/shell.ts'
import { testServer } from '../../kit/test-server.ts'

describe('petstore-sandbox agents', () => {
  it('prints a block that can be found in a file, and replaced', async () => {
    const { code, stdout } = await runMain(['agents'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: agentsBlock })
    expect(stdout).toMatch(/^<!-- petstore-sandbox -->\n[\s\S]*\n<!-- \/petstore-sandbox -->\n$/)
  })

  it.each([...agentsBlock.matchAll(/`(npx [^`]+)`/g)].map(([, line = '']) => line))(
    'names a command that runs: %s',
    async (line) => {
      const { url } = await testServer()
      const shell = new Shell(url)
      shell.install(
        'npm',
        'curl -s "$PETSTORE_API_URL/pets" -H "Authorization: Bearer $PETSTORE_KEY"',
      )
      expect(await shell.run(line)).toMatchObject({ code: 0 })
    },
  )
})
