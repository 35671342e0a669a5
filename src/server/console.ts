import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { packageFolder } from './package-folder.ts'
import { type ShownFile, type Target, writeError } from './site.ts'

const root = '/_sandbox'

/** Where the console is; it shows a named sandbox with `?sandbox=NAME`. */
const consolePath = `${root}/ui/`

/** Where the list of controls is for who runs no scripts, also where a browser asked for a token gets none. */
const controlsPath = `${root}/controls`

/** All that a page may do: what comes from the process, and nothing else; of the playground, not even that. */
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

/** The page that has the whole sandbox in itself. */
export const playgroundPage = 'playground.html'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Finds a file of the console by what comes after its path: those that its build made, and the rendered documents. */
function fileOf(name: string): readonly [path: string, type: string] | undefined {
  // The page has one address.
  if (name === 'index.html') return undefined
  const file = name === '' ? 'index.html' : name
  const type = types[/^[\w-]+\.(html|js|css)$/.exec(file)?.[1] ?? '']
  return type === undefined ? undefined : [`dist/console/${file}`, type]
}

/** What becomes of a control request that is about the console. */
type ConsoleAnswer =
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'redirect'; readonly to: string }
  /** The list of controls as a page. */
  | { readonly kind: 'controls' }

/**
 * Finds what the console answers; `undefined` for a request of the control API. None of it is data of a sandbox.
 *
 * @param accept What the client accepts: the root of the controls is the console for browsers only.
 */
export function findConsole(
  method: string,
  { name, url }: Target,
  accept: string,
): ConsoleAnswer | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const [path = '', query] = url.split(/\?(.*)/s)
  if (path === controlsPath) return { kind: 'controls' }
  const isRoot = path === root || path === `${root}/`
  const isConsole = `${path}/`.startsWith(consolePath)
  if (!isConsole && !(isRoot && accept.includes('text/html'))) return undefined
  if (name !== undefined) {
    // One page serves all sandboxes.
    return { kind: 'redirect', to: `${consolePath}?${new URLSearchParams({ sandbox: name })}` }
  }
  if (isRoot || `${path}/` === consolePath) {
    return { kind: 'redirect', to: consolePath + (query === undefined ? '' : `?${query}`) }
  }
  return { kind: 'file', name: path.slice(consolePath.length) }
}

/**
 * Answers for the console.
 *
 * @param file The file that the server shows, if it is there for that: the page is told.
 */
export async function writePage(
  response: ServerResponse,
  answer: Exclude<ConsoleAnswer, { kind: 'controls' }>,
  file: ShownFile | undefined,
): Promise<void> {
  if (answer.kind === 'redirect') {
    response.sendDate = true
    response.writeHead(302, {
      Location: answer.to,
      Vary: 'Accept',
      'Cache-Control': 'no-store',
      'Content-Length': '0',
    })
    response.end()
    return
  }
  const isPage = answer.name === ''
  const isPlayground = answer.name === playgroundPage
  const [path, type = ''] = fileOf(answer.name) ?? []
  const read = path && (await readFile(join(packageFolder(), path)).catch(() => undefined))
  if (!read) {
    const message = isPage
      ? `Cannot show the console: the package has no ${path}; install it whole`
      : 'Cannot find the file: the console has none of this name'
    writeError(response, 404, message)
    return
  }
  const bytes =
    file === undefined || !(isPage || isPlayground) ? read : Buffer.from(pageOf(String(read), file))
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

/** Writes a file into a page that shows it: its name, and for the playground its text. */
export function pageOf(page: string, { name, text }: ShownFile): string {
  const escaped = name.replace(/[^ \w.-]/gu, (found) => `&#${found.codePointAt(0)};`)
  // A data block ends at the first `</script`, wherever that stands.
  const json = text.replaceAll('<', '\\u003c')
  const block = `<script type="application/json" id="run" data-name="${escaped}">${json}</script>\n`
  const isPlayground = page.includes('src="playground.js"')
  return (isPlayground ? page.replace('</body>', () => `${block}</body>`) : page).replace(
    '<html ',
    () => `<html data-file="${escaped}" `,
  )
}
