import axios, { type AxiosError } from 'axios'
import axiosRetry, { exponentialDelay, isNetworkOrIdempotentRequestError } from 'axios-retry'
import ky from 'ky'

/** The pet that is added. */
export const newPet = { name: 'Rex', categoryId: 1 }

/** Where a client sends its requests, and until when it may try. */
export interface Place {
  readonly url: string
  readonly headers: { readonly Authorization: string }
  readonly signal: AbortSignal
}

/** What a client does; each rejects once the client has given up. */
export interface LibraryClient {
  list(): Promise<unknown>
  create(): Promise<unknown>
}

/** A library with some settings. */
export interface Library {
  readonly name: string
  readonly settings: string
  connect(place: Place): LibraryClient
}

/** A response that is no success. */
export class StatusError extends Error {
  readonly response: Response

  constructor(response: Response) {
    super(`Got ${response.status}`)
    this.response = response
  }
}

/** A plain fetch that fails on what is no success. */
export async function fetchPets(
  { url, headers, signal }: Place,
  method: 'GET' | 'POST',
): Promise<unknown> {
  const init = { method, headers: { ...headers, 'Content-Type': 'application/json' }, signal }
  const body = method === 'POST' ? { body: JSON.stringify(newPet) } : {}
  const response = await fetch(`${url}/pets`, { ...init, ...body })
  if (!response.ok) throw new StatusError(response)
  return await response.json()
}

export function axiosClient(
  { url, headers, signal }: Place,
  options: Parameters<typeof axiosRetry>[1],
) {
  const client = axios.create({ baseURL: url, headers, signal })
  axiosRetry(client, options)
  return { list: () => client.get('/pets'), create: () => client.post('/pets', newPet) }
}

export function kyClient({ url, headers, signal }: Place, options: object): LibraryClient {
  const client = ky.create({ prefixUrl: url, headers, signal, ...options })
  return {
    list: () => client.get('pets').json(),
    create: () => client.post('pets', { json: newPet }).json(),
  }
}

/** Fetch as it comes. */
export const plainFetch: Library = {
  name: 'fetch',
  settings: 'no retries',
  connect: (place) => ({
    list: () => fetchPets(place, 'GET'),
    create: () => fetchPets(place, 'POST'),
  }),
}

/** axios-retry as its documentation recommends for limits. */
export const axiosWithBackoff: Library = {
  name: 'axios-retry',
  settings: '`exponentialDelay` from 0.5 s, 429 too',
  connect: (place) =>
    axiosClient(place, {
      retryDelay: (count, error) => exponentialDelay(count, error, 250),
      retryCondition: (error: AxiosError) =>
        isNetworkOrIdempotentRequestError(error) || error.response?.status === 429,
    }),
}

/** ky as it comes. */
export const kyDefault: Library = {
  name: 'ky',
  settings: 'default',
  connect: (place) => kyClient(place, {}),
}

/** The libraries that clients in pages have, too. */
export const webLibraries: readonly Library[] = [plainFetch, axiosWithBackoff, kyDefault]
