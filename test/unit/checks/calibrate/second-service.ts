/**
 * A small pet store, written from `docs/reference/api.md` alone, with choices of its own; it shares no code with the sandbox.
 */
interface StoredPet {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status: string
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const statuses = ['available', 'pending', 'sold']

/** Its choices, as the sandbox calls them. */
export const choicesOfSecond = {
  defaultStatus: 'pending',
  nullStatus: 'omit',
  emptyName: 'reject',
  unknownProperties: 'reject',
  idSequence: 'sequential',
  missingContentType: 'accept',
  listOrder: 'id-descending',
  invalidQuery: 'ignore',
  duplicateQuery: 'last',
  unknownQuery: 'reject',
  invalidPetId: 'bad-request',
  deprecationHeaders: 'draft',
  storeOrders: 'empty-list',
  trailingSlash: 'ignore',
  unknownRouteWithoutKey: 'not-found',
  unauthenticatedQuota: 'not-counted',
  errorCodes: 'UPPER_CASE',
  countedRequests: 'all',
  retryAfterFormat: 'http-date',
  retryAfterPadding: '5s',
  banAfter: 'never',
  quotaWindow: 'calendar',
} as const

/** The service; its clock is the caller's. */
export class SecondService {
  readonly #pets: StoredPet[] = Array.from({ length: 12 }, (_, index) => ({
    id: index + 1,
    name: `Animal ${index}`,
    categoryId: 7,
    status: statuses[index % 3] ?? 'sold',
  }))
  readonly #used = new Map<string, number>()

  /** @param now Unix milliseconds. */
  answer(asked: Asked, now: number): Answered {
    const minute = Math.floor(now / 60_000)
    const key = /^bearer (\S+)$/i.exec(asked.headers.authorization ?? '')?.[1]
    const isKnown = key === 'alpha' || key === 'beta'
    const counter = `${key} ${minute}`
    const used = this.#used.get(counter) ?? 0
    const isOver = isKnown && used >= 60
    if (isKnown && !isOver) this.#used.set(counter, used + 1)
    const left = isKnown ? Math.max(0, 59 - used) : 60
    const resetAt = (minute + 1) * 60
    const reply = this.#route(asked, isKnown, isOver, resetAt)
    return {
      ...reply,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        date: new Date(now).toUTCString(),
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': String(resetAt),
        ...reply.headers,
      },
    }
  }

  #route(
    { method, path, body }: Asked,
    isKnown: boolean,
    isOver: boolean,
    resetAt: number,
  ): Answered {
    const [place = '', query = ''] = path.split('?')
    const plain = place.replace(/\/$/, '')
    const [, id] = /^\/pets\/([^/]+)$/.exec(plain) ?? []
    const methods = plain === '/pets' ? ['GET', 'POST'] : ['GET']
    const isThere = plain === '/pets' || id !== undefined || plain === '/store/orders'
    if (isOver) {
      const retry = { 'retry-after': new Date((resetAt + 5) * 1000).toUTCString() }
      return rejected(429, 'TOO_MANY', `come back after ${resetAt}`, retry)
    }
    if (isThere && methods.includes(method) && !isKnown)
      return rejected(401, 'NO_KEY', 'who are you')
    if (!isThere) return rejected(404, 'NO_PAGE', `nothing at ${place}`)
    if (!methods.includes(method)) return rejected(405, 'NO_METHOD', `not ${method}`)
    const parameters = new URLSearchParams(query)
    const known = plain === '/pets' && method === 'GET' ? ['limit', 'status'] : []
    for (const name of parameters.keys()) {
      if (!known.includes(name)) return rejected(400, 'BAD_QUERY', `unknown ${name}`)
    }
    if (plain === '/store/orders') return { status: 200, headers: {}, body: '[]' }
    if (id !== undefined) return this.#one(id)
    return method === 'GET' ? this.#list(parameters) : this.#add(body)
  }

  #one(id: string): Answered {
    if (!/^-?\d+$/.test(id)) return rejected(400, 'BAD_ID', `${id} is no id`)
    const pet = this.#pets.find((one) => one.id === Number(id))
    if (pet === undefined) return rejected(404, 'NO_PET', `no pet ${id}`)
    const headers = { deprecation: 'true', sunset: 'Thu, 05 Dec 2030 23:59:59 GMT' }
    return { status: 200, headers, body: JSON.stringify(pet) }
  }

  #list(parameters: URLSearchParams): Answered {
    const limit = Number(parameters.getAll('limit').at(-1) ?? 20)
    const size = Number.isInteger(limit) ? Math.min(Math.max(limit, 1), 100) : 20
    const status = parameters.getAll('status').at(-1)
    const pets = this.#pets
      .toSorted((one, other) => other.id - one.id)
      .filter((pet) => !statuses.includes(status ?? '') || pet.status === status)
    return { status: 200, headers: {}, body: JSON.stringify(pets.slice(0, size)) }
  }

  #add(body: string): Answered {
    const pet = parsed(body)
    if (pet === undefined) return rejected(400, 'BAD_BODY', 'no object')
    const { name, categoryId, status = 'pending', ...others } = pet
    if (Object.keys(others).length > 0) return rejected(400, 'BAD_BODY', 'too much')
    if (typeof name !== 'string' || name === '') return rejected(400, 'BAD_NAME', 'no name')
    if (typeof categoryId !== 'number') return rejected(400, 'BAD_CATEGORY', 'no category')
    if (status !== null && !statuses.includes(String(status))) {
      return rejected(400, 'BAD_STATUS', 'no such status')
    }
    const made = {
      id: this.#pets.length + 1,
      name,
      categoryId,
      status: String(status ?? 'pending'),
    }
    this.#pets.push(made)
    return { status: 201, headers: {}, body: JSON.stringify(made) }
  }
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(body)
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function rejected(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answered {
  return { status, headers, body: JSON.stringify({ code, message, status }) }
}
