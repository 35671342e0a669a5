import { expect } from 'vitest'
import { errorCodes } from '../../../src/mock/api/error.ts'
import type { RawReply } from '../../kit/raw-client.ts'

/** The statuses that a client can get for what it did wrong. */
const statuses = [400, 401, 404, 405, 413, 429, 501]

/** Checks that a reply is an Error body with all that comes with it (spec 7, 8). */
export function expectError(reply: RawReply, status: number): void {
  expect(statuses).toContain(reply.status)
  const body: unknown = JSON.parse(reply.body)
  expect({ status: reply.status, headers: reply.headers, body }).toMatchObject({
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(reply.body)),
      date: expect.stringMatching(/ GMT$/),
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
      ...(status === 401 ? { 'www-authenticate': expect.stringMatching(/^Bearer /) } : {}),
      ...(status === 405 ? { allow: expect.stringMatching(/^GET/) } : {}),
      ...(status === 429 ? { 'retry-after': expect.stringMatching(/^\d+$/) } : {}),
    },
  })
  expect(body).toEqual({ code: expect.any(String), message: expect.any(String), status })
  const { code } = body as { readonly code: string }
  expect(Object.keys(errorCodes)).toContain(code)
  expect(reply.headers).not.toHaveProperty('transfer-encoding')
}
