import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseJson, toJson } from '../../../../src/mock/api/json.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'
import { captureFile, type ReadCapture } from '../../../../src/sandbox/controls/captures.ts'
import { vitestForm } from '../../../../src/sandbox/replay/vitest-form.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { testFolder } from '../../../kit/cli-process.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { runSuite } from '../../../kit/run-suite.ts'
import { requestOf, send } from '../../../kit/send.ts'

const file = new URL('../../../../fixtures/captures/version-1.petstore.json', import.meta.url)

const fixture = readInput(captureFile, parseJson(readFileSync(file, 'utf8')))

async function captureOf(sandbox: Sandbox): Promise<ReadCapture> {
  return readInput(captureFile, parseJson(toJson(await sandbox.capture())))
}

/** Does what is hard to write down: quotes of all kinds, other letters, large numbers, waits, a clock that goes on. */
async function hardCapture(): Promise<ReadCapture> {
  const sandbox = frozenSandbox({
    randomSeed: 3,
    gaps: { idSequence: 'random', banAfter: 'never' },
  })
  const name = `It's "\${Zoë}" \`$(id)\` \\ \u2028 $name`
  await send(sandbox, { json: JSON.stringify({ name, categoryId: 1 }) })
  sandbox.pets.create({ id: 2n ** 62n, name, categoryId: 1 })
  await send(sandbox, { url: '/v1/pets/4611686018427387904?it=%27s' })
  sandbox.restore(sandbox.snapshot())
  sandbox.scenario('slow')
  sandbox.clock.resume()
  sandbox.clock.advance('2m')
  void sandbox.handle(requestOf({ url: '/v1/pets?limit=1' }), AbortSignal.abort())
  sandbox.faults.clear()
  sandbox.reset()
  await send(sandbox, { method: 'HEAD', url: '/v1/pets?limit=1' })
  await sandbox.handle(requestOf({ method: 'POST', body: '{}', url: '/v1/pets' }))
  return await captureOf(sandbox)
}

describe('vitestForm()', () => {
  it('writes no seed that is the default one (S23)', async () => {
    const sandbox = createSandbox({ clock: { now: 0, mode: 'frozen' } })
    await send(sandbox)
    expect(vitestForm(await captureOf(sandbox))).not.toContain('seed')
  })

  it('shows control and direction characters of a pet escaped (R3)', async () => {
    const sandbox = frozenSandbox()
    const name = '\u009b31m \u202e \u2066 \u200f \u061c'
    await send(sandbox, { json: JSON.stringify({ name, categoryId: 1 }) })
    const text = vitestForm(await captureOf(sandbox))
    expect(text).toContain('\\u009b31m \\u202e \\u2066 \\u200f \\u061c')
    expect(text).not.toMatch(/[\u0080-\u009f\u061c\u200f\u202e\u2066]/)
  })
})

describe('--format vitest', () => {
  // It starts another Vitest.
  it('is a test that runs green against the package', async () => {
    const folder = testFolder()
    const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
    symlinkSync(modules, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'fixture.test.ts'), vitestForm(fixture))
    writeFileSync(join(folder, 'hard.test.ts'), vitestForm(await hardCapture()))
    const { results } = runSuite(folder)
    expect(results).toMatchObject([
      { status: 'passed', failureMessages: [] },
      { status: 'passed', failureMessages: [] },
    ])
  })
})
