import { maxBodyBytes } from '../../../contract/http/read-request.ts'
import type { ApiRequest, Headers, Outcome } from '../../../contract/message.ts'
import { writeOutcome } from '../write-node-outcome.ts'
import type { Arrival } from './connections.ts'
import { NodeBody, noBody } from './node-body.ts'

/** A request of the API as Node has it, but for its body. */
export interface RequestHead {
  /** As the sandbox knows it. */
  readonly url: string
  readonly headers: Headers
  /** Header lines to add to the reply, names and values in turn. */
  readonly addedLines: readonly string[]
  /** What is wrong with it, if anything. */
  readonly unreadable?: string
}

/**
 * Answers a request of the API in its turn on the connection; resolves when nothing is left to do.
 *
 * @param body What is kept of its body, if others may have read it.
 * @param answer Has taken effect when it returns, whenever it resolves.
 */
export async function answerRequest(
  { request, response, turn }: Arrival,
  head: RequestHead,
  answer: (request: ApiRequest) => Promise<Outcome>,
  body = new NodeBody(request, maxBodyBytes),
): Promise<void> {
  const { method = '' } = request
  await turn.comes
  const isBodiless = method === 'GET' || method === 'HEAD'
  const read = isBodiless ? noBody : await body.read(head.headers['content-length'])
  const answered = answer({ ...head, method, ...read })
  turn.leave()
  await writeOutcome(response, await answered, head.addedLines)
}
