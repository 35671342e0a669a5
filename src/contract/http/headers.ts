/** The header fields of replies by lower-case name: the spelling on the wire, and whether CORS exposes them. */
export const replyHeaders = {
  'content-type': { spelling: 'Content-Type', exposed: false },
  'content-length': { spelling: 'Content-Length', exposed: false },
  date: { spelling: 'Date', exposed: true },
  'x-ratelimit-limit': { spelling: 'X-RateLimit-Limit', exposed: true },
  'x-ratelimit-remaining': { spelling: 'X-RateLimit-Remaining', exposed: true },
  'x-ratelimit-reset': { spelling: 'X-RateLimit-Reset', exposed: true },
  'retry-after': { spelling: 'Retry-After', exposed: true },
  deprecation: { spelling: 'Deprecation', exposed: true },
  sunset: { spelling: 'Sunset', exposed: true },
  link: { spelling: 'Link', exposed: true },
  'www-authenticate': { spelling: 'WWW-Authenticate', exposed: true },
  allow: { spelling: 'Allow', exposed: false },
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
