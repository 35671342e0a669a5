import type { ApiResponse } from '../../src/mock/api/message.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { send, type TestRequest } from './send.ts'

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
