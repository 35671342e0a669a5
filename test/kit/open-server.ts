import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

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

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Serves a folder as any web server would: files and their types, and nothing else. */
export async function serveFolder(folder: string, path = '/') {
  const server = await openServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const name = normalize(pathname.slice(path.length) || 'index.html')
    const content =
      pathname.startsWith(path) && (await readFile(join(folder, name)).catch(() => {}))
    response.statusCode = content ? 200 : 404
    response.setHeader('content-type', types[extname(name)] ?? 'text/plain')
    response.end(content || '')
  })
  return { url: `${server.url}${path}`, [Symbol.asyncDispose]: server.close }
}
