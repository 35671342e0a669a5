import { defaultMaxWaitMs, type RetryOptions, retryAfterMs, waitFor, waitMs } from './retry.ts'

export type PetStatus = 'available' | 'pending' | 'sold'

export interface NewPet {
  readonly name: string
  readonly categoryId: number
  readonly status?: PetStatus
}

export interface Pet extends NewPet {
  readonly id: number
}

/** The body of every error of the pet store. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** An error response of the pet store. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError'
  readonly code: string
  readonly status: number
  /** Wait in `Retry-After`, in milliseconds; 0 without one. */
  readonly retryAfterMs: number

  constructor({ code, message, status }: ErrorBody, retryAfterMs: number) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

export interface PetClientOptions extends RetryOptions {
  /** With the version segment, such as `https://api.example.com/v1`. */
  readonly apiUrl: string
  readonly apiKey: string
}

type Method = 'GET' | 'POST'

/**
 * A client of the pet store that waits as long as `Retry-After` says.
 *
 * It sends again what was rejected with 429, once the time in `Retry-After` is over, and sends nothing while it knows
 * that no requests are left. Reading is also tried again after errors of the server and of the network; adding is
 * not, since nobody knows whether the pet was added.
 */
export class PetClient {
  readonly #options: PetClientOptions
  #noneLeftUntil = 0

  constructor(options: PetClientOptions) {
    this.#options = options
  }

  listPets(query: { readonly limit?: number; readonly status?: PetStatus } = {}): Promise<Pet[]> {
    const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
    const search = new URLSearchParams(entries).toString()
    return this.#request<Pet[]>('GET', `/pets${search === '' ? '' : `?${search}`}`)
  }

  createPet(pet: NewPet): Promise<Pet> {
    return this.#request<Pet>('POST', '/pets', pet)
  }

  async #request<Result>(method: Method, path: string, body?: unknown): Promise<Result> {
    const { maxRetries = 4, maxWaitMs = defaultMaxWaitMs } = this.#options
    for (let attempt = 0; ; attempt++) {
      const noneLeftMs = this.#noneLeftUntil - Date.now()
      // If that is too long to wait, the store's own error response says so best.
      if (noneLeftMs <= maxWaitMs) await waitFor(noneLeftMs)
      try {
        return await this.#send<Result>(method, path, body)
      } catch (error) {
        if (attempt >= maxRetries || !mayRetry(method, error)) throw error
        const askedMs = error instanceof PetStoreError ? error.retryAfterMs : 0
        const ms = waitMs(attempt, askedMs, this.#options)
        if (ms === undefined) throw error
        await waitFor(ms)
      }
    }
  }

  async #send<Result>(method: Method, path: string, body: unknown): Promise<Result> {
    const { apiUrl, apiKey } = this.#options
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { headers } = response
    if (headers.get('x-ratelimit-remaining') === '0') {
      this.#noneLeftUntil = Number(headers.get('x-ratelimit-reset')) * 1000
    }
    if (response.ok) return (await response.json()) as Result
    throw new PetStoreError(
      (await response.json()) as ErrorBody,
      retryAfterMs(headers.get('retry-after')),
    )
  }
}

/** Whether a request may be sent again: the store did not act on it, or it only reads. */
function mayRetry(method: Method, error: unknown): boolean {
  if (!(error instanceof PetStoreError)) return method === 'GET'
  const { status } = error
  return status === 429 || (method === 'GET' && status >= 500 && status !== 501)
}
