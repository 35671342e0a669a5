import { basePath } from '../../contract/endpoints.ts'
import { InputError, show } from '../../input/input-error.ts'
import { parseMount } from './mount.ts'

/**
 * One or several base addresses, such as production and staging, each standing for `/v1`: a URL such as
 * `https://api.example.com/v1`, or a path such as `/v1`, which is that of any origin.
 */
export type BaseUrl = string | readonly string[]

/** A base address in two parts. */
interface Base {
  /** `undefined` for any. */
  readonly origin: string | undefined
  /** Without a slash at its end. */
  readonly path: string
}

/**
 * Makes a pattern of the URLs under one of some base addresses; what it matches is the base address.
 *
 * @throws {@link InputError} for a base address that is neither a URL nor a path.
 */
export function basePattern(baseUrl: BaseUrl = basePath): RegExp {
  const bases = typeof baseUrl === 'string' ? [baseUrl] : baseUrl
  return new RegExp(`^(?:${bases.map(parseBase).map(sourceOf).join('|')})(?=[/?#]|$)`)
}

function sourceOf({ origin, path }: Base): string {
  const start = origin === undefined ? 'https?://[^/?#]+' : escapeRegExp(origin)
  return start + escapeRegExp(path)
}

function parseBase(base: string): Base {
  if (base.startsWith('/')) return { origin: undefined, path: parseMount(base) }
  const url = URL.canParse(base) ? new URL(base) : undefined
  const isBase = url?.search === '' && url.hash === '' && /^https?:$/.test(url.protocol)
  if (url !== undefined && isBase) return { origin: url.origin, path: parseMount(url.pathname) }
  throw new InputError(
    `Cannot set the base URL: found ${show(base)}; use a URL such as https://api.example.com/v1, or a path such as /v1`,
  )
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
