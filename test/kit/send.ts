import type { ApiRequest, ApiResponse } from '../../src/mock/api/message.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { expectConformity } from './conformity.ts'

/** A request of a test: what is left out is a GET with the key of the Free plan. */
export type TestRequest = Partial<ApiRequest> & {
  /** The API key to send; `null` for none. */
  readonly key?: string | null
  /** A body to send as JSON text. */
  readonly json?: string
}

/** Makes a whole request. */
export function requestOf({ key = 'free-key', json, ...request }: TestRequest): ApiRequest {
  return {
    method: json === undefined ? 'GET' : 'POST',
    url: '/v1/pets',
    body: json ?? '',
    ...request,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
  }
}

/**
 * Sends a request to a sandbox and gives its reply.
 *
 * @throws Error when the reply is not as the API is described; a test of faults calls `sandbox.handle` instead.
 */
export async function send(sandbox: Sandbox, request: TestRequest = {}): Promise<ApiResponse> {
  const whole = requestOf(request)
  const outcome = await sandbox.handle(whole)
  if (outcome.kind !== 'response')
    throw new Error('Cannot give the reply: the connection was broken')
  expectConformity(whole, outcome)
  return outcome
}

/** Sends the same request a number of times, one after the other, and gives the replies in order. */
export async function sendMany(
  sandbox: Sandbox,
  count: number,
  request: TestRequest = {},
): Promise<ApiResponse[]> {
  const replies: ApiResponse[] = []
  while (replies.length < count) replies.push(await send(sandbox, request))
  return replies
}
