import { basePath } from '../../mock/api/endpoints.ts'
import { type Optional, oneOrMany, withDefault } from '../../mock/input/object.ts'
import { type Input, type Output, type Schema, written } from '../../mock/input/schema.ts'

/** The path of a URL. */
const pathPattern = /^\/[^?#\s]*$/

/** A base address, split in two parts. */
export interface BaseAddress {
  /** `undefined` matches any origin. */
  readonly origin: string | undefined
  /** Without a trailing slash. */
  readonly path: string
}

const baseAddress = written<string, BaseAddress>(
  {
    use: 'a URL such as https://api.example.com/v1, or a path such as /v1',
    jsonSchema: { type: 'string', format: 'uri-reference' },
    read: readBase,
  },
  ({ origin = '', path }) => `${origin}${path}` || '/',
)

/** One or several base addresses. */
export const baseUrl: Schema<string | readonly string[], BaseAddress | BaseAddress[]> =
  oneOrMany(baseAddress)

/**
 * One or several base addresses of the API, such as production and staging: a URL such as `https://api.example.com/v1`,
 * or a path such as `/v1` for any origin.
 */
export type BaseUrl = Input<typeof baseUrl>

/** The base addresses as an option; by default `/v1` of any origin. */
export const baseUrlOption: Optional<BaseUrl, Output<typeof baseUrl>> = withDefault(baseUrl, {
  origin: undefined,
  path: basePath,
})

/** Creates a pattern that matches the base address at the start of a URL. */
export function basePattern(bases: Output<typeof baseUrl>): RegExp {
  return new RegExp(`^(?:${[bases].flat().map(sourceOf).join('|')})(?=[/?#]|$)`)
}

function sourceOf({ origin, path }: BaseAddress): string {
  const start = origin === undefined ? 'https?://[^/?#]+' : escapeRegExp(origin)
  return start + escapeRegExp(path)
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Parses a path and removes a trailing slash; `undefined` if the input isn't a path. */
function readPath(found: unknown): string | undefined {
  if (typeof found !== 'string' || !pathPattern.test(found)) return undefined
  return found.replace(/\/+$/, '')
}

function readBase(found: unknown): BaseAddress | undefined {
  if (typeof found !== 'string') return undefined
  if (found.startsWith('/')) {
    const path = readPath(found)
    return path === undefined ? undefined : { origin: undefined, path }
  }
  const url = URL.canParse(found) ? new URL(found) : undefined
  if (url?.search !== '' || url.hash !== '' || !/^https?:$/.test(url.protocol)) return undefined
  const path = readPath(url.pathname)
  return path === undefined ? undefined : { origin: url.origin, path }
}

/** The path that corresponds to `/v1`, parsed without a trailing slash. */
export const apiPath: Schema<string> = written<string, string>(
  {
    use: 'a path such as /v1 or /api/v1',
    jsonSchema: { type: 'string', pattern: pathPattern.source },
    read: readPath,
  },
  (path) => path || '/',
)
