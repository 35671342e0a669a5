import { type Int64, parseJson, toJson } from './json.ts'

export type PetStatus = 'available' | 'pending' | 'sold'

export interface NewPet {
  readonly name: string
  readonly categoryId: Int64
  readonly status: PetStatus
}

export interface Pet extends Omit<NewPet, 'status'> {
  readonly id: Int64
  readonly status?: PetStatus
}

/** How many requests the store still takes; instants are on the clock of this device. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
}

/** What the store says of an operation that it is going to remove. */
export interface Deprecation {
  readonly removedAt: number | undefined
  /** The address to use instead. */
  readonly successor: string | undefined
}

/** A request that the store rejected, or that got no response. */
export class PetStoreError extends Error {
  override readonly name: string = 'PetStoreError'
  /** The HTTP status; `undefined` without a response. */
  readonly status: number | undefined
  /** The store's own code of the error. */
  readonly code: string | undefined

  constructor(message: string, status?: number, code?: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }
}

/** Too many requests: the store serves again at an instant, on the clock of this device. */
export class RateLimitError extends PetStoreError {
  override readonly name = 'RateLimitError'
  readonly retryAt: number

  constructor(message: string, code: string, retryAt: number) {
    super(message, 429, code)
    this.retryAt = retryAt
  }
}

export interface PetStoreOptions {
  /** With the version segment, such as `https://api.example.com/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Called with what each answer says. */
  readonly onQuota?: (quota: Quota) => void
}

/** A client of the pet store. */
export class PetStore {
  readonly #options: PetStoreOptions

  constructor(options: PetStoreOptions) {
    this.#options = options
  }

  async list(status: PetStatus | undefined, signal: AbortSignal): Promise<readonly Pet[]> {
    const query = status === undefined ? '' : `&status=${status}`
    const { body } = await this.#send(`/pets?limit=100${query}`, { signal })
    return body as Pet[]
  }

  async add(pet: NewPet): Promise<Pet> {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: toJson({ ...pet }) }
    const { body } = await this.#send('/pets', init)
    return body as Pet
  }

  async get(
    id: Int64,
  ): Promise<{ readonly pet: Pet; readonly deprecation: Deprecation | undefined }> {
    const { headers, body } = await this.#send(`/pets/${id}`)
    return { pet: body as Pet, deprecation: deprecationOf(headers) }
  }

  async #send(path: string, init: RequestInit = {}): Promise<{ headers: Headers; body: unknown }> {
    const { baseUrl, apiKey, onQuota } = this.#options
    const authorization = { Authorization: `Bearer ${apiKey}` }
    let response: Response
    let text: string
    try {
      response = await fetch(`${baseUrl}${path}`, {
        ...init,
        headers: { ...authorization, ...init.headers },
      })
      text = await response.text()
    } catch (error) {
      if (init.signal?.aborted === true) throw error
      throw new PetStoreError('The store can’t be reached.', undefined, undefined, { cause: error })
    }
    let body: unknown
    try {
      body = parseJson(text)
    } catch (error) {
      const words = 'The store sent something that this page can’t read.'
      throw new PetStoreError(words, response.status, undefined, { cause: error })
    }
    const quota = quotaOf(response.headers)
    if (quota !== undefined) onQuota?.(quota)
    if (!response.ok) throw errorOf(response, body, quota)
    return { headers: response.headers, body }
  }
}

/** How far the store's clock is ahead of this device's, in milliseconds. */
function clockOffsetOf(headers: Headers): number {
  const at = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(at) ? 0 : at - Date.now()
}

function quotaOf(headers: Headers): Quota | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
  )
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  if (![limit, remaining, reset].every(Number.isFinite)) return undefined
  return { limit, remaining, resetAt: reset * 1000 - clockOffsetOf(headers) }
}

function errorOf(response: Response, body: unknown, quota: Quota | undefined): PetStoreError {
  const { code, message } = body as { readonly code: string; readonly message: string }
  const isLimited = response.status === 429 || response.headers.has('retry-after')
  if (!isLimited)
    return new PetStoreError(wordsFor(response.status, message), response.status, code)
  return new RateLimitError(message, code, retryAtOf(response.headers, quota))
}

/** What a shopper can understand of an error; the store's own words are for who writes the page. */
function wordsFor(status: number, message: string): string {
  if (status === 401) return 'This shop has lost its access to the store. Please tell its owner.'
  if (status >= 500) return 'The store is out of order for a while.'
  return message
}

/** `Retry-After` is in seconds or an HTTP date; without one, the reset of the quota is the best guess. */
function retryAtOf(headers: Headers, quota: Quota | undefined): number {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Date.now() + Number(text) * 1000
  const at = Date.parse(text)
  if (Number.isNaN(at)) return quota?.resetAt ?? Date.now() + 60_000
  return at - clockOffsetOf(headers)
}

function deprecationOf(headers: Headers): Deprecation | undefined {
  if (!headers.has('deprecation') && !headers.has('sunset')) return undefined
  const removedAt = Date.parse(headers.get('sunset') ?? '')
  const link = /<([^>]*)>[^,]*;\s*rel="?successor-version"?/.exec(headers.get('link') ?? '')
  return { removedAt: Number.isNaN(removedAt) ? undefined : removedAt, successor: link?.[1] }
}
