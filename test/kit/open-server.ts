import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves what a test says until it is closed, on a free port unless it names one. */
export async function openServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  port = 0,
) {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const found = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${found.port}`,
    port: found.port,
    close,
    /** Breaks every connection. */
    dropAll: () => server.closeAllConnections(),
  }
}

/** Answers with an empty page. */
export function emptyPage(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>')
}
