import type { ReplyHeader } from '../http/headers.ts'

const httpDate = {
  type: 'string',
  pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
} as const

/** The headers of the operations that are described: none of them answers 405, and what a body is stands with it. */
export type DescribedHeader = Exclude<ReplyHeader, 'content-type' | 'content-length' | 'allow'>

/** What headers mean, and their form as JSON Schema with an example. */
export const headerDescriptions = {
  date: {
    about: "The sandbox's clock.",
    schema: { ...httpDate, examples: ['Fri, 15 Jan 2027 08:00:20 GMT'] },
  },
  'x-ratelimit-limit': {
    about: 'The applicable request limit (spec 8).',
    schema: { type: 'integer', minimum: 1, examples: [60] },
  },
  'x-ratelimit-remaining': {
    about: 'Requests remaining in the current window (spec 8).',
    schema: { type: 'integer', minimum: 0, examples: [59] },
  },
  'x-ratelimit-reset': {
    about: 'Unix timestamp, in seconds, at which the limit resets (spec 8).',
    schema: { type: 'integer', format: 'int64', minimum: 0, examples: [1800000060] },
  },
  'retry-after': {
    about:
      'When to retry: seconds, or an HTTP date where the gap retryAfterFormat says so (spec 8).',
    schema: { oneOf: [{ type: 'integer', minimum: 1 }, httpDate], examples: [40] },
  },
  deprecation: {
    about: 'Since when the operation is deprecated: RFC 9745 (spec 9).',
    schema: { type: 'string', pattern: '^(@\\d+|true)$', examples: ['@1764892800'] },
  },
  sunset: {
    about: 'When the operation is removed: RFC 8594 (spec 4.3).',
    schema: { ...httpDate, examples: ['Thu, 05 Dec 2030 00:00:00 GMT'] },
  },
  link: {
    about: 'What to use instead: RFC 8288 (spec 4.3).',
    schema: {
      type: 'string',
      pattern: '^<[^>]+>; rel="successor-version"$',
      examples: ['</v1/pets>; rel="successor-version"'],
    },
  },
  'www-authenticate': {
    about: 'The scheme to authenticate with: RFC 6750 (spec 5).',
    schema: {
      type: 'string',
      pattern: '^Bearer realm="petstore"',
      examples: ['Bearer realm="petstore"'],
    },
  },
} as const satisfies Readonly<
  Record<
    DescribedHeader,
    { readonly about: string; readonly schema: Readonly<Record<string, unknown>> }
  >
>
