import type { ServerResponse } from 'node:http'
import { codeOfStatus } from '../contract/error.ts'
import { toJson } from '../contract/json/json.ts'

/** Writes an Error body that is no reply of a sandbox. */
export function writeError(response: ServerResponse, status: number, message: string): void {
  const body = toJson({ code: codeOfStatus(status), message, status })
  const length = Buffer.byteLength(body)
  // By the system's clock, since no sandbox answers.
  response.sendDate = true
  response.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', String(length)])
  response.end(body)
}
