import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { openServer } from './open-server.ts'

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
