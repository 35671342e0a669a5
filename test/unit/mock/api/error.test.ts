import { describe, expect, it } from 'vitest'
import { ApiError, invalidRequest } from '../../../../src/mock/api/error.ts'

describe('ApiError', () => {
  it('notes no stack, which takes longer than the rest of a rejected request', () => {
    const rejection = invalidRequest('Cannot use limit: found 0; send 1', 'invalidQuery')
    expect(rejection).not.toBeInstanceOf(Error)
    expect({ ...rejection }).toEqual({
      code: 'invalid_request',
      message: 'Cannot use limit: found 0; send 1',
      status: 400,
      headers: {},
      gap: 'invalidQuery',
      retryAt: undefined,
    })
  })

  it('has the status of its code unless another is given', () => {
    expect(new ApiError('internal_error', 'Cannot go on').status).toBe(500)
    expect(new ApiError('internal_error', 'Cannot go on', { status: 503 }).status).toBe(503)
  })
})
