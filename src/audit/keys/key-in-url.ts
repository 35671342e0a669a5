import { OncePerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import { findKey } from './find-key.ts'

/** A target of the API as most are; no key has room in it. */
const plain = /^\/v1\/pets(?:\/-?\d{1,20}|\?(?:(?:limit=\d{1,5}|status=[a-z]{1,10})&?){1,2})?$/

/** An API key in a path or query (spec 5). */
export const keyInUrl: Rule = {
  severity: 'error',
  clause: 'spec 5.2; RFC 6750, 5.3; RFC 9110, 17.9',
  about: 'An API key was sent in a URL.',
  advice:
    'Send the key only in the header Authorization: Bearer <API_KEY>; URLs end up in logs, histories and Referer headers.',
  needsKnowledge: false,
  sees: ['new words'],
  watch() {
    const once = new OncePerOrigin()
    return {
      see(next, { request }, keys) {
        if (plain.test(request.url)) return undefined
        const found = findKey(request.url, keys)
        if (found === undefined || !once.isFirst(next)) return undefined
        return { verdict: `Sent the API key ${found} in the URL.`, exchanges: [next] }
      },
    }
  },
}
