import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { limitedTo } from '../../../../src/cli/check/baseline.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

/** Runs four tasks of a second each, and returns how many run after each start and end. */
async function courseOf(fitting: number): Promise<readonly number[]> {
  const atOnce = limitedTo({ jobs: 1, maxJobs: 3 }, () => ({ fitting: () => fitting }))
  const course: number[] = []
  let running = 0
  const task = async (): Promise<void> => {
    course.push(++running)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    course.push(--running)
  }
  const all = Promise.all([1, 2, 3, 4].map(() => atOnce(task)))
  await vi.runAllTimersAsync()
  await all
  return course
}

describe('limitedTo()', () => {
  it.each([
    { processors: 'work', fitting: 1, course: [1, 0, 1, 0, 1, 0, 1, 0] },
    { processors: 'are idle', fitting: 3, course: [1, 2, 3, 2, 3, 2, 1, 0] },
  ])('starts more tasks only if the processors are idle: they $processors', async (given) => {
    expect(await courseOf(given.fitting)).toEqual(given.course)
  })
})
