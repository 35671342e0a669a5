import { createHash, timingSafeEqual } from 'node:crypto'
import { type RejectionReason, show } from '../mock/input/input-error.ts'
import { ApiError } from '../mock/spec/error.ts'
import type { Headers } from '../mock/spec/message.ts'

/** Who may use the control API. */
export interface GuardOptions {
  /** Names that `Host` may have besides those of the loopback, without a port. */
  readonly allowedHosts: readonly string[]
  /** The bearer token that requests must carry; `undefined` for none. */
  readonly token: string | undefined
}

/**
 * Keeps strangers out of the control API: pages of other sites, DNS names rebound to this address, and clients without
 * the token, if there is one. It goes by the head of a request alone: nothing of its body is read before.
 *
 * @param authority The host and port that an absolute target names: it has to be allowed, too.
 * @throws {@link ApiError} `forbidden`
 */
export function enforceGuard(
  headers: Headers,
  { allowedHosts, token }: GuardOptions,
  authority?: string,
): void {
  const { host = '', origin, authorization = '' } = headers
  for (const named of authority === undefined ? [host] : [host, authority]) {
    const name = named.replace(/:\d*$/, '').toLowerCase()
    if (isLoopback(name) || allowedHosts.includes(name)) continue
    const suggested = /^[a-z\d.-]{0,59}[a-z\d]$/.test(name) ? name : 'NAME'
    throw forbidden(
      `Host is ${show(named)}; use a loopback address, or start with --allowed-host ${suggested}`,
    )
  }
  if (origin !== undefined && !isSameOrigin(origin, host)) {
    throw forbidden(`the request comes from a page of ${show(origin)}; send it from outside a page`)
  }
  const site = headers['sec-fetch-site']
  const isFromPage = site === 'cross-site' || site === 'same-site'
  if (isFromPage && headers['sec-fetch-mode'] !== 'navigate') {
    throw forbidden('the request comes from a page of another site; send it from outside a page')
  }
  const sent = authorization.replace(/^bearer +/i, '')
  if (token !== undefined && (sent === '' || !isEqual(sent, token))) {
    throw forbidden(
      'the request has no valid control token; send Authorization: Bearer <control token>',
      'unauthorized',
    )
  }
}

/** Whether an address or name can only be this machine. */
export function isLoopback(name: string): boolean {
  return (
    /^(?:[a-z\d-]+\.)*localhost$/.test(name) ||
    name === '[::1]' ||
    name === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  )
}

function isSameOrigin(origin: string, host: string): boolean {
  return origin.replace(/^https?:\/\//, '').toLowerCase() === host.toLowerCase()
}

function forbidden(why: string, reason: RejectionReason = 'forbidden'): ApiError {
  return new ApiError('forbidden', `Cannot use the control API: ${why}`, { reason })
}

/** Compares in constant time. */
function isEqual(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}
