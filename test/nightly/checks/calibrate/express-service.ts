import express, { type Express, type Request, type Response } from 'express'

/** Manners of the service; those that are absent are as in a plain one. */
export interface ExpressManners {
  readonly limit?: number
  /** Whether requests leave the minute one by one; else, windows end with the minute. */
  readonly sliding?: boolean
  /** Requests in a second; more are rejected for that second, in a minute of which much is left. */
  readonly burst?: number
  readonly form?: 'seconds' | 'http-date' | 'unix-time'
  readonly constant?: number
  readonly ban_after?: number
  readonly ban_status?: 403 | 429
  readonly aheadMs?: number
  readonly counts?: 'all' | 'successful'
  readonly codes?: 'snake' | 'upper' | 'kebab'
  readonly order?: 'id' | 'descending' | 'name'
  readonly default_status?: 'available' | 'pending' | 'none'
  readonly empty_name?: 'accept' | 'reject'
  readonly max_name?: number
  readonly invalid_query?: 'reject' | 'ignore'
  readonly unknown_query?: 'reject' | 'ignore'
  readonly bad_id?: 'not-found' | 'bad-request'
  readonly orders?: 'not-found' | 'empty-list'
  readonly charset?: boolean
  readonly cors?: 'exposed' | 'hidden'
  readonly deprecation?: 'standard' | 'none'
  readonly breaks?: string
  /** Seconds by which `Retry-After` is early, if that is what breaks the spec. */
  readonly early?: number
}

interface Pet {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status?: string
}

interface Usage {
  times: number[]
  rejected: number
  bannedUntil: number
}

const statuses = ['available', 'pending', 'sold']

