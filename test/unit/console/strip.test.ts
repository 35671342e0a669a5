import { describe, expect, it } from 'vitest'
import { axisOf, binsOf } from '../../../src/console/requests/strip.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

/** Requests of a key that is told to wait, comes back too early, and then in time. */
async function waiting(gapMs = 1_000) {
  const sandbox = frozenSandbox()
  for (let count = 0; count < 20; count++) {
    await sandbox.handle(requestOf({}))
    if (gapMs > 0) sandbox.clock.advance(gapMs)
  }
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  await sandbox.handle(requestOf({}))
  sandbox.clock.advance('1s')
  await sandbox.handle(requestOf({}))
  sandbox.clock.advance('1m')
  await sandbox.handle(requestOf({}))
  return sandbox.requests.list()
}

describe('the strip of time', () => {
  it('stacks outcomes where they came, and loses none', async () => {
    const entries = await waiting()
    const axis = axisOf(entries)
    const bins = binsOf(entries, axis)
    const sumOf = (tone: 'good' | 'limited') => bins.reduce((sum, one) => sum + one.counts[tone], 0)
    expect([axis.by, sumOf('good'), sumOf('limited')]).toEqual(['time', 21, 2])
    expect([bins.at(0)?.counts.good, bins.at(-1)?.counts.good]).toEqual([1, 1])
  })

  it.each([200, 1_000])('has no label twice at %i ms between requests', async (gapMs) => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 30; count++) {
      await sandbox.handle(requestOf({}))
      sandbox.clock.advance(gapMs)
    }
    const { by, labels } = axisOf(sandbox.requests.list())
    expect([by, new Set(labels.map(({ text }) => text)).size]).toEqual(['time', 5])
  })

  it('has one label for one request', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    expect(axisOf(sandbox.requests.list()).labels).toHaveLength(1)
  })

  it('goes by order where a clock stands still', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 30; count++) await sandbox.handle(requestOf({}))
    const entries = sandbox.requests.list()
    const axis = axisOf(entries)
    expect([axis.by, axis.labels[0]?.text, axis.labels.at(-1)?.text]).toEqual([
      'order',
      '#1',
      '#30',
    ])
    expect(binsOf(entries, axis).every(({ counts }) => counts.good === 1)).toBe(true)
  })
})
