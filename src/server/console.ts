import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Headers } from '../mock/api/message.ts'
import { packageFolder } from './package-folder.ts'
import { defaultPort } from './server-options.ts'
import { type ShownFile, type Site, type Target, writeError } from './site.ts'

const root = '/_sandbox'

/** Path of the console; `?sandbox=NAME` shows a named sandbox. */
const consolePath = `${root}/ui/`

/**
 * Path of the list of controls, for users without scripts; a browser without the token gets the console here instead.
 */
const controlsPath = `${root}/controls`

/** Content security policy of a page: it loads only from this server, and the playground sends no requests at all. */
const policyOf = (connect: "'self'" | "'none'"): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${connect}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** Page for a browser that opens the address of the server. */
const startPage = 'start.html'

/** Address in that page, which the server's own one replaces. */
const defaultOrigin = `http://127.0.0.1:${defaultPort}`

/** The page that contains a whole sandbox. */
export const playgroundPage = 'playground.html'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Returns the file for a path below the console's: a file of its build, or a rendered document. */
function fileOf(name: string): readonly [path: string, type: string] | undefined {
  // The page has only one address.
  if (name === 'index.html') return undefined
  const file = name === '' ? 'index.html' : name
  const type = types[/^[\w-]+\.(html|js|css)$/.exec(file)?.[1] ?? '']
  return type === undefined ? undefined : [`dist/console/${file}`, type]
}

/** Response to a control request for the console. */
type ConsoleResponse =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'redirect'; readonly to: string }
  /** List of controls as a page. */
  | { readonly kind: 'controls' }

/**
 * Returns the console's response; `undefined` for a request to the control API. The response never contains sandbox
 * data.
 *
 * @param accept The `Accept` header: the root of the controls is the console only for browsers.
 */
export function findConsole(
  method: string,
  { name, url }: Target,
  accept: string,
): ConsoleResponse | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const [path = '', query] = url.split(/\?(.*)/s)
  if (path === controlsPath) return { kind: 'controls' }
  const isRoot = path === root || path === `${root}/`
  const isConsole = `${path}/`.startsWith(consolePath)
  if (!isConsole && !(isRoot && accept.includes('text/html'))) return undefined
  if (name !== undefined) {
    // One page shows all sandboxes.
    return { kind: 'redirect', to: `${consolePath}?${new URLSearchParams({ sandbox: name })}` }
  }
  if (isRoot || `${path}/` === consolePath) {
    return { kind: 'redirect', to: consolePath + (query === undefined ? '' : `?${query}`) }
  }
  return { kind: 'file', name: path.slice(consolePath.length) }
}

/**
 * Returns the redirection of a browser that opens the address of the server; `undefined` for a client of the API, which
 * sends a key or accepts no page.
 */
export function findStart(
  method: string | undefined,
  { kind, local }: Target,
  { accept = '', authorization }: Headers,
): Extract<ConsoleResponse, { kind: 'redirect' }> | undefined {
  const isRead = method === 'GET' || method === 'HEAD'
  const isRoot = kind === 'elsewhere' && local === '/'
  if (!isRead || !isRoot || authorization !== undefined || !accept.includes('text/html')) {
    return undefined
  }
  return { kind: 'redirect', to: consolePath + startPage }
}

/**
 * Writes the console's response.
 *
 * @param site Its file, if it shows one, is embedded in the page.
 */
export async function writePage(
  response: ServerResponse,
  wanted: Exclude<ConsoleResponse, { kind: 'controls' }>,
  { file, origin }: Pick<Site, 'file' | 'origin'>,
): Promise<void> {
  const isConsole = wanted.kind === 'file' && ['', startPage].includes(wanted.name)
  // A file is shown by the playground.
  const content =
    isConsole && file !== undefined
      ? ({ kind: 'redirect', to: consolePath + playgroundPage } as const)
      : wanted
  if (content.kind === 'redirect') {
    response.sendDate = true
    response.writeHead(302, {
      Location: content.to,
      Vary: 'Accept',
      'Cache-Control': 'no-store',
      'Content-Length': '0',
    })
    response.end()
    return
  }
  const isPage = content.name === ''
  const isPlayground = content.name === playgroundPage
  const [path, type = ''] = fileOf(content.name) ?? []
  const read = path && (await readFile(join(packageFolder(), path)).catch(() => undefined))
  if (!read) {
    const message = isPage
      ? `Cannot show the console: the package has no ${path}; install it whole`
      : 'Cannot find the file: the console has none of this name'
    writeError(response, 404, message)
    return
  }
  const bytes =
    content.name === startPage
      ? Buffer.from(String(read).replaceAll(defaultOrigin, origin()))
      : file === undefined || !isPlayground
        ? read
        : Buffer.from(pageOf(String(read), file))
  response.sendDate = true
  response.writeHead(200, {
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    'Content-Security-Policy': policyOf(isPlayground ? "'none'" : "'self'"),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
  })
  response.end(bytes)
}

/** Embeds a file in the playground: its name and its text. */
export function pageOf(page: string, { name, text }: ShownFile): string {
  const escaped = name.replace(/[^ \w.-]/gu, (found) => `&#${found.codePointAt(0)};`)
  // A data block ends at the first `</script`, even inside a string.
  const json = text.replaceAll('<', '\\u003c')
  const block = `<script type="application/json" id="run" data-name="${escaped}">${json}</script>\n`
  return page.replace('</body>', () => `${block}</body>`)
}
