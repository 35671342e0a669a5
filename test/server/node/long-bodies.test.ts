import { expect, it } from 'vitest'
import { LongBodies } from '../../../src/server/node/long-bodies.ts'

/** Bodies that note when they go on. */
function bodiesWith(count: number) {
  const gone: number[] = []
  const bodies = Array.from({ length: count }, (_, number) => ({ goOn: () => gone.push(number) }))
  return { gone, bodies }
}

it('lets so many be read at once, and the others as they came, each when one has left', () => {
  const long = new LongBodies(2, 100)
  const { gone, bodies } = bodiesWith(5)
  expect(bodies.map((body) => long.enter(body))).toEqual([true, true, false, false, false])
  const [first, second, third, fourth, fifth] = bodies
  if (first !== undefined) long.leave(first)
  expect(gone).toEqual([2])
  // Its client has left before it had room.
  if (fourth !== undefined) long.leave(fourth)
  if (third !== undefined) long.leave(third)
  expect(gone).toEqual([2, 4])
  for (const body of [second, fifth]) if (body !== undefined) long.leave(body)
  const next = bodiesWith(3).bodies
  expect(next.map((body) => long.enter(body))).toEqual([true, true, false])
})
