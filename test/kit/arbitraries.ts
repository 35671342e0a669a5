import fc from 'fast-check'
import { endpoints } from '../../src/mock/api/endpoints.ts'
import {
  type Gap,
  type GapName,
  type GapSettings,
  gapNames,
  gaps,
  unpromisedGaps,
} from '../../src/mock/api/gaps.ts'
import type { ApiRequest } from '../../src/mock/api/message.ts'
import { anyCharacter } from './any-character.ts'

/** Any int64. */
export const anyInt64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -3n, max: 40n }),
  fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)),
)

/** Any text that JavaScript can hold, lone surrogates included. */
export const anyText = fc.oneof(
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '#', '#1', '9007199254740993', '__proto__', '\ud800', '\udc00"\\'),
)

/** Any instant from 1970 to 9999, or one near the sunset of getPet. */
export const anyInstant = fc.oneof(
  fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
  fc.integer({ min: -2_000, max: 2_000 }).map((ms) => Date.UTC(2030, 11, 5) + ms),
)

function anyChoice(gap: Gap): fc.Arbitrary<string | number> {
  if (gap.kind === 'enum') return fc.constantFrom(...gap.values)
  if (gap.kind === 'instant') return anyInstant
  if (gap.kind === 'duration') return fc.integer({ min: 1, max: 10_000_000 })
  if (gap.kind === 'shift') return fc.oneof(fc.integer({ min: 1 }), fc.constant(gap.default))
  return fc.oneof(fc.nat(20), fc.constant('never'))
}

function anyChoices(names: readonly GapName[]): fc.Arbitrary<GapSettings> {
  return fc.record(Object.fromEntries(names.map((name) => [name, anyChoice(gaps[name])])), {
    requiredKeys: [],
  }) as fc.Arbitrary<GapSettings>
}

/** Any choices where the interface leaves something open. */
export const anyGaps = anyChoices(gapNames.filter((name) => !unpromisedGaps.includes(name)))

/** Any choices of what the interface does not guarantee. */
export const anyUnpromised = anyChoices(unpromisedGaps)

const anySegment = fc.oneof(
  anyInt64.map(String),
  anyText,
  fc.string({ unit: anyCharacter }).map(encodeURIComponent),
)

const anyQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(...endpoints.listPets.query, 'offset', ''),
      fc.oneof(
        fc.integer({ min: -5, max: 120 }).map(String),
        fc.constantFrom('sold', 'x'),
        anyText,
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

const anyUrl = fc.oneof(
  fc
    .tuple(fc.constantFrom('/v1/pets', '/v1/store/orders', '/v1/pets/', '/v1', '//pets'), anyQuery)
    .map(([path, query]) => `${path}?${query}`),
  anySegment.map((segment) => `/v1/pets/${segment}`),
  fc.webUrl({ withQueryParameters: true }),
  anyText,
)

const anyKey = fc.constantFrom(
  'free-key',
  'pro-key',
  'revoked-key',
  'expired-key',
  'minute-exhausted-key',
  'day-exhausted-key',
  'banned-key',
  'unknown-key',
)

const anyHeaders = fc
  .tuple(
    fc.dictionary(fc.string(), anyText, { maxKeys: 3 }),
    fc.option(
      fc.oneof(
        anyKey.map((key) => `Bearer ${key}`),
        anyText,
      ),
      { nil: undefined },
    ),
    fc.option(fc.oneof(fc.constant('application/json'), anyText), { nil: undefined }),
  )
  .map(([headers, authorization, contentType]) => ({
    ...headers,
    ...(authorization === undefined ? {} : { authorization }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  }))

const anyPetLike = fc
  .record(
    {
      name: fc.oneof(
        anyText.map((text) => JSON.stringify(text)),
        fc.constant('null'),
      ),
      categoryId: fc.oneof(anyInt64.map(String), fc.constantFrom('1.5', '1e400', '"1"', '[]')),
      status: fc.constantFrom('"sold"', '"dead"', 'null'),
      tag: fc.json(),
    },
    { requiredKeys: [] },
  )
  .map((members) => `{${Object.entries(members).map(([name, json]) => `"${name}":${json}`)}}`)

const anyBody = fc.oneof(anyPetLike, fc.json(), anyText, fc.constant('['.repeat(100_000)))

/** A request as clients send it, with a key that may not be active. */
const anyPlainRequest: fc.Arbitrary<ApiRequest> = fc
  .record({
    key: fc.oneof(fc.constantFrom('free-key', 'pro-key'), anyKey),
    url: fc.constantFrom('/v1/pets', '/v1/pets?limit=5&status=sold', '/v1/pets/1', '/v1/pets/99'),
    pet: fc.option(fc.tuple(anyText, anyInt64)),
  })
  .map(({ key, url, pet }) => {
    const authorization = `Bearer ${key}`
    if (pet === null) return { method: 'GET', url, headers: { authorization }, body: '' }
    const [name, categoryId] = pet
    const headers = { authorization, 'content-type': 'application/json' }
    const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`
    return { method: 'POST', url: '/v1/pets', headers, body }
  })

const anyOddRequest: fc.Arbitrary<ApiRequest> = fc.record(
  {
    method: fc.oneof(fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'OPTIONS'), anyText),
    url: anyUrl,
    headers: anyHeaders,
    body: anyBody,
    unreadable: fc.constant('Cannot read the request'),
  },
  { requiredKeys: ['method', 'url', 'headers', 'body'] },
)

/** Any request, from plain ones to nonsense. */
export const anyRequest: fc.Arbitrary<ApiRequest> = fc.oneof(
  { arbitrary: anyOddRequest, weight: 2 },
  { arbitrary: anyPlainRequest, weight: 1 },
)
