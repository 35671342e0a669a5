import { pathOf } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'

/** Stack frames of libraries, of this package and of the browser. */
const foreign =
  /node_modules|petstore|show-panel|page-fetch|msw|\.vite\/|chrome-extension|<anonymous>/

/** Maximum number of remembered requests. */
const maxCalls = 500

/**
 * Wraps the page's `fetch` while the panel is open: it remembers the code that sent each request, and can replace the
 * key.
 */
export class PageFetch {
  /** Key for requests to the API: `''` to send none, `undefined` to keep the page's own. */
  actAs: string | undefined
  #before = globalThis.fetch
  readonly #calls: { readonly line: string; readonly frame: string }[] = []
  readonly #wrapper: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    if (!/\/v1(?:\/|$)/.test(pathname)) return this.#before.call(globalThis, input, init)
    const frame = ownFrame(new Error('stack').stack ?? '')
    if (frame !== undefined)
      this.#calls.push({ line: `${request.method} ${pathname}${search}`, frame })
    if (this.#calls.length > maxCalls) this.#calls.shift()
    if (this.actAs === undefined) return this.#before.call(globalThis, input, init)
    if (this.actAs === '') request.headers.delete('authorization')
    else request.headers.set('authorization', `Bearer ${this.actAs}`)
    return this.#before.call(globalThis, request)
  }

  begin(): void {
    this.#before = globalThis.fetch
    globalThis.fetch = this.#wrapper
  }

  /** Restores the page's own `fetch`, unless other code has wrapped this one. */
  end(): void {
    this.actAs = undefined
    if (globalThis.fetch === this.#wrapper) globalThis.fetch = this.#before
  }

  /** Returns the position in the page's code that last sent such a request. */
  sentFrom({ request }: RequestView): string | undefined {
    const line = `${request.method} ${pathOf(request)}`
    return this.#calls.findLast((call) => call.line === line)?.frame
  }
}

/** Returns the first stack frame of the page's own code, as `cart.ts:12:3`. */
export function ownFrame(stack: string): string | undefined {
  const frames = stack.split('\n').filter((line) => /:\d+:\d+/.test(line))
  const own = frames.slice(1).find((line) => !foreign.test(line))
  const [, name = ''] = /(?:\/|\(|@)([^/()@]+:\d+:\d+)\)?$/.exec(own?.trim() ?? '') ?? []
  return name === '' ? undefined : name.replace(/\?[^:]*/, '')
}
