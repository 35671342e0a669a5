import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../mock/api/error.ts'
import type { Headers } from '../mock/api/message.ts'
import { type RejectionReason, show } from '../mock/input/input-error.ts'

/** Access rules of the control API. */
export interface GuardOptions {
  /** Names that `Host` may have besides those of the loopback, without a port. */
  readonly allowedHosts: readonly string[]
  /** Bearer token that requests must carry; `undefined` if no token is required. */
  readonly token: string | undefined
}

/**
 * Protects the control API from pages of other sites, from DNS names rebound to this address, and from clients without
 * the token, if one is set. It checks only the headers, so that a request is rejected before its body is read.
 *
 * @param authority The host and port of an absolute target, which must be allowed, too.
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

/** Returns whether an address or name can only be this machine. */
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
