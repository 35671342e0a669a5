import { describe, expect, it } from 'vitest'
import { Saver } from '../../../src/cli/state/saver.ts'

/** Saves that end when a test says so. */
function heldSaves() {
  const ends: ((error?: Error) => void)[] = []
  const saver = new Saver(
    () =>
      new Promise((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)))
      }),
  )
  return { saver, ends }
}

describe('Saver', () => {
  it('saves once more for all who ask while it saves', async () => {
    const { saver, ends } = heldSaves()
    const first = saver.save()
    const later = [saver.save(), saver.save()]
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await first
    expect(ends).toHaveLength(2)
    const last = saver.save()
    ends[1]?.()
    await Promise.all(later)
    ends[2]?.()
    await last
    expect(ends).toHaveLength(3)
  })

  it('tells of a failure those who asked for that save, and saves again for others', async () => {
    const { saver, ends } = heldSaves()
    const first = saver.save()
    const second = saver.save()
    ends[0]?.(new Error('the disk is full'))
    await expect(first).rejects.toThrow('the disk is full')
    ends[1]?.()
    await second
    expect(ends).toHaveLength(2)
  })
})
