import { expect, it } from 'vitest'
import { documentReply } from '../../../../src/control/http/pieces/document-reply.ts'

/** Counts the turns that others have while a document is made, each of whose pieces takes some milliseconds. */
async function turnsOf(pieces: number, ms: number): Promise<number> {
  let now = 0
  function* document(): Generator<string> {
    for (let made = 0; made < pieces; made++) {
      now += ms
      yield '1'
    }
  }
  let turns = 0
  const nextTurn = async (): Promise<void> => {
    turns++
  }
  const reply = await documentReply(200, {}, document(), nextTurn, 0, () => now)
  expect(reply).toMatchObject({ kind: 'reply', body: '1'.repeat(pieces) })
  return turns
}

it.each([
  { pieces: 100, ms: 0, turns: 0 },
  { pieces: 1_100, ms: 0, turns: 2 },
  { pieces: 100, ms: 3, turns: 33 },
  { pieces: 10, ms: 60, turns: 10 },
])('lets others have $turns turns in $pieces pieces of $ms ms', async ({ pieces, ms, turns }) => {
  expect(await turnsOf(pieces, ms)).toBe(turns)
})
