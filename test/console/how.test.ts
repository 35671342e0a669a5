import { expect, it } from 'vitest'
import { curlOf, stepsOf } from '../../src/console/coverage/how.ts'
import type { ConsoleClient } from '../../src/console/live/console-client.ts'
import type { Outcome } from '../../src/contract/message.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'

const cells = Object.values((await frozenSandbox({ coverage: true }).coverage()).tiers)
  .flatMap((tier) => tier.cells)
  .map(({ cell, how }) => ({ cell, how }))

it.each(cells)('brings $cell about', async ({ cell, how }) => {
  const sandbox = frozenSandbox({ coverage: true })
  const steps = stepsOf(how, sandbox.clock.now())
  const waiting: Promise<Outcome>[] = []
  for (const step of steps ?? []) {
    // What is asynchronous to the console is called in place here.
    if (step.kind === 'control') await step.run(sandbox as unknown as ConsoleClient)
    for (let count = 0; step.kind === 'request' && count < step.times; count++) {
      const { method, path, headers, body } = step.request
      const url = `/v1${path}`
      const request = { method, url, headers: Object.fromEntries(headers), body }
      waiting.push(sandbox.handle(request))
      // What waits by the clock has begun to by then.
      await new Promise(setImmediate)
      sandbox.clock.advance('2s')
    }
  }
  await Promise.all(cell === 'fault timeout' ? [] : waiting)
  const { tiers } = await sandbox.coverage()
  const all = Object.values(tiers).flatMap((tier) => tier.cells)
  expect(all.find((one) => one.cell === cell)?.covered).toBe(true)
})

it('writes what the client has to send as commands', () => {
  const now = Date.parse('2026-11-21T14:03:07Z')
  const commands = (how: string) => curlOf(stepsOf(how, now) ?? [], 'http://x/v1').split('\n')
  expect(commands('await client().listPets({ limit: 1 })')).toEqual([
    'curl -i \\',
    "  'http://x/v1/pets?limit=1' \\",
    "  -H 'authorization: Bearer free-key'",
  ])
  expect(commands("await client(null).get('/nowhere')").join('')).not.toContain('authorization')
})

it.each(['sandbox.invented(1)', 'await client().inventPet()', 'something else'])(
  'leaves alone what it does not know: %s',
  (how) => {
    expect(stepsOf(how, 0)).toBe(undefined)
  },
)
