import { type IncomingMessage, request as open } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request that a benchmark sends. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A reply as it came. */
export interface BenchResponse {
  readonly status: number
  /** Names and values in turn, without those that Node's server writes for each connection. */
  readonly headerLines: readonly string[]
  readonly body: string
}

/** Sends one request on a connection of its own. */
export async function send(port: number, request: BenchRequest): Promise<BenchResponse> {
  const { method, url, headers, body } = request
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    open({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })
  const ofConnection = ['connection', 'keep-alive', 'transfer-encoding']
  const headerLines = reply.rawHeaders.filter(
    (_, index, lines) => !ofConnection.includes((lines[index - (index % 2)] ?? '').toLowerCase()),
  )
  return { status: reply.statusCode ?? 0, headerLines, body: await text(reply) }
}

/** Writes a request as it goes over the wire. */
export function requestBytes({ method, url, headers, body }: BenchRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`,
  )
}
