/** A small pet store of any manners that the interface allows; it shares no code with the sandbox. */
type Rounding = 'floor' | 'ceil' | 'round'

/** Ways to keep the interface. */
export interface Manners {
  readonly limit: number
  readonly window:
    | 'calendar'
    | 'first-request'
    | 'phase'
    | 'log-oldest'
    | 'log-newest'
    | 'token-full'
    | 'token-next'
  readonly resolutionMs: 1 | 1000
  readonly rounds: { readonly reset: Rounding; readonly after: Rounding; readonly date: Rounding }
  /** Seconds that `Retry-After` is later; `always-60` is a constant. */
  readonly later: 0 | 1 | 5 | 10 | 'always-60'
  readonly form: 'seconds' | 'http-date'
  /** Milliseconds that the `Date` of each node is ahead. */
  readonly nodesMs: readonly number[]
  readonly counts: 'all' | 'successful'
  readonly banAfter: number | 'never'
  readonly banMs: number
  readonly isBanNamed: boolean
  readonly codes: 'snake' | 'upper' | 'kebab' | 'camel' | 'dotted'
  readonly properties: 'listed' | 'alphabetical' | 'shuffled'
  readonly lists: 'ascending' | 'descending' | 'by-name'
  readonly ids: 'sequential' | 'random'
  readonly emptyName: 'accept' | 'reject'
  /** The limit of a day, and which of both windows is reported. */
  readonly day:
    | { readonly limit: number; readonly reported: 'tightest' | 'minute' | 'day' }
    | undefined
  /** Whether `X-RateLimit-Reset` is the whole second that it is now, and what is left in whole seconds. */
  readonly isResetAdded: boolean
}

export interface ThirdRequest {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly body: string
}

export interface ThirdResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

interface Pet {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status: string
}

/** Where a key stands in a window: when the limit resets, and when the next request is served. */
interface Standing {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
  readonly freeAt: number
}

interface Usage {
  times: number[]
  dayTimes: number[]
  dayBeganAt: number
  beganAt: number
  tokens: number
  tokensAt: number
  rejected: number
  bannedUntil: number
}

const minuteMs = 60_000
const dayMs = 86_400_000

export class ThirdService {
  readonly #pets: Pet[] = []
  readonly #usages = new Map<string, Usage>()
  readonly #manners: Manners
  readonly #random: () => number

  /** @param random Returns a number from 0 up to 1. */
  constructor(manners: Manners, random: () => number) {
    this.#manners = manners
    this.#random = random
    for (const name of [
      'Moss',
      'Ada',
      'Zoë',
      'Bo',
      'Kit',
      'Rex',
      'Fay',
      'Lin',
      'Ole',
      'Uma',
      'Io',
      'Cy',
    ]) {
      this.#add({ name, categoryId: 7, status: 'sold' })
    }
  }

