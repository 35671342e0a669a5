import type { ApiResponse } from '../../src/mock/api/message.ts'
import { type ControlHost, handleControl } from '../../src/sandbox/controls/http/handle-control.ts'

/**
 * Sends a control request and gives its reply.
 *
 * @param path What comes after `/_sandbox`.
 * @throws Error for a stream.
 */
export async function sendControl(
  host: ControlHost,
  method: string,
  path: string,
  json?: string,
): Promise<ApiResponse> {
  const headers = json === undefined ? {} : { 'content-type': 'application/json' }
  const request = { method, url: `/_sandbox${path}`, headers, body: json ?? '' }
  const reply = await handleControl(request, host)
  if (reply.kind !== 'response') throw new Error(`Cannot give the reply to ${path}: it is a stream`)
  return reply
}
