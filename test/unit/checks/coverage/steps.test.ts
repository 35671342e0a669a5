import { describe, expect, it } from 'vitest'
import { runStep } from '../../../../src/mock/api/control-step.ts'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import { expectComplete } from '../../../kit/expect-complete.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'

const { categories } = await frozenSandbox({ coverage: true }).coverage()
const all = Object.values(categories).flatMap(({ items }) => items)

/** Returns the names of the items that some steps cover. */
async function coveredBy(
  name: string,
  steps: (typeof all)[number]['steps'],
): Promise<readonly string[]> {
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
  const found = Object.values((await sandbox.coverage()).categories).flatMap(({ items }) => items)
  return found.filter(({ covered }) => covered).map((one) => one.name)
}

const runs: { readonly name: string; readonly covered: readonly string[] }[] = []
for (const { name, steps } of all) runs.push({ name, covered: await coveredBy(name, steps) })

describe('the steps of an item', () => {
  it.each(runs)('cover it: $name', ({ name, covered }) => {
    expect(covered).toContain(name)
  })

  it('leave each of the others uncovered at least once', () => {
    const others = (name: string) => runs.filter((run) => run.name !== name)
    const names = all.map(({ name }) => name)
    expectComplete({
      found: names.filter((name) => others(name).some(({ covered }) => !covered.includes(name))),
      needed: names,
      what: 'a run that leaves an item uncovered',
      where: 'the steps of src/checks/coverage/cells.ts',
    })
    expect(others('').filter(({ covered }) => covered.length > names.length / 2)).toEqual([])
  })

  it.each(['keys.invent', 'invent', 'invent.keys'])(
    'are rejected for the control %s',
    (control) => {
      expect(() => runStep(frozenSandbox(), { control, args: [] })).toThrow(TypeError)
    },
  )
})
