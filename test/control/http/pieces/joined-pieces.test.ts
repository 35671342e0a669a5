import { expect, it } from 'vitest'
import { joinedPieces } from '../../../../src/control/http/pieces/joined-pieces.ts'

it.each([
  { given: [], joined: [] },
  { given: [0, 0], joined: [] },
  { given: [1, 2], joined: [3] },
  { given: [65_535, 1, 4, 70_000, 65_536, 0], joined: [65_536, 70_004, 65_536] },
])('joins pieces of $given characters to some of $joined', ({ given, joined }) => {
  const pieces = given.map((length, index) => String(index).repeat(length))
  const found = [...joinedPieces(pieces)]
  expect(found.map(({ length }) => length)).toEqual(joined)
  expect(found.join('')).toBe(pieces.join(''))
})
