import type { Calibration } from '../../../../src/checks/calibrate/calibrate.ts'
import type { GapName } from '../../../../src/mock/api/gaps.ts'
import { Random } from '../../../../src/mock/state/random.ts'
import { dialects, harEntry, type Mishaps } from '../../../kit/har-dialects.ts'
import { type Manners, type ThirdRequest, ThirdService } from '../../../kit/third-service.ts'
import { wrongAbout } from '../../../unit/checks/calibrate/wrong-in.ts'

/** Draws from lists by a seed. */
export function drawsOf(seed: number) {
  const random = new Random(seed)
  const fraction = (): number => (random.next() >>> 0) / 2 ** 32
  const pick = <const Item>(items: readonly Item[]): Item =>
    items[Math.floor(fraction() * items.length)] as Item
  return { fraction, pick }
}

type Draws = ReturnType<typeof drawsOf>

function drawManners({ pick, fraction }: Draws): Manners {
  const roundings = ['floor', 'ceil', 'round'] as const
  const later = pick([0, 0, 1, 5, 10, 'always-60'])
  const ahead =
    later === 5
      ? pick([0, 0, 1400, -3100, -5000])
      : pick([0, 0, 0, 1000, 2500, 61_000, -1000, -2000, -3100])
  return {
    limit: pick([3, 5, 12, 60, 300]),
    window: pick([
      'calendar',
      'first-request',
      'phase',
      'log-oldest',
      'log-newest',
      'token-full',
      'token-next',
    ]),
    resolutionMs: pick([1, 1000]),
    rounds: { reset: pick(roundings), after: pick(roundings), date: pick(roundings) },
    later,
    form: later === 'always-60' ? 'seconds' : pick(['seconds', 'seconds', 'http-date']),
    nodesMs: fraction() < 0.2 ? [ahead, ahead + 1500] : [ahead],
    counts: pick(['all', 'successful']),
    banAfter: pick(['never', 3, 10]),
    banMs: pick([90_500, 300_000, 3_600_000]),
    isBanNamed: fraction() < 0.7,
    codes: pick(['snake', 'upper', 'kebab', 'camel', 'dotted']),
    properties: pick(['listed', 'alphabetical', 'shuffled']),
    lists: pick(['ascending', 'descending', 'by-name']),
    ids: pick(['sequential', 'random']),
    emptyName: pick(['accept', 'reject']),
    day:
      fraction() < 0.25
        ? {
            limit: pick([9, 40, 150, 1000]),
            reported: pick(['tightest', 'tightest', 'minute', 'day']),
          }
        : undefined,
    isResetAdded: fraction() < 0.15,
  }
}

const rex = '{"name":"Rex","categoryId":7,"status":"sold"}'

const noMishaps: Mishaps = {
  isCached: false,
  isGzip: false,
  areHeadersTwice: false,
  isDateDropped: false,
  isBodyDropped: false,
}

/** What a host in front of the service says on its own. */
function hostResponse(status: number, now: number): ReturnType<ThirdService['respond']> {
  const location = status === 301 ? { location: 'https://api.example.com/v1/pets' } : {}
  const headers = { date: new Date(now).toUTCString(), 'content-type': 'text/html', ...location }
  return { status, headers, body: `<html><h1>${status}</h1></html>` }
}

