import { describe, expect, it } from 'vitest'
import { type Calibration, calibrate } from '../../src/calibrate/calibrate.ts'
import { type GapName, gapNames } from '../../src/contract/gaps.ts'
import { Random } from '../../src/state/random.ts'
import { dialects, harEntry, type Mishaps } from '../kit/har-dialects.ts'
import { type Manners, type ThirdRequest, ThirdService } from '../kit/third-service.ts'
import { agrees } from './wrong-in.ts'

const runs = Number(process.env.MANNERS_RUNS ?? 300)
const firstSeed = Number(process.env.MANNERS_SEED ?? process.env.TEST_SEED ?? 1)

/** Draws from lists by a seed. */
function drawsOf(seed: number) {
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
    later === 5 ? pick([0, 0, 1400]) : pick([0, 0, 0, 1000, 2500, 61_000, -1000, -2000, -3100])
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
  }
}

const rex = '{"name":"Rex","categoryId":7,"status":"sold"}'

/** Records random traffic with a service, other clients on its key included. */
function record(seed: number) {
  const draws = drawsOf(seed)
  const { pick, fraction } = draws
  const manners = drawManners(draws)
  const service = new ThirdService(manners, fraction)
  const dialect = pick(dialects)
  const hasOthers = fraction() < 0.3
  const way = { cached: fraction() < 0.2, gzip: fraction() < 0.3, twice: fraction() < 0.1 }
  const lost = { date: fraction() < 0.1, body: fraction() < 0.1 }
  const entries: ReturnType<typeof harEntry>[] = []
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
    entries.push(harEntry(dialect, request, shown, now + skewMs - 2, mishaps))
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
  return { manners, archive: { log: { version: '1.2', entries } } }
}

/** The choices of a service by its manners; `null` where none of the sandbox's fits. */
function choicesOf(manners: Manners): { readonly [Name in GapName]?: string | number | null } {
  const { window, counts, later, form, nodesMs, banAfter, banMs, codes, properties, lists, ids } =
    manners
  const [ahead = 0] = nodesMs
  const isOne = nodesMs.length === 1
  return {
    quotaWindow:
      window === 'calendar' || window === 'first-request'
        ? window
        : window.startsWith('log')
          ? 'sliding'
          : null,
    countedRequests: counts,
    retryAfterFormat: form,
    ...(later === 1
      ? {}
      : {
          retryAfterPrecision:
            later === 0 && /calendar|first|phase/.test(window)
              ? 'exact'
              : later === 5
                ? 'padded'
                : null,
        }),
    ...(later === 0 && !/calendar|first|phase/.test(window)
      ? { retryAfterPrecision: undefined as never }
      : {}),
    ...(isOne ? { dateSkew: ahead === 0 ? 'none' : ahead > 0 ? `${ahead}ms` : null } : {}),
    banAfter,
    ...(banAfter === 'never' ? {} : { banStatus: 429, banDuration: `${banMs}ms` }),
    errorCodes: codes === 'snake' ? 'snake_case' : codes === 'upper' ? 'UPPER_CASE' : null,
    propertyOrder:
      properties === 'listed' ? 'as-listed' : properties === 'shuffled' ? 'shuffled' : null,
    listOrder: lists === 'by-name' ? null : `id-${lists}`,
    idSequence: ids === 'sequential' ? 'sequential' : 'random',
    emptyName: manners.emptyName,
    invalidQuery: 'reject',
    deprecationHeaders: 'standard',
    deprecationOn: 'every-reply',
    sunsetInstant: 'end-of-day',
    unauthorizedQuota: 'not-counted',
    refusalOrder: 'limit-first',
  }
}

function wrongIn(report: Calibration, manners: Manners): string[] {
  const choices = choicesOf(manners)
  const wrong = gapNames.flatMap((name) => {
    const choice = choices[name]
    const { verdict, choices: found, exchanges } = report.gaps[name]
    if (choice === undefined) return []
    const isWrong = choice === null ? verdict === 'shown' : !agrees(name, choice, found)
    return isWrong
      ? [`${name}: ${choice}, found ${verdict} ${found} (${exchanges.slice(0, 5)})`]
      : []
  })
  const problems = Object.entries(report.clauses).flatMap(([clause, one]) =>
    one.problems.map((problem) => `${clause}: ${JSON.stringify(problem)}`),
  )
  return [...wrong, ...problems, ...report.unexplained.map((one) => JSON.stringify(one))]
}

describe('calibrate() of services of any manners', () => {
  it('says nothing wrong of a service that keeps the interface', { timeout: 3_600_000 }, () => {
    const found: string[] = []
    for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
      const { manners, archive } = record(seed)
      const wrong = wrongIn(calibrate([archive]), manners)
      if (wrong.length > 0)
        found.push(
          `MANNERS_SEED=${seed}: ${wrong.slice(0, 3).join('; ')} ${process.env.MANNERS_SHOW ? JSON.stringify(manners) : ''}`,
        )
    }
    expect(found).toEqual([])
  })
})
