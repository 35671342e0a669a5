import { describe, expect, it } from 'vitest'
import { InputError, MissingError } from '../../src/input/input-error.ts'

describe('InputError', () => {
  it('is a TypeError with a name of its own', () => {
    const error = new InputError('Cannot do it')
    expect(error).toBeInstanceOf(TypeError)
    expect(error.name).toBe('InputError')
  })

  it('says where in the input, or that it is the whole', () => {
    expect(new InputError('Cannot do it', ['pets', 3]).path).toEqual(['pets', 3])
    expect(new InputError('Cannot do it').path).toEqual([])
  })
})

describe('MissingError', () => {
  it('is an InputError with a name of its own', () => {
    const error = new MissingError('Cannot find it')
    expect(error).toBeInstanceOf(InputError)
    expect(error.name).toBe('MissingError')
  })
})
