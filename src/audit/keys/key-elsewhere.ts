import type { ApiRequest } from '../../contract/message.ts'
import { OncePerOrigin } from '../per-origin.ts'
import type { Found, Keys, Rule } from '../rule.ts'
import { findKey } from './find-key.ts'
import { plainHeaders } from './plain-headers.ts'

/** An API key in another place than the one header (spec 5). */
export const keyElsewhere: Rule = {
  severity: 'error',
  clause: 'spec 5.2; RFC 6750, 2.1',
  about:
    'An API key was sent in the body or in another header; in Authorization without the scheme Bearer, this is a warning.',
  advice: 'Send the key in the header Authorization: Bearer <API_KEY>, and nowhere else.',
  needsKnowledge: false,
  sees: ['new words'],
  watch() {
    const once = new OncePerOrigin()
    return {
      see(next, { request }, keys) {
        const found = keyOutside(request, keys) ?? keyWithoutScheme(request, keys)
        if (found === undefined || !once.isFirst(next)) return undefined
        return { ...found, exchanges: [next] }
      },
    }
  },
}

type Place = Pick<Found, 'verdict' | 'severity'>

function keyOutside({ headers, body }: ApiRequest, keys: Keys): Place | undefined {
  for (const name in headers) {
    if (plainHeaders.has(name)) continue
    const found = findKey(headers[name] ?? '', keys)
    if (found !== undefined) return { verdict: `Sent the API key ${found} in the header ${name}.` }
  }
  const found = body === '' ? undefined : findKey(body, keys)
  return found === undefined ? undefined : { verdict: `Sent the API key ${found} in the body.` }
}

function keyWithoutScheme({ headers }: ApiRequest, keys: Keys): Place | undefined {
  const { authorization } = headers
  if (authorization === undefined || authorization.startsWith('Bearer ')) return undefined
  if (/^bearer /i.test(authorization)) return undefined
  const found = findKey(authorization, keys)
  if (found === undefined) return undefined
  return {
    verdict: `Sent the API key ${found} in Authorization without the scheme Bearer.`,
    severity: 'warning',
  }
}
