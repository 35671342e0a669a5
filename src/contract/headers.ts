/**
 * The header fields of replies by lower-case name: the spelling on the wire, what they mean, and an example.
 * CORS exposes those marked `exposed`; the others every browser shows to scripts anyway.
 */
export const replyHeaders = {
  'content-type': {
    spelling: 'Content-Type',
    about: 'Always application/json (spec 1).',
    exposed: false,
  },
  'content-length': { spelling: 'Content-Length', about: 'Bytes of the body.', exposed: false },
  date: { spelling: 'Date', about: "The sandbox's clock.", exposed: true },
  'x-ratelimit-limit': {
    spelling: 'X-RateLimit-Limit',
    about: 'The applicable request limit (spec 8).',
    exposed: true,
  },
  'x-ratelimit-remaining': {
    spelling: 'X-RateLimit-Remaining',
    about: 'Requests remaining in the current window (spec 8).',
    exposed: true,
  },
  'x-ratelimit-reset': {
    spelling: 'X-RateLimit-Reset',
    about: 'Unix timestamp, in seconds, at which the limit resets (spec 8).',
    exposed: true,
  },
  'retry-after': {
    spelling: 'Retry-After',
    about:
      'When to retry: seconds, or an HTTP date where the gap retryAfterFormat says so (spec 8).',
    exposed: true,
  },
  deprecation: {
    spelling: 'Deprecation',
    about: 'Since when the operation is deprecated: RFC 9745 (spec 9).',
    exposed: true,
  },
  sunset: {
    spelling: 'Sunset',
    about: 'When the operation is removed: RFC 8594 (spec 4.3).',
    exposed: true,
  },
  link: { spelling: 'Link', about: 'What to use instead: RFC 8288 (spec 4.3).', exposed: true },
  'www-authenticate': {
    spelling: 'WWW-Authenticate',
    about: 'The scheme to authenticate with: RFC 6750 (spec 5).',
    exposed: true,
  },
  allow: { spelling: 'Allow', about: 'The methods of the path: RFC 9110.', exposed: false },
} as const

export type ReplyHeader = keyof typeof replyHeaders

/** Gives a reply's header name as the wire shows it. */
export function spellHeader(name: string): string {
  return Object.hasOwn(replyHeaders, name) ? replyHeaders[name as ReplyHeader].spelling : name
}
