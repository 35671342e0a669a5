import { dialects, harEntry, type Mishaps } from '../../../kit/har-dialects.ts'
import { drawsOf } from './drawn-manners.ts'
import type { ForeignResponse, ForeignService, Manners } from './foreign-services.ts'

/** Kinds of traffic, each with what it shows. */
export const kinds = ['everyday', 'limits', 'bans', 'polite', 'shared', 'pages'] as const

type Kind = (typeof kinds)[number]
type Entry = ReturnType<typeof harEntry>

interface Sent {
  readonly method?: string
  readonly path: string
  readonly key?: string | null
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const rex = '"name":"Rex","categoryId":7'

const odd: readonly Sent[] = [
  ...['limit=100', 'limit=5', 'limit=0', 'limit=500', 'limit=x', 'status=sold', 'status=gone'].map(
    (query) => ({ path: `/pets?${query}` }),
  ),
  ...['limit=3&limit=2', 'color=red', 'status=pending&limit=50'].map((query) => ({
    path: `/pets?${query}`,
  })),
  ...['/pets', '/pets/1', '/pets/2', '/pets/0', '/pets/abc', '/pets/', '/store/orders'].map(
    (path) => ({ path }),
  ),
  { path: '/nothing' },
  { path: '/nothing', key: null },
  { path: '/pets', key: null },
  { path: '/pets/1', key: null },
  { path: '/pets', key: 'unknown-key' },
  ...[
    `{${rex}}`,
    `{${rex},"status":"sold"}`,
    `{${rex},"status":null}`,
    `{${rex},"status":"gone"}`,
    `{${rex},"color":"red"}`,
    '{"name":"","categoryId":7}',
    '{"name":"Rex","categoryId":12345}',
    `{"name":"${'x'.repeat(30)}","categoryId":7}`,
    '{"name":"Rex"}',
    '{"name":"Rex","categoryId":"7"}',
    '[]',
    '{',
  ].map((body) => ({ method: 'POST', path: '/pets', body })),
  { method: 'POST', path: '/pets', body: `{${rex}}`, headers: { 'content-type': '' } },
]

const list: Sent = { path: '/pets?limit=1' }

const noMishaps: Mishaps = {
  ...{ isCached: false, isGzip: false, areHeadersTwice: false },
  ...{ isDateDropped: false, isBodyDropped: false },
}

/** Responses of hosts in front of the service. */
const hosts = [
  { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' },
  { status: 504, type: 'application/json', body: '{"message":"Endpoint request timed out"}' },
  { status: 503, type: 'application/json', body: '{"error":{"code":"503"}}' },
  { status: 429, type: 'text/html', body: '<h1>Too many requests</h1>' },
]

/** Returns the seconds that a response lets its client wait. */
function waitIn({ headers, status }: ForeignResponse, { form }: Manners, now: number): number {
  const text = headers['retry-after']
  if (status !== 429 || text === undefined) return 0
  if (form === 'http-date') return Math.max(0, (Date.parse(text) - now) / 1000)
  if (form === 'unix-time') return Math.max(0, Number(text) - now / 1000)
  return form === 'milliseconds' ? Number(text) / 1000 : Number(text)
}

/** Records a kind of traffic as a tool does, from a service that has begun with these manners. */
export async function record(
  service: ForeignService,
  kind: Kind,
  manners: Manners,
  seed: number,
): Promise<{ log: { version: string; entries: Entry[] } }> {
  const { pick, fraction } = drawsOf(seed)
  const dialect = pick(dialects)
  const entries: Entry[] = []
  const skewMs = Math.floor(fraction() * 4000) - 2000
  const hasHost = fraction() < 0.2
  const losesBodies = fraction() < 0.1
  const areHeadersTwice = fraction() < 0.1
  let now = Date.UTC(2027, 4, 3, 10, 17) + Math.floor(fraction() * 60_000)

  const send = async (sent: Sent, isHidden = false): Promise<ForeignResponse> => {
    const { method = 'GET', path, key = 'key-alpha', body = '', headers = {} } = sent
    const own: Record<string, string> = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    if (own['content-type'] === '') delete own['content-type']
    const isOfHost = hasHost && !isHidden && fraction() < 0.04
    const host = pick(hosts)
    const response = isOfHost
      ? {
          ...{ status: host.status, body: host.body },
          headers: { 'content-type': host.type, date: new Date(now).toUTCString() },
        }
      : await service.respond({ method, path, headers: own, body, now })
    if (isHidden) return response
    const entry = harEntry(
      dialect,
      { method, path, key: key ?? undefined, body },
      response,
      now + skewMs - 2,
      { ...noMishaps, areHeadersTwice, isBodyDropped: losesBodies && fraction() < 0.2 },
    )
    const added = Object.entries(headers).flatMap(([name, value]) =>
      value === '' ? [] : { name, value },
    )
    entry.request.headers.push(...added)
    if (headers['content-type'] === '') {
      entry.request.headers = entry.request.headers.filter(
        ({ name }) => !/^content-type$/i.test(name),
      )
    }
    entries.push(entry)
    now += 6
    return response
  }
  const wait = (ms: number): void => {
    now += Math.round(ms)
  }

  /** Sends lists until some are rejected. */
  const hammer = async (beyond: number, step: number, isShared = false): Promise<void> => {
    const { limit = 60, burst } = manners
    let rejected = 0
    for (let left = Number(limit) + 20 + beyond; left > 0 && rejected < beyond; left--) {
      if (isShared && fraction() < 0.3) await send(list, true)
      const response = await send(list)
      if (response.status >= 400) rejected += 1
      if (response.status >= 400 && burst !== undefined && rejected < beyond) wait(1100)
      wait(step)
    }
  }

  switch (kind) {
    case 'everyday': {
      const keys = ['key-alpha', 'key-alpha', 'key-beta']
      for (let turn = 0; turn < 70; turn++) {
        const sent = turn < odd.length * 2 ? (odd[turn % odd.length] ?? list) : pick(odd)
        await send(sent.key === undefined ? { ...sent, key: pick(keys) } : sent)
        wait(pick([0, 20, 300, 1500, 2700, 7000, 31_000]))
      }
      break
    }
    case 'limits':
    case 'shared': {
      for (let turn = 0; turn < 5; turn++) {
        for (let early = pick([0, 1, 3]); early > 0; early--) {
          await send(pick([...odd.slice(0, 6), list]))
          wait(pick([900, 4000, 11_000]))
        }
        await hammer(pick([1, 2, 4]), pick([10, 80, 200]), kind === 'shared')
        await send(pick(odd))
        wait(pick([3000, 20_000, 61_000, 75_300, 97_000]))
      }
      break
    }
    case 'bans': {
      for (let turn = 0; turn < 3; turn++) {
        await hammer(16, pick([10, 60]))
        wait(pick([4000, 30_000, 100_000, 400_000, 1_000_000]))
        await send(list)
        wait(pick([70_000, 500_000]))
      }
      break
    }
    case 'polite': {
      const early = pick([20, 50, 400, 1200])
      let wanted = list
      for (
        let turn = 0, rejected = 0;
        turn < Number(manners.limit ?? 60) * 3 && rejected < 8;
        turn++
      ) {
        const response = await send(wanted)
        if (response.status === 429) rejected += 1
        const seconds = waitIn(response, manners, now)
        wait(seconds === 0 ? pick([5, 40]) : seconds * 1000 + early)
        wanted = fraction() < 0.1 ? pick(odd.slice(0, 12)) : list
      }
      break
    }
    case 'pages': {
      const origin = pick(['https://shop.example', 'https://api.example.com'])
      const page = { origin }
      for (let turn = 0; turn < 60; turn++) {
        const sent = pick(odd)
        const isRead = (sent.method ?? 'GET') === 'GET' && fraction() < 0.4
        await send({ ...sent, ...(isRead ? {} : { headers: { ...sent.headers, ...page } }) })
        // Some overlap.
        wait(pick([-4, -5, 0, 100, 2000, 9000]))
      }
    }
  }
  return { log: { version: '1.2', entries } }
}
