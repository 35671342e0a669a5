import { expect, it } from 'vitest'
import { definedOf } from '../../../../src/mock/input/record.ts'

it('definedOf() leaves out what is undefined, and nothing else', () => {
  const table = { a: undefined, b: null, c: 0, d: '' }
  expect(definedOf(table)).toStrictEqual({ b: null, c: 0, d: '' })
})
