import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { yaml } from '../../../../build/yaml.ts'
import { openServer } from '../../../kit/open-server.ts'

/** The versions of MSW that pages have. */
export type MswName = 'msw' | 'msw2'

/** A site with a page that has the parts of `page.ts`. */
export interface Site {
  readonly url: string
  /** The paths that were asked for, but for those of the page itself. */
  readonly asked: string[]
  close(): Promise<void>
}

/** How a site differs from others. */
interface SiteOptions {
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** A name of this machine, such as `a.localhost`: what browsers keep, they keep for it and its port. */
  readonly host?: string
}

function file(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** MSW's own worker script. */
export function workerScript(name: MswName): string {
  return readFileSync(file(`../../../../node_modules/${name}/lib/mockServiceWorker.js`), 'utf8')
}

/** Bundles the page, or another one, with a version of MSW. */
export async function buildPage(name: MswName, input = file('page.ts')): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: file('.'),
    plugins: [yaml],
    resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: name }] },
    build: {
      write: false,
      minify: true,
      rolldownOptions: {
        input,
        output: { codeSplitting: false, entryFileNames: 'page.js' },
      },
    },
  })
  const [output] = [result].flat()
  const [chunk] = output !== undefined && 'output' in output ? output.output : []
  if (chunk === undefined) throw new Error('Cannot serve the page: nothing was built')
  return chunk.code
}

/**
 * Serves a page on the loopback.
 *
 * @param files Text by path, beside that of the page; every other path gets 404.
 */
export async function serve(
  code: string,
  files: Readonly<Record<string, string>>,
  { headers = {}, host = 'localhost' }: SiteOptions = {},
): Promise<Site> {
  const asked: string[] = []
  const { port, close } = await openServer((request, response) => {
    const path = request.url ?? ''
    const own: Readonly<Record<string, string>> = {
      '/': '<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main><script type="module" src="/page.js"></script>',
      '/sub/': '<!doctype html><script type="module" src="/page.js"></script>',
      '/page.js': code,
      '/favicon.ico': '',
    }
    const text = files[path] ?? own[path]
    if (own[path] === undefined) asked.push(path)
    const isScript = path.endsWith('.js') && text?.startsWith('<') !== true
    response.writeHead(text === undefined ? 404 : 200, {
      ...headers,
      'content-type': isScript ? 'text/javascript' : 'text/html',
    })
    response.end(text)
  })
  return { url: `http://${host}:${port}/`, asked, close }
}
