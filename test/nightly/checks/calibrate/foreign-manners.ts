import type { GapName } from '../../../../src/mock/api/gaps.ts'
import type { Manners } from './foreign-services.ts'

/** Ways to keep the spec, as the service in Python knows them. */
export const pythonManners: Readonly<Record<string, Manners>> = {
  plain: {},
  'five a minute': { limit: 5 },
  'twelve a minute': { limit: 12 },
  '300 a minute': { limit: 300 },
  'windows from the first request': { window: 'first-request' },
  'windows from the second of the first request': { window: 'first-request', granularity: 1000 },
  'windows at another second': { shift: 37_000 },
  'a sliding window, reset of the oldest': { window: 'log-oldest' },
  'a sliding window, reset of the newest': { window: 'log-newest' },
  'a small sliding window': { window: 'log-oldest', limit: 5 },
  'a small sliding window, reset of the newest': { window: 'log-newest', limit: 12 },
  'tokens, reset when full': { window: 'token-full' },
  'tokens, reset at the next': { window: 'token-next' },
  'few tokens': { window: 'token-full', limit: 12 },
  'many tokens': { window: 'token-next', limit: 300 },
  'tokens in milliseconds': { window: 'token-full', limit: 300, form: 'milliseconds' },
  'a day, the tightest reported': { day: 90, reported: 'tightest' },
  'a day, the minute reported': { day: 150, reported: 'minute' },
  'a day, reported': { day: 90, reported: 'day' },
  'a sliding day': { day: 120, reported: 'tightest', window: 'log-oldest' },
  'a day from the first request': { day: 90, reported: 'tightest', window: 'first-request' },
  'bursts of five': { burst: 5 },
  'bursts of three': { burst: 3, window: 'first-request' },
  'bursts of five in a sliding window': { burst: 5, window: 'log-oldest' },
  'bursts, as a date': { burst: 5, form: 'http-date' },
  'bursts in milliseconds': { burst: 5, form: 'milliseconds' },
  'bursts and bans': { burst: 5, ban_after: 10 },
  'only successes count': { counts: 'successful' },
  'only successes count, sliding': { counts: 'successful', window: 'log-oldest' },
  'rejections count': { rejections_count: true },
  'rejections count, sliding': { rejections_count: true, window: 'log-oldest' },
  'rejections count, few': { rejections_count: true, window: 'log-newest', limit: 5 },
  'an HTTP date': { form: 'http-date' },
  milliseconds: { form: 'milliseconds' },
  fractions: { form: 'fraction' },
  timestamps: { form: 'unix-time' },
  'a second later': { later: 1 },
  'five seconds later': { later: 5 },
  'ten seconds later': { later: 10 },
  'a date five seconds later': { later: 5, form: 'http-date' },
  'always a minute': { constant: 60 },
  'always five minutes': { constant: 300 },
  'a jitter': { jitter: 10 },
  'a jitter, rounded down': { jitter: 10, round: { after: 'floor' } },
  'Reset rounded down': { round: { reset: 'floor' } },
  'Reset rounded': { round: { reset: 'round' }, window: 'log-oldest' },
  'Retry-After rounded down': { round: { after: 'floor' } },
  'Retry-After rounded': { round: { after: 'round' }, window: 'log-oldest' },
  'Retry-After rounded down, sliding': { round: { after: 'floor' }, window: 'log-newest' },
  'Date rounded up': { round: { date: 'ceil' } },
  'Date rounded': { round: { date: 'round' }, window: 'first-request' },
  'two nodes': { nodes: [0, 1500] },
  'two nodes, sliding': { nodes: [-700, 800], window: 'log-oldest' },
  'Date ahead': { nodes: [2500] },
  'Date a minute ahead': { nodes: [61_000] },
  'Date behind': { nodes: [-2000] },
  'Date far behind': { nodes: [-30_000] },
  'no Date': { no_date: true },
  'Reset in milliseconds': { reset_ms: true },
  'bans after three': { ban_after: 3 },
  'bans with 403': { ban_after: 10, ban_status: 403 },
  'bans with 418': { ban_after: 5, ban_status: 418 },
  'bans without a name': { ban_after: 10, ban_named: false },
  'short bans': { ban_after: 3, ban_ms: 90_500 },
  'bans that Reset does not show': { ban_after: 10, ban_reset: false },
  'long bans without a name, not in Reset': {
    ...{ ban_after: 3, ban_ms: 7_200_000, ban_named: false, ban_reset: false },
  },
  'bans that grow': { ban_after: 3, ban_ms: 90_500, ban_grows: true },
  'bans that begin anew': { ban_after: 3, ban_extends: true },
  'bans at once': { ban_after: 0 },
  'codes in capitals': { codes: 'upper' },
  'codes with hyphens': { codes: 'kebab' },
  'codes in camel case': { codes: 'camel' },
  'codes with dots': { codes: 'dotted' },
  'codes of digits': { codes: 'number' },
  'more properties': { more_in_pets: true, more_in_errors: true },
  'properties by name': { properties: 'alphabetical' },
  'properties in any order': { properties: 'each-time' },
  'descending lists': { order: 'descending' },
  'lists by name': { order: 'name' },
  'lists by status': { order: 'status' },
  'lists in any order': { order: 'each-time' },
  'ids with gaps': { ids: 'steps' },
  'random ids': { ids: 'random' },
  'large ids': { ids: 'large' },
  'lenient with requests': {
    ...{ invalid_query: 'ignore', duplicate: 'last', slash: 'ignore', null_status: 'omit' },
    ...{ orders: 'empty-list', empty_name: 'accept', default_status: 'pending' },
  },
  'strict with requests': {
    ...{ unknown_query: 'reject', duplicate: 'reject', unknown_properties: 'reject' },
    ...{ category: 'reject', missing_type: 'reject', any_case: false, bad_id: 'bad-request' },
    ...{ max_name: 20, orders: 'not-found', default_status: null },
  },
  'redirects of slashes': { slash: 'redirect' },
  'routes before keys': { route_without_key: 'not-found' },
  'requests without a key count': { unauthenticated: 'counted' },
  'errors before limits': { precedence: 'request', counts: 'successful' },
  'an older deprecation': { deprecation: 'draft' },
  'no deprecation': { deprecation: 'none' },
  'deprecation of successes': { only_2xx: true, sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' },
  'a charset': { charset: true },
  'pages of other origins': { cors: 'exposed' },
  'pages that read no header': { cors: 'hidden' },
  'late lists': { listed_after: 3000 },
  'more headers': { more_headers: true },
}

/** Ways to keep the spec, as the service made with Express knows them. */
export const expressManners: Readonly<Record<string, Manners>> = {
  plain: {},
  'few a minute': { limit: 7 },
  sliding: { sliding: true },
  'few a minute, sliding': { sliding: true, limit: 12 },
  bursts: { burst: 4 },
  'bursts, sliding': { burst: 4, sliding: true },
  'a date': { form: 'http-date' },
  'a timestamp': { form: 'unix-time' },
  'always two minutes': { constant: 120 },
  bans: { ban_after: 4 },
  'bans with 403': { ban_after: 10, ban_status: 403 },
  'Date ahead': { aheadMs: 3400 },
  'Date behind': { aheadMs: -4000 },
  'only successes count': { counts: 'successful' },
  'codes in capitals': { codes: 'upper' },
  'codes with hyphens': { codes: 'kebab', orders: 'empty-list' },
  descending: { order: 'descending', default_status: 'none' },
  'by name': { order: 'name', max_name: 15 },
  lenient: { invalid_query: 'ignore', empty_name: 'accept', deprecation: 'none' },
  strict: { unknown_query: 'reject', bad_id: 'bad-request', default_status: 'pending' },
  'a charset, for pages': { charset: true, cors: 'exposed' },
  'pages that read no header': { cors: 'hidden' },
}

/** Ways to break the spec, each with the clause that it breaks. */
export const pythonBreaks: Readonly<Record<string, { manners: Manners; clause: string }>> = {
  ...broken('open', '5.3'),
  ...broken('unlimited', '8.1'),
  ...broken('no-retry-after', '8.2'),
  ...broken('other-pet', '4.3'),
  ...broken('unfiltered', '4.1'),
  ...broken('one-more', '4.1'),
  ...broken('no-ids', '2'),
  ...broken('text-ids', '2'),
  ...broken('twice', '2'),
  ...broken('body-422', '4.2'),
  ...broken('lenient', '4.2'),
  ...broken('renames', '4.2'),
  ...broken('no-code', '7'),
  ...broken('status-text', '7'),
  ...broken('html', '1'),
  ...broken('no-limit', '8'),
  ...broken('no-quota-on-errors', '8'),
  ...broken('remaining-text', '8'),
  ...broken('above', '8'),
  ...broken('reset-in-seconds', '8'),
  ...broken('sunset', '4.3'),
  ...early(5, 10, 16, 30),
}

export const expressBreaks: Readonly<Record<string, { manners: Manners; clause: string }>> = {
  ...broken('open', '5.3'),
  ...broken('unlimited', '8.1'),
  ...broken('422', '4.2'),
  ...broken('envelope', '2'),
  ...broken('whole', '4.1'),
  ...broken('no-message', '7'),
  ...broken('no-remaining', '8'),
  ...broken('text', '1'),
  ...early(12),
}

/** Lets clients retry too early, by some seconds. */
function early(...seconds: readonly number[]) {
  const rows = seconds.map((early) => [
    `${early} s early`,
    { manners: { breaks: 'early', early }, clause: '8.2' },
  ])
  return Object.fromEntries(rows) as Record<string, { manners: Manners; clause: string }>
}

function broken(breaks: string, clause: string) {
  return { [breaks]: { manners: { breaks }, clause } }
}

/** Values of gaps that a service has by its manners; `null` where no value of the sandbox fits. */
export type Truth = { readonly [Name in GapName]?: string | number | null }

function valueIn<const Table extends Readonly<Record<string, string | null>>>(
  table: Table,
  name: unknown,
): string | null {
  return table[String(name)] ?? null
}

/** @param own Values that a service has whatever its manners. */
export function truthOf(manners: Manners, own: Truth): Truth {
  const { window = 'calendar', day, ban_after: banAfter, max_name: maxName, cors } = manners
  const isTokens = String(window).startsWith('token')
  const isSliding = manners.sliding === true || String(window).startsWith('log')
  return {
    quotaWindow: isTokens || manners.shift ? null : isSliding ? 'sliding' : String(window),
    reportedWindow: day ? String(manners.reported) : 'minute',
    countedRequests: String(manners.counts ?? 'all'),
    retryAfterFormat: String(manners.form ?? 'seconds'),
    resetUnit: manners.reset_ms ? 'milliseconds' : 'seconds',
    banAfter: banAfter === undefined ? 'never' : Number(banAfter),
    ...(banAfter === undefined
      ? {}
      : {
          banStatus: Number(manners.ban_status ?? 429),
          banDuration: `${manners.ban_ms ?? 300_000}ms`,
        }),
    errorCodes: valueIn(
      { snake: 'snake_case', upper: 'UPPER_CASE', number: 'opaque' },
      manners.codes ?? 'snake',
    ),
    listOrder: valueIn(
      { id: 'id-ascending', descending: 'id-descending', 'each-time': 'shuffled' },
      manners.order ?? 'id',
    ),
    idSequence: valueIn(
      { sequential: 'sequential', steps: 'sequential', random: 'random', large: 'large' },
      manners.ids ?? 'sequential',
    ),
    defaultStatus: String(
      manners.default_status === null ? 'none' : (manners.default_status ?? 'available'),
    ),
    nullStatus: String(manners.null_status ?? 'reject'),
    emptyName: String(manners.empty_name ?? 'reject'),
    maxNameLength: maxName === undefined ? 'never' : Number(maxName),
    unknownProperties: String(manners.unknown_properties ?? 'ignore'),
    unknownCategory: String(manners.category ?? 'accept'),
    missingContentType: String(manners.missing_type ?? 'accept'),
    invalidQuery: String(manners.invalid_query ?? 'reject'),
    duplicateQuery: String(manners.duplicate ?? 'first'),
    unknownQuery: String(manners.unknown_query ?? 'ignore'),
    invalidPetId: String(manners.bad_id ?? 'not-found'),
    unauthenticatedQuota: String(manners.unauthenticated ?? 'not-counted'),
    errorPrecedence: String(manners.precedence ?? 'rate-limit'),
    unknownRouteWithoutKey: String(manners.route_without_key ?? 'unauthorized'),
    bearerScheme: manners.any_case === false ? 'case-sensitive' : 'case-insensitive',
    deprecationHeaders: String(manners.deprecation ?? 'standard'),
    deprecatedSince: '2025-12-05T00:00:00Z',
    sunsetTime: String(manners.sunset ?? '').includes('00:00:00') ? 'start-of-day' : 'end-of-day',
    contentType: manners.charset ? 'charset' : 'plain',
    cors: cors === undefined ? 'none' : 'allowed',
    exposedHeaders: cors === 'hidden' ? 'none' : 'all',
    undocumentedProperty: manners.more_in_pets ? 'present' : 'absent',
    undocumentedStatus: 'absent',
    ...own,
    ...(manners.orders === undefined ? {} : { storeOrders: String(manners.orders) }),
    ...(manners.slash === undefined
      ? {}
      : { trailingSlash: manners.slash === 'redirect' ? 'redirect-308' : String(manners.slash) }),
  }
}
