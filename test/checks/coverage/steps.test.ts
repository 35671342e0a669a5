import { describe, expect, it } from 'vitest'
import { runStep } from '../../../src/checks/coverage/steps.ts'
import type { Outcome } from '../../../src/mock/spec/message.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'

const all = Object.values((await frozenSandbox({ coverage: true }).coverage()).categories).flatMap(
  (tier) => tier.items,
)

describe('the steps of a cell', () => {
  it.each(all)('bring $name about', async ({ name, steps }) => {
    const sandbox = frozenSandbox({ coverage: true })
    const waiting: Promise<Outcome>[] = []
    for (const step of steps) {
      if ('control' in step) runStep(sandbox, step)
      for (let count = 0; 'request' in step && count < step.times; count++) {
        const { path, ...request } = step.request
        waiting.push(sandbox.handle({ ...request, url: `/v1${path}` }))
        // What waits by the clock has begun to by then.
        await new Promise(setImmediate)
        sandbox.clock.advance('2s')
      }
    }
    await Promise.all(name === 'fault timeout' ? [] : waiting)
    const { categories } = await sandbox.coverage()
    const cells = Object.values(categories).flatMap((tier) => tier.items)
    expect(cells.find((one) => one.name === name)?.covered).toBe(true)
  })

  it.each(['keys.invent', 'invent', 'invent.keys'])('are refused for the control %s', (control) => {
    expect(() => runStep(frozenSandbox(), { control, args: [] })).toThrow(TypeError)
  })
})
