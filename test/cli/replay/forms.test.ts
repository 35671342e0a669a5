import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { inForm } from '../../../src/cli/replay/forms/capture-forms.ts'
import { parseJson, toJson } from '../../../src/contract/json/json.ts'
import { captureFile, type ReadCapture } from '../../../src/control/reports/capture-file.ts'
import { readInput } from '../../../src/input/schema.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { testFolder } from '../../kit/cli-process.ts'
import { expectHar } from '../../kit/expect-har.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { runSuite } from '../../kit/run-suite.ts'
import { requestOf, send } from '../../kit/send.ts'
import { testServer } from '../../kit/test-server.ts'

const file = new URL('../../../fixtures/captures/version-1.petstore.json', import.meta.url)

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

describe('--as vitest', () => {
  // It starts another Vitest.
  it('is a test that runs green against the package', async () => {
    const folder = testFolder()
    const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
    symlinkSync(modules, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'fixture.test.ts'), await inForm('vitest', fixture))
    writeFileSync(join(folder, 'hard.test.ts'), await inForm('vitest', await hardCapture()))
    const { results } = runSuite(folder)
    expect(results).toMatchObject([
      { status: 'passed', failureMessages: [] },
      { status: 'passed', failureMessages: [] },
    ])
  })
})

/** Types a script into bash; gives the statuses of the replies. */
function typed(
  script: string,
  url: string,
  expected = /^curl: \((?:18|52|56)\) .*\n/gm,
): Promise<readonly string[]> {
  const env = { PATH: process.env.PATH, PETSTORE_SANDBOX_URL: url }
  return new Promise((resolve) => {
    const bash = execFile('bash', { env }, (_, stdout, stderr) => {
      expect(stderr.replace(expected, '')).toBe('')
      resolve(stdout.match(/(?<=^HTTP\/1\.1 )(?!100)\d+/gm) ?? [])
    })
    bash.stdin?.end(script)
  })
}

function statusesIn({ steps }: ReadCapture): string[] {
  return steps.flatMap((step) =>
    step.do === 'request' && step.outcome.status !== undefined ? [`${step.outcome.status}`] : [],
  )
}

describe('--as curl', () => {
  it('gets the same statuses when it is typed into bash', async () => {
    const { url, pool, sandbox } = await testServer()
    // One that is never answered takes as long as curl waits.
    const steps = fixture.steps.filter(
      (step) => step.do === 'control' || step.outcome.kind !== 'timeout',
    )
    const isTimeout = (step: (typeof steps)[number]): boolean =>
      step.do === 'control' && toJson(step.given).includes('timeout')
    const capture = { ...fixture, steps: steps.filter((step) => !isTimeout(step)) }
    expect(await typed(await inForm('curl', capture), url)).toEqual(statusesIn(capture))
    const hard = await hardCapture()
    const answered = { ...hard, steps: hard.steps.filter((step) => !toJson(step).includes('slow')) }
    expect(await typed(await inForm('curl', answered), url)).toEqual(statusesIn(answered))
    // The default one is left alone.
    expect([pool.names().length, sandbox.journal.entries()]).toEqual([2, []])
  })

  it('leaves what came of a hostile capture to the sandbox that it is for', async () => {
    const { url, sandbox } = await testServer()
    const [request] = fixture.steps.filter((step) => step.do === 'request')
    if (request === undefined) throw new Error('Cannot go on: there is no request')
    const evil = "'; echo HTTP/1.1 666; $(echo HTTP/1.1 666) `echo HTTP/1.1 666`\n#"
    const given = [evil, { plan: evil }]
    const steps: ReadCapture['steps'] = [
      { do: 'control', at: 0, name: 'keys.change', given },
      { do: 'control', at: 0, name: 'keys.change', given: [null] },
      { ...request, request: { ...request.request, body: evil, url: `/v1/${evil}\udfff` } },
    ]
    const script = await inForm('curl', { ...fixture, steps })
    const statuses = await typed(script, url, /^curl: \((?:3|22)\) .*\n/gm)
    expect(statuses).not.toContain('666')
    expect(sandbox.journal.entries()).toEqual([])
  })
})

describe('--as har', () => {
  it('is a valid archive, of replies that never came too', async () => {
    for (const capture of [fixture, await hardCapture()]) {
      const har = JSON.parse(await inForm('har', capture))
      expectHar(har)
      const statuses = har.log.entries.map(
        (entry: { readonly response: { readonly status: number } }) => entry.response.status,
      )
      expect(statuses.filter((status: number) => status > 0).map(String)).toEqual(
        statusesIn(capture),
      )
    }
  })
})
