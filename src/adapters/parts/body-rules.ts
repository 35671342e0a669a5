import type { Headers } from '../../contract/message.ts'

const bodilessStatuses: readonly number[] = [204, 205, 304]

/** Whether a reply of a status may have a body (RFC 9110, 15). */
export function mayHaveBody(status: number): boolean {
  return !bodilessStatuses.includes(status)
}

/** The headers of a reply without the length of a body that its status forbids (RFC 9110, 8.6). */
export function headersOnWire(status: number, headers: Headers): Headers {
  if (mayHaveBody(status) || headers['content-length'] === undefined) return headers
  const { 'content-length': _, ...others } = headers
  return others
}