/** A pet store made with Express, with middleware as tutorials have it; it shares no code with the sandbox. */
export function createService(manners: ExpressManners, clock: { now: number }): Express {
  const { limit = 60, breaks, order = 'id', codes = 'snake' } = manners
  const usages = new Map<string, Usage>()
  const pets: Pet[] = ['Moss', 'Ada', 'Zoe', 'Bo', 'Kit', 'Rex', 'Fay', 'Lin', 'Ole', 'Uma'].map(
    (name, index) => ({
      ...{ id: index + 1, name, categoryId: 7 },
      status: statuses[(index * 5) % 3] ?? 'sold',
    }),
  )

  function fail(response: Response, status: number, ...words: string[]): void {
    const text = words.join(codes === 'kebab' ? '-' : '_')
    const code = codes === 'upper' ? text.toUpperCase() : text
    const body = { code, message: words.join(' '), status }
    send(response, status, breaks === 'no-message' ? { code, status } : body)
  }

  function send(response: Response, status: number, body: unknown): void {
    response.set('date', new Date(clock.now + (manners.aheadMs ?? 0)).toUTCString())
    if (breaks === 'text') response.type('text/plain')
    // Express adds the charset to all that it sends as text.
    else if (manners.charset) response.type('json')
    else response.setHeader('content-type', 'application/json')
    response.status(status).end(JSON.stringify(body))
  }

  function report(response: Response, remaining: number, resetAt: number): void {
    const named = { limit, remaining: Math.max(0, remaining), reset: Math.ceil(resetAt / 1000) }
    for (const [name, value] of Object.entries(named)) {
      if (breaks !== `no-${name}`) response.set(`x-ratelimit-${name}`, String(value))
    }
  }

  function reject(response: Response, words: string[], freeAt: number, status = 429): void {
    const early = manners.early ?? 0
    const seconds = Math.max(1, Math.ceil((freeAt - clock.now) / 1000) - early)
    const at = clock.now + seconds * 1000
    const texts = {
      seconds: String(Math.max(seconds, manners.constant ?? 0)),
      'http-date': new Date(Math.ceil(at / 1000) * 1000).toUTCString(),
      'unix-time': String(Math.ceil(at / 1000)),
    }
    if (status === 429) response.set('retry-after', texts[manners.form ?? 'seconds'])
    fail(response, status, ...words)
  }

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(express.text({ type: () => true }))
  app.use((request, response, next) => {
    if (manners.cors === undefined || request.get('origin') === undefined) return next()
    response.set('access-control-allow-origin', '*')
    const exposed =
      'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id'
    if (manners.cors === 'exposed') response.set('access-control-expose-headers', exposed)
    next()
  })
  app.use((request, response, next) => {
    const { now } = clock
    const key = /^bearer (key-\S+)$/i.exec(request.get('authorization') ?? '')?.[1]
    if (key === undefined) {
      report(response, limit, now + 30_000)
      return breaks === 'open' ? next() : fail(response, 401, 'no', 'key')
    }
    const usage = usages.get(key) ?? { times: [], rejected: 0, bannedUntil: 0 }
    usages.set(key, usage)
    const began = manners.sliding ? now - 60_000 : Math.floor(now / 60_000) * 60_000
    usage.times = usage.times.filter((at) => at >= began + (manners.sliding ? 1 : 0))
    const resetAt = manners.sliding ? (usage.times[0] ?? now) + 60_000 : began + 60_000
    const left = limit - usage.times.length
    if (usage.bannedUntil > now) {
      report(response, 0, usage.bannedUntil)
      return reject(response, ['key', 'banned'], usage.bannedUntil, manners.ban_status)
    }
    if (left <= 0 && breaks !== 'unlimited') {
      usage.rejected += 1
      if (usage.rejected > (manners.ban_after ?? Number.POSITIVE_INFINITY)) {
        usage.bannedUntil = now + 300_000
        usage.rejected = 0
        report(response, 0, usage.bannedUntil)
        return reject(response, ['key', 'banned'], usage.bannedUntil, manners.ban_status)
      }
      report(response, 0, resetAt)
      return reject(response, ['too', 'many'], resetAt)
    }
    const recent = usage.times.filter((at) => at > now - 1000)
    if (manners.burst !== undefined && recent.length >= manners.burst) {
      report(response, left, resetAt)
      return reject(response, ['slow', 'down'], (recent[0] ?? now) + 1000)
    }
    usage.rejected = 0
    usage.times.push(now)
    report(response, left - 1, manners.sliding ? (usage.times[0] ?? now) + 60_000 : resetAt)
    response.locals.uncount = () => {
      if (manners.counts !== 'successful') return
      usage.times.pop()
      report(response, left, resetAt)
    }
    next()
  })

  function refuse(response: Response, status: number, ...words: string[]): void {
    response.locals.uncount?.()
    fail(response, status, ...words)
  }

  app.get('/v1/pets', (request, response) => {
    const query = new URLSearchParams(request.url.split('?')[1])
    const isLenient = manners.invalid_query === 'ignore'
    const unknown = [...query.keys()].some((name) => name !== 'limit' && name !== 'status')
    if (unknown && manners.unknown_query === 'reject') return refuse(response, 400, 'bad', 'query')
    const size = Number(query.get('limit') ?? 20)
    const isSize = Number.isInteger(size) && size >= 1 && size <= 100
    const status = query.get('status')
    const isStatus = status === null || statuses.includes(status)
    if (!isLenient && !(isSize && isStatus)) return refuse(response, 400, 'bad', 'query')
    const clamped = Number.isInteger(size) ? Math.min(100, Math.max(1, size)) : 20
    const shown = pets
      .filter((pet) => !isStatus || status === null || pet.status === status)
      .toSorted((one, other) =>
        order === 'name'
          ? Number(one.name > other.name) - 0.5
          : order === 'id'
            ? one.id - other.id
            : other.id - one.id,
      )
    const found = shown.slice(0, breaks === 'whole' ? undefined : clamped)
    send(response, 200, breaks === 'envelope' ? { pets: found } : found)
  })
  app.post('/v1/pets', (request: Request, response) => {
    const pet = petIn(request.body, manners)
    if (typeof pet === 'string') return refuse(response, breaks === '422' ? 422 : 400, 'bad', pet)
    const made = { id: pets.length + 1, ...pet }
    pets.push(made)
    send(response, 201, made)
  })
  app.get('/v1/pets/:id', (request, response) => {
    const { id } = request.params
    const isId = /^-?\d+$/.test(id)
    if (manners.deprecation !== 'none') {
      response.set('deprecation', '@1764892800').set('sunset', 'Thu, 05 Dec 2030 23:59:59 GMT')
    }
    if (!isId && manners.bad_id === 'bad-request') return refuse(response, 400, 'bad', 'id')
    const pet = isId ? pets.find((one) => one.id === Number(id)) : undefined
    if (pet === undefined) return refuse(response, 404, 'no', 'pet')
    send(response, 200, pet)
  })
  app.get('/v1/store/orders', (_request, response) => {
    if (manners.orders === 'empty-list') return send(response, 200, [])
    refuse(response, 404, 'no', 'orders')
  })
  app.use((_request, response) => refuse(response, 404, 'no', 'route'))
  return app
}

/** Reads a new pet; returns the name of what is wrong. */
function petIn(body: unknown, manners: ExpressManners): Omit<Pet, 'id'> | string {
  let found: unknown
  try {
    found = JSON.parse(typeof body === 'string' ? body : '')
  } catch {
    return 'json'
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return 'body'
  const pet = found as Readonly<Record<string, unknown>>
  const { name, categoryId, status = manners.default_status ?? 'available' } = pet
  if (typeof name !== 'string' || name.length > (manners.max_name ?? 1000)) return 'name'
  if (name === '' && manners.empty_name !== 'accept') return 'name'
  if (typeof categoryId !== 'number' || !Number.isInteger(categoryId)) return 'category'
  if (status === 'none') return { name, categoryId }
  return typeof status === 'string' && statuses.includes(status)
    ? { name, categoryId, status }
    : 'status'
}
