import { expect, it } from 'vitest'
import { Random } from '../../../../src/mock/state/random.ts'

it('Random gives the sequence of mulberry32, so that a seed means the same in any release', () => {
  const random = new Random(1)
  expect(Array.from({ length: 5 }, () => random.next() / 2 ** 32)).toEqual([
    0.6270739405881613, 0.002735721180215478, 0.5274470399599522, 0.9810509674716741,
    0.9683778982143849,
  ])
})
