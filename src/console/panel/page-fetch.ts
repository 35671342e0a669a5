import { pathOf } from '../../checks/reports/request-text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'

/** Frames of the stack that are of libraries, of this package, or of the browser. */
const foreign =
  /node_modules|petstore|show-panel|page-fetch|msw|\.vite\/|chrome-extension|<anonymous>/

/** Maximum number of requests that are remembered. */
const maxCalls = 500

/** Wraps the page's `fetch` while the panel is open: remembers who sent a request, and may send it with another key. */
export class PageFetch {
  /** The key that requests to the API are sent with: `''` for none, `undefined` for the page's own. */
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

  /** Gives the page its own `fetch` back, unless somebody has wrapped this one. */
  end(): void {
    this.actAs = undefined
    if (globalThis.fetch === this.#wrapper) globalThis.fetch = this.#before
  }

  /** Returns the line of the page's code that sent a request like this last. */
  sentFrom({ request }: RequestView): string | undefined {
    const line = `${request.method} ${pathOf(request)}`
    return this.#calls.findLast((call) => call.line === line)?.frame
  }
}

/** Returns the first frame of a stack that is the page's own, as `cart.ts:12:3`. */
export function ownFrame(stack: string): string | undefined {
  const frames = stack.split('\n').filter((line) => /:\d+:\d+/.test(line))
  const own = frames.slice(1).find((line) => !foreign.test(line))
  const [, name = ''] = /(?:\/|\(|@)([^/()@]+:\d+:\d+)\)?$/.exec(own?.trim() ?? '') ?? []
  return name === '' ? undefined : name.replace(/\?[^:]*/, '')
}
