import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { program, runCli, testFolder } from '../../kit/cli-process.ts'

const folder = fileURLToPath(new URL('../../../examples/assumptions/', import.meta.url))

const suite = [
  'node',
  '--test-reporter=junit',
  '--test-reporter-destination=out/{row}.xml',
  'pet-client.test.js',
]

describe('examples/assumptions', () => {
  it('names three gaps that its tests depend on, as its report says', {
    timeout: 180_000,
  }, async () => {
    const cwd = testFolder()
    cpSync(folder, cwd, { recursive: true })
    // So that the same gaps matter at any time of day.
    const clock = ['--clock', '2027-01-15T08:00:20Z', '--frozen']
    const options = ['check', '--assumptions', ...clock, '--junit', 'out/{row}.xml', '--', ...suite]
    const { code, stdout, stderr } = await runCli(options, { cwd })
    expect({ code, stderr }).toMatchObject({ code: 4 })
    // As somebody who has installed the package is shown it.
    const shown = stdout
      .replaceAll(`node ${program}`, 'npx petstore-sandbox')
      .replace(/ in (?:\d+m)?\d+s,/, ' in 26s,')
    await expect(shown).toMatchFileSnapshot(`${folder}/report.txt`)
  })
})