  /** @param now Unix milliseconds by the clock that counts requests. */
  respond(request: ThirdRequest, now: number): ThirdResponse {
    const { key } = request
    if (key === undefined) {
      const isOfDay = this.#manners.day?.reported === 'day'
      const [limit, lastsMs] = isOfDay ? [1000, dayMs] : [60, minuteMs]
      const resetAt = now + lastsMs / 2
      return this.#dressed(this.#error(401, ['no', 'key']), now, {
        limit,
        remaining: limit,
        resetAt,
      })
    }
    const usage = this.#usageOf(key)
    const result = this.#route(request)
    const { banAfter, banMs, counts } = this.#manners
    if (usage.bannedUntil > now) return this.#banned(usage, now)
    const full = this.#standing(usage, now).filter(({ remaining }) => remaining < 1)
    const [latest] = full.toSorted((one, other) => other.freeAt - one.freeAt)
    if (latest !== undefined) {
      usage.rejected += 1
      if (usage.rejected > (banAfter === 'never' ? Number.POSITIVE_INFINITY : banAfter)) {
        usage.bannedUntil = now + banMs
        return this.#banned(usage, now)
      }
      return this.#limited(['too', 'many'], now, latest, latest.freeAt)
    }
    usage.rejected = 0
    if (counts === 'all' || result.status < 300) this.#count(usage, now)
    return this.#dressed(result, now, this.#reported(this.#standing(usage, now)))
  }

  #banned({ bannedUntil }: Usage, now: number): ThirdResponse {
    const { limit, isBanNamed } = this.#manners
    const words = isBanNamed ? ['key', 'banned'] : ['too', 'many']
    return this.#limited(words, now, { limit, remaining: 0, resetAt: bannedUntil }, bannedUntil)
  }

  #reported(all: readonly Standing[]): Standing {
    const [minute, day = minute] = all
    if (minute === undefined || day === undefined) throw new TypeError('There is no window')
    const { reported = 'minute' } = this.#manners.day ?? {}
    if (reported === 'tightest') return day.remaining <= minute.remaining ? day : minute
    return reported === 'day' ? day : minute
  }

  #usageOf(key: string): Usage {
    const known = this.#usages.get(key)
    if (known !== undefined) return known
    const { limit } = this.#manners
    const usage = {
      times: [],
      dayTimes: [],
      dayBeganAt: -Infinity,
      beganAt: -Infinity,
      tokens: limit,
      tokensAt: 0,
      rejected: 0,
      bannedUntil: 0,
    }
    this.#usages.set(key, usage)
    return usage
  }

  #count(usage: Usage, now: number): void {
    usage.times.push(now)
    usage.dayTimes.push(now)
    usage.tokens -= 1
  }

  #standing(usage: Usage, now: number): Standing[] {
    const { limit, day } = this.#manners
    const minute = { limit, ...this.#minute(usage, now) }
    return day === undefined ? [minute] : [minute, this.#day(usage, now, day.limit)]
  }

  #day(usage: Usage, now: number, limit: number): Standing {
    const { window } = this.#manners
    const isLog = window.startsWith('log')
    if (isLog) usage.dayTimes = usage.dayTimes.filter((at) => at + dayMs > now)
    else {
      const fixed = Math.floor(now / dayMs) * dayMs
      const isFirst = window === 'first-request'
      const isOver = isFirst ? now >= usage.dayBeganAt + dayMs : usage.dayBeganAt !== fixed
      if (isOver) {
        usage.dayBeganAt = isFirst ? now : fixed
        usage.dayTimes = []
      }
    }
    const { dayTimes, dayBeganAt } = usage
    const [oldest = now] = dayTimes
    const newest = dayTimes.at(-1) ?? now
    const freeAt = (isLog ? oldest : dayBeganAt) + dayMs
    const resetAt = window === 'log-newest' ? newest + dayMs : freeAt
    return { limit, remaining: Math.max(0, limit - dayTimes.length), resetAt, freeAt }
  }

  /** Where a key stands in the window of a minute. */
  #minute(usage: Usage, now: number): Omit<Standing, 'limit'> {
    const { limit, window, resolutionMs } = this.#manners
    if (window === 'token-full' || window === 'token-next') {
      const each = minuteMs / limit
      usage.tokens = Math.min(limit, usage.tokens + (now - usage.tokensAt) / each)
      usage.tokensAt = now
      const freeAt = now + Math.max(0, 1 - usage.tokens) * each
      const next = now + (Math.floor(usage.tokens) + 1 - usage.tokens) * each
      const fullAt = now + (limit - usage.tokens) * each
      return {
        remaining: Math.max(0, Math.floor(usage.tokens + 1e-9)),
        resetAt: window === 'token-full' ? fullAt : next,
        freeAt,
      }
    }
    if (window === 'log-oldest' || window === 'log-newest') {
      usage.times = usage.times.filter((at) => at + minuteMs > now)
      const [oldest = now] = usage.times
      const newest = usage.times.at(-1) ?? now
      const freeAt = oldest + minuteMs
      const resetAt = window === 'log-oldest' ? freeAt : newest + minuteMs
      return { remaining: limit - usage.times.length, resetAt, freeAt }
    }
    const phase = window === 'phase' ? 37_000 : 0
    const fixed = Math.floor((now - phase) / minuteMs) * minuteMs + phase
    const isOver =
      window === 'first-request' ? now >= usage.beganAt + minuteMs : usage.beganAt !== fixed
    if (isOver) {
      usage.beganAt =
        window === 'first-request' ? Math.floor(now / resolutionMs) * resolutionMs : fixed
      usage.times = []
    }
    const resetAt = usage.beganAt + minuteMs
    return { remaining: limit - usage.times.length, resetAt, freeAt: resetAt }
  }

  #limited(
    words: readonly string[],
    now: number,
    report: { limit: number; remaining: number; resetAt: number },
    freeAt: number,
  ): ThirdResponse {
    const { later, rounds, form } = this.#manners
    const extra = later === 'always-60' ? 0 : later
    const seconds =
      later === 'always-60'
        ? Math.max(60, Math.ceil((freeAt - now) / 1000))
        : Math[rounds.after]((freeAt - now) / 1000) + extra
    const at = Math[rounds.after](freeAt / 1000) + extra
    const text = form === 'seconds' ? String(seconds) : new Date(at * 1000).toUTCString()
    const response = this.#dressed(this.#error(429, words), now, { ...report, remaining: 0 })
    return { ...response, headers: { ...response.headers, 'retry-after': text } }
  }

  #dressed(
    { status, body, headers }: ThirdResponse,
    now: number,
    { limit, remaining, resetAt }: { limit: number; remaining: number; resetAt: number },
  ): ThirdResponse {
    const { rounds, nodesMs, isResetAdded } = this.#manners
    const reset = isResetAdded
      ? Math.floor(now / 1000) + Math[rounds.reset]((resetAt - now) / 1000)
      : Math[rounds.reset](resetAt / 1000)
    const node = nodesMs[Math.floor(this.#random() * nodesMs.length)] ?? 0
    return {
      status,
      body,
      headers: {
        'content-type': 'application/json',
        date: new Date(Math[rounds.date]((now + node) / 1000) * 1000).toUTCString(),
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(reset),
        ...headers,
      },
    }
  }

  #route({ method, path, body }: ThirdRequest): ThirdResponse {
    const [place = '', query = ''] = path.split('?')
    const [, id] = /^\/pets\/(\d+)$/.exec(place) ?? []
    if (place === '/pets' && method === 'POST') return this.#create(body)
    if (place === '/pets') return this.#list(new URLSearchParams(query))
    const deprecated = { deprecation: '@1764892800', sunset: 'Thu, 05 Dec 2030 23:59:59 GMT' }
    const pet = this.#pets.find((one) => String(one.id) === id)
    if (pet !== undefined) return { status: 200, headers: deprecated, body: this.#json(pet) }
    return { ...this.#error(404, ['not', 'found']), headers: id === undefined ? {} : deprecated }
  }

  #list(parameters: URLSearchParams): ThirdResponse {
    const limit = Number(parameters.get('limit') ?? 20)
    if (!(limit >= 1 && limit <= 100)) return this.#error(400, ['bad', 'limit'])
    const { lists } = this.#manners
    const sorted = this.#pets.toSorted((one, other) => {
      if (lists === 'by-name') return one.name < other.name ? -1 : one.name > other.name ? 1 : 0
      return lists === 'ascending' ? one.id - other.id : other.id - one.id
    })
    const body = `[${sorted.slice(0, limit).map((pet) => this.#json(pet))}]`
    return { status: 200, headers: {}, body }
  }

  #create(body: string): ThirdResponse {
    const found = JSON.parse(body) as Record<string, unknown>
    const { name, categoryId, status = 'available' } = found
    const isEmpty = name === '' && this.#manners.emptyName === 'reject'
    if (typeof name !== 'string' || typeof categoryId !== 'number' || isEmpty) {
      return this.#error(400, ['bad', 'pet'])
    }
    const pet = this.#add({ name, categoryId, status: String(status) })
    return { status: 201, headers: {}, body: this.#json(pet) }
  }

  #add(pet: Omit<Pet, 'id'>): Pet {
    const isRandom = this.#manners.ids === 'random'
    const id = isRandom ? 1 + Math.floor(this.#random() * 2 ** 50) : this.#pets.length + 1
    const made = { id, ...pet }
    this.#pets.push(made)
    return made
  }

  #error(status: number, words: readonly string[]): ThirdResponse {
    const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
    const code = {
      snake: words.join('_'),
      upper: words.join('_').toUpperCase(),
      kebab: words.join('-'),
      camel: words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
      dotted: words.join('.'),
    }[this.#manners.codes]
    return { status, headers: {}, body: this.#json({ code, message: `It is ${code}`, status }) }
  }

  #json(found: object): string {
    const { properties } = this.#manners
    const members = Object.entries(found)
    if (properties === 'alphabetical') members.sort(([one], [other]) => (one < other ? -1 : 1))
    if (properties === 'shuffled') {
      for (let index = members.length - 1; index > 0; index--) {
        const other = Math.floor(this.#random() * (index + 1))
        const [one, two] = [members[index], members[other]]
        if (one && two) [members[index], members[other]] = [two, one]
      }
    }
    return JSON.stringify(Object.fromEntries(members))
  }
}
