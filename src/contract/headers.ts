const httpDate = {
  type: 'string',
  pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
} as const

/**
 * The header fields of replies by lower-case name: the spelling on the wire, what they mean, and their form
 * as JSON Schema with an example. CORS exposes those marked `exposed`.
 */
export const replyHeaders = {
  'content-type': {
    spelling: 'Content-Type',
    about: 'Always application/json (spec 1).',
    schema: { const: 'application/json' },
    exposed: false,
  },
  'content-length': {
    spelling: 'Content-Length',
    about: 'Bytes of the body.',
    schema: { type: 'integer', minimum: 0, examples: [2] },
    exposed: false,
  },
  date: {
    spelling: 'Date',
    about: "The sandbox's clock.",
    schema: { ...httpDate, examples: ['Fri, 15 Jan 2027 08:00:20 GMT'] },
    exposed: true,
  },
  'x-ratelimit-limit': {
    spelling: 'X-RateLimit-Limit',
    about: 'The applicable request limit (spec 8).',
    schema: { type: 'integer', minimum: 1, examples: [60] },
    exposed: true,
  },
  'x-ratelimit-remaining': {
    spelling: 'X-RateLimit-Remaining',
    about: 'Requests remaining in the current window (spec 8).',
    schema: { type: 'integer', minimum: 0, examples: [59] },
    exposed: true,
  },
  'x-ratelimit-reset': {
    spelling: 'X-RateLimit-Reset',
    about: 'Unix timestamp, in seconds, at which the limit resets (spec 8).',
    schema: { type: 'integer', format: 'int64', minimum: 0, examples: [1800000060] },
    exposed: true,
  },
  'retry-after': {
    spelling: 'Retry-After',
    about:
      'When to retry: seconds, or an HTTP date where the gap retryAfterFormat says so (spec 8).',
    schema: { oneOf: [{ type: 'integer', minimum: 1 }, httpDate], examples: [40] },
    exposed: true,
  },
  deprecation: {
    spelling: 'Deprecation',
    about: 'Since when the operation is deprecated: RFC 9745 (spec 9).',
    schema: { type: 'string', pattern: '^(@\\d+|true)$', examples: ['@1764892800'] },
    exposed: true,
  },
  sunset: {
    spelling: 'Sunset',
    about: 'When the operation is removed: RFC 8594 (spec 4.3).',
    schema: { ...httpDate, examples: ['Thu, 05 Dec 2030 00:00:00 GMT'] },
    exposed: true,
  },
  link: {
    spelling: 'Link',
    about: 'What to use instead: RFC 8288 (spec 4.3).',
    schema: {
      type: 'string',
      pattern: '^<[^>]+>; rel="successor-version"$',
      examples: ['</v1/pets>; rel="successor-version"'],
    },
    exposed: true,
  },
  'www-authenticate': {
    spelling: 'WWW-Authenticate',
    about: 'The scheme to authenticate with: RFC 6750 (spec 5).',
    schema: {
      type: 'string',
      pattern: '^Bearer realm="petstore"',
      examples: ['Bearer realm="petstore"'],
    },
    exposed: true,
  },
  allow: {
    spelling: 'Allow',
    about: 'The methods of the path: RFC 9110.',
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$', examples: ['GET, HEAD, POST'] },
    exposed: false,
  },
} as const

export type ReplyHeader = keyof typeof replyHeaders

/** The header fields of every reply, beside those of its body (spec 8). */
export const headersOfEveryReply = [
  'date',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const satisfies readonly ReplyHeader[]

/** The header fields that announce a removal, which a gap can leave out (spec 4.3, 9). */
export const headersOfDeprecation = [
  'deprecation',
  'sunset',
  'link',
] as const satisfies readonly ReplyHeader[]

const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries(replyHeaders).map(([name, { spelling }]) => [name, spelling]),
)

/** Spells a reply's header as it is sent. */
export function spellHeader(name: string): string {
  return spellings.get(name) ?? name
}
