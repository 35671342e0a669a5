import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../contract/error.ts'
import type { Headers } from '../contract/message.ts'
import { show } from '../input/show.ts'

/** Who may use the control API. */
export interface GuardOptions {
  /** Names beyond those of the loopback that `Host` may have, without a port. */
  readonly allowedHosts: readonly string[]
  /** What requests must carry as a bearer token; `undefined` for nothing. */
  readonly token: string | undefined
}

/**
 * Keeps strangers out of the control API: pages of other sites, names that were rebound to this address, and,
 * where a token is asked for, all who don't know it.
 *
 * @throws {@link ApiError} `forbidden`; then nothing is changed.
 */
export function enforceGuard(headers: Headers, { allowedHosts, token }: GuardOptions): void {
  const { host = '', origin, authorization = '' } = headers
  const name = host.replace(/:\d*$/, '').toLowerCase()
  if (!isLoopback(name) && !allowedHosts.includes(name)) {
    const named = /^[a-z\d.-]{0,59}[a-z\d]$/.test(name) ? name : 'NAME'
    throw forbidden(
      `Host is ${show(host)}; use a loopback address, or start with --allowed-host ${named}`,
    )
  }
  if (origin !== undefined && !isSameOrigin(origin, host)) {
    throw forbidden(
      `it comes from a page of ${show(origin)}; use the control API from outside of a page`,
    )
  }
  const site = headers['sec-fetch-site']
  const isFromPage = site === 'cross-site' || site === 'same-site'
  if (isFromPage && headers['sec-fetch-mode'] !== 'navigate') {
    throw forbidden('it comes from a page of another site')
  }
  const sent = authorization.replace(/^bearer +/i, '')
  if (token !== undefined && (sent === '' || !isEqual(sent, token))) {
    throw forbidden('it has no valid control token; send Authorization: Bearer <control token>')
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

function forbidden(why: string): ApiError {
  return new ApiError('forbidden', `Cannot use the control API: ${why}`)
}

/** Compares in a time that tells nothing of where texts differ. */
function isEqual(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}
