export type PetStatus = 'available' | 'pending' | 'sold'

/** A pet to add. Ids are bigints, since a number can't hold every int64. */
export interface NewPet {
  readonly name: string
  readonly categoryId: bigint
  readonly status?: PetStatus
}

export interface Pet extends NewPet {
  readonly id: bigint
}

export interface PetClientOptions {
  /** Address with the version segment, such as `https://api.example.com/v1`. */
  readonly apiUrl: string
  readonly apiKey: string
  /** Time limit for each request; 10 seconds by default. */
  readonly timeLimitMs?: number
  /** Longest wait that the service may ask for before the call fails; 90 seconds by default. */
  readonly maxWaitMs?: number
  /** Pauses before each look for a pet that may have been added; 1, 2 and 4 seconds by default. */
  readonly lookAfterMs?: readonly number[]
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly sleep?: (ms: number) => Promise<unknown>
  readonly now?: () => number
}

export class PetClientError extends Error {
  override readonly name = 'PetClientError'
  /** Status of the response; `undefined` if no response arrived whole and in time. */
  readonly status: number | undefined
  /** The `code` of the service's Error body. */
  readonly code: string | undefined
  /** Time that the service asks the client to wait. */
  readonly retryAfterMs: number | undefined
  /** Whether the pet may have been added nevertheless. */
  readonly mayBeAdded: boolean = false

  constructor(message: string, details: Partial<PetClientError>) {
    super(message)
    Object.assign(this, details)
  }
}

const maxTries = 4

/** Lists and adds pets; all requests of a client wait together, so use one client for each key. */
export class PetClient {
  readonly #options: Required<PetClientOptions>
  readonly #added = new Set<bigint>()
  #pausedUntil = 0
  #stoppedBy: PetClientError | undefined

  constructor(options: PetClientOptions) {
    this.#options = {
      timeLimitMs: 10_000,
      maxWaitMs: 90_000,
      lookAfterMs: [1_000, 2_000, 4_000],
      fetch: (url, init) => fetch(url, init),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      now: () => Date.now(),
      ...options,
    }
  }

  async listPets(query: { limit?: number; status?: PetStatus | undefined } = {}): Promise<Pet[]> {
    const { limit = 100, status } = query
    const filter = status === undefined ? '' : `&status=${status}`
    return await this.#request(`/pets?limit=${limit}${filter}`, { method: 'GET' })
  }

  /**
   * Adds a pet. If the response is lost, a pet of this name and category counts as the added one, unless the client
   * added it before.
   */
  async createPet(pet: NewPet): Promise<Pet> {
    const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
    const body = `{"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
    const init = { method: 'POST', body }
    const added = await this.#request<Pet>('/pets', init, () => this.#findAdded(pet))
    this.#added.add(added.id)
    return added
  }

  /** Looks several times, since a list may show a new pet late. */
  async #findAdded({ name, categoryId, status }: NewPet): Promise<Pet | undefined> {
    for (const ms of this.#options.lookAfterMs) {
      await this.#options.sleep(ms)
      const pets = await this.listPets({ status })
      const alike = pets.filter((pet) => pet.name === name && pet.categoryId === categoryId)
      const found = alike.find(({ id }) => !this.#added.has(id))
      if (found !== undefined) {
        this.#added.add(found.id)
        return found
      }
      if (pets.length >= 100) throw new Error('The list is full, and may lack the pet')
    }
    return undefined
  }

  async #request<T>(path: string, init: RequestInit, find?: () => Promise<T | undefined>) {
    for (let tries = 1, backoffMs = 0; ; tries++) {
      await this.#waitForTurn(backoffMs)
      try {
        return (await this.#send(path, init)) as T
      } catch (error) {
        if (!(error instanceof PetClientError)) throw error
        const { status = 0, retryAfterMs = 0, mayBeAdded } = error
        const found = mayBeAdded ? await find?.().catch(() => Promise.reject(error)) : undefined
        if (found !== undefined) return found
        const isFinal = status >= 300 && status < 500 && status !== 429
        if (isFinal || tries === maxTries || retryAfterMs > this.#options.maxWaitMs) throw error
        backoffMs = 500 * 2 ** (tries - 1)
      }
    }
  }

  /** Waits with jitter, so that clients that were rejected together don't come back together. */
  async #waitForTurn(backoffMs: number): Promise<void> {
    const { now, sleep, maxWaitMs } = this.#options
    for (let minMs = backoffMs; ; minMs = 0) {
      if (this.#stoppedBy !== undefined) throw this.#stoppedBy
      const until = this.#pausedUntil
      const ms = Math.max(minMs, until - now())
      if (ms <= 0) return
      if (ms > maxWaitMs) {
        throw new PetClientError('The service asks for a long wait', { retryAfterMs: ms })
      }
      await sleep(ms + Math.random() * Math.max(backoffMs, 500))
      if (this.#pausedUntil === until) this.#pausedUntil = 0
    }
  }

  async #send(path: string, init: RequestInit): Promise<unknown> {
    const { apiUrl, apiKey, timeLimitMs, fetch } = this.#options
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const signal = AbortSignal.timeout(timeLimitMs)
    const isPost = init.method === 'POST'
    let response: Response
    let text: string
    try {
      response = await fetch(apiUrl + path, { ...init, headers, signal })
      text = await response.text()
    } catch (cause) {
      throw new PetClientError('No response arrived whole', { cause, mayBeAdded: isPost })
    }
    const { ok, status } = response
    const retryAfterMs = this.#noteLimits(response)
    const content = parseExactly(text)
    if (ok && content !== undefined) return content
    const { code, message } = (content ?? {}) as Partial<PetClientError>
    // After 5xx with Retry-After, the request had no effect.
    const mayBeAdded = isPost && (ok || (status >= 500 && retryAfterMs === undefined))
    const details = { status, code, retryAfterMs, mayBeAdded }
    const error = new PetClientError(message ?? `Unreadable response ${status}`, details)
    if (status === 401) this.#stoppedBy = error
    throw error
  }

  /** Pauses the client as the headers ask; returns how long a rejected request has to wait. */
  #noteLimits({ status, headers }: Response): number | undefined {
    const now = this.#options.now()
    // The service's clock may differ from this one; pages of other origins may not see it.
    const serviceNow = Date.parse(headers.get('date') ?? '') || now
    const isLast = headers.get('x-ratelimit-remaining') === '0'
    const resetMs = isLast ? Number(headers.get('x-ratelimit-reset')) * 1000 - serviceNow || 0 : 0
    const asked = readRetryAfter(headers.get('retry-after'), serviceNow)
    const retryAfterMs = asked ?? (status === 429 ? (resetMs > 0 ? resetMs : 60_000) : undefined)
    this.#pausedUntil = Math.max(this.#pausedUntil, now + (retryAfterMs ?? resetMs))
    return retryAfterMs
  }
}

/** Reads seconds or an HTTP date (RFC 9110, 10.2.3) as milliseconds from now. */
function readRetryAfter(text: string | null, serviceNow: number): number | undefined {
  if (text === null) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - serviceNow)
}

/** Parses JSON with every digit of its ids; returns `undefined` if it is invalid. */
function parseExactly(text: string): unknown {
  const quoted = text.replace(/"(id|categoryId)"\s*:\s*(-?\d+)(?![\d.eE])/g, '"$1":"$2"')
  const isId = (key: string): boolean => key === 'id' || key === 'categoryId'
  try {
    return JSON.parse(quoted, (key, value) => (isId(key) ? BigInt(value) : value))
  } catch {
    return undefined
  }
}