/** Records random traffic with a service of random manners, other clients on its key included. */
export function recordManners(seed: number) {
  const draws = drawsOf(seed)
  const { pick, fraction } = draws
  const manners = drawManners(draws)
  const service = new ThirdService(manners, fraction)
  const dialect = pick(dialects)
  const hasOthers = fraction() < 0.3
  const way = { cached: fraction() < 0.2, gzip: fraction() < 0.3, twice: fraction() < 0.1 }
  const lost = { date: fraction() < 0.1, body: fraction() < 0.1 }
  const hasHost = fraction() < 0.2
  const files2 = pick(['one', 'one', 'one', 'one', 'two-tools', 'two-machines'])
  const otherDialect = pick(dialects)
  const files: [ReturnType<typeof harEntry>[], ReturnType<typeof harEntry>[]] = [[], []]
  const fileSkewMs = pick([60, 2000, -7000])
  const kept = new Map<string, ReturnType<ThirdService['respond']>>()
  let now = Date.UTC(2027, 4, 3, 10, 17, 0) + Math.floor(fraction() * 60_000)
  const skewMs = Math.floor(fraction() * 4000) - 2000
  const paths = [
    '/pets?limit=1',
    '/pets?limit=100',
    '/pets/1',
    '/pets/0',
    '/nothing',
    '/pets?limit=0',
  ]
  const send = (request: ThirdRequest): void => {
    const name = `${request.method} ${request.path} ${request.key}`
    if (hasHost && fraction() < 0.1) {
      const host = hostResponse(pick([301, 403, 413, 500, 502, 503, 520]), now)
      files[0].push(harEntry(dialect, request, host, now + skewMs - 2, noMishaps))
      return
    }
    const earlier = kept.get(name)
    const isCached =
      way.cached && request.method === 'GET' && earlier?.status === 200 && fraction() < 0.3
    const response = isCached && earlier ? earlier : service.respond(request, now)
    kept.set(name, response)
    const mishaps: Mishaps = {
      isCached,
      isGzip: way.gzip,
      areHeadersTwice: way.twice,
      isDateDropped: lost.date,
      isBodyDropped: lost.body && fraction() < 0.3,
    }
    const is304 = way.cached && !isCached && response.status === 200 && fraction() < 0.05
    const shown = is304 ? { ...response, status: 304, body: '' } : response
    const sentAt = now + skewMs - 2
    const entry = harEntry(dialect, request, shown, sentAt, mishaps)
    const other = harEntry(otherDialect, request, shown, sentAt + fileSkewMs, mishaps)
    if (files2 === 'two-tools') {
      files[0].push(entry)
      // One that was started later, or ended earlier.
      if (fraction() < 0.97)
        files[1].push(harEntry(otherDialect, request, shown, sentAt + 3, mishaps))
    } else if (files2 === 'two-machines' && fraction() < 0.5) files[1].push(other)
    else files[0].push(entry)
  }
  for (let turn = 0; turn < 40; turn++) {
    const key = pick(['alpha', 'alpha', 'beta'])
    const path = pick(paths)
    const isPost = fraction() < 0.2
    const body = pick([rex, rex, '{"name":"","categoryId":7}', '{"name":"Max"}'])
    const count = pick([1, 1, 1, 2, 8, 25])
    const step = pick([20, 110, 700, 1900])
    for (let sent = 0; sent < count; sent++) {
      const request = isPost
        ? { method: 'POST', path: '/pets', key, body }
        : { method: 'GET', path, key: fraction() < 0.03 ? undefined : key, body: '' }
      if (hasOthers && fraction() < 0.3) service.respond({ ...request, key }, now)
      send(request)
      now += 5 + step
    }
    now += pick([0, 300, 2700, 7000, 20_000, 61_000, 75_300])
  }
  const archives = files.map((entries) => ({ log: { version: '1.2', entries } }))
  return { manners, archives: files2 === 'one' ? archives.slice(0, 1) : archives }
}

/** The choices of a service by its manners; `null` where none of the sandbox's fits, as far as that can be said. */
function choicesOf(manners: Manners): { readonly [Name in GapName]?: string | number | null } {
  const { window, counts, form, banAfter, banMs, codes, lists, ids } = manners
  const isWindow = window === 'calendar' || window === 'first-request'
  return {
    quotaWindow: isWindow ? window : window.startsWith('log') ? 'sliding' : null,
    reportedWindow: manners.day?.reported ?? 'minute',
    countedRequests: counts,
    retryAfterFormat: form,
    // A second more is within the roundings.
    banAfter,
    ...(banAfter === 'never' ? {} : { banStatus: 429, banDuration: `${banMs}ms` }),
    errorCodes: codes === 'snake' ? 'snake_case' : codes === 'upper' ? 'UPPER_CASE' : null,
    listOrder: lists === 'by-name' ? null : `id-${lists}`,
    idSequence: ids,
    emptyName: manners.emptyName,
    invalidQuery: 'reject',
    deprecationHeaders: 'standard',
    sunsetTime: 'end-of-day',
    unauthenticatedQuota: 'not-counted',
    errorPrecedence: 'rate-limit',
  }
}

/** Lists what a report says that is wrong of a service by its manners. */
export function wrongInManners(report: Calibration, manners: Manners): string[] {
  return wrongAbout(report, choicesOf(manners))
}
