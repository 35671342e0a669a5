import { QueryClient, QueryObserver } from '@tanstack/query-core'
import got from 'got'
import { type FetchContext, ofetch } from 'ofetch'
import createClient from 'openapi-fetch'
import pRetry, { AbortError } from 'p-retry'
import { Agent, RetryAgent, request as undiciRequest } from 'undici'
import {
  axiosClient,
  axiosWithBackoff,
  fetchPets,
  kyClient,
  kyDefault,
  type Library,
  type LibraryClient,
  newPet,
  type Place,
  plainFetch,
  StatusError,
} from './web-libraries.ts'

/** How long a rejection says to wait. */
function toldMs(error: unknown): number | undefined {
  if (!(error instanceof StatusError)) return undefined
  return retryAfterMs(error.response.headers)
}

function retryAfterMs(headers: Headers | undefined): number | undefined {
  const seconds = headers?.get('retry-after') ?? undefined
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Whether it may help to send a request again. */
function mayHelp(error: unknown): boolean {
  return !(error instanceof StatusError) || [429, 503].includes(error.response.status)
}

function gotClient({ url, headers, signal }: Place, options: object): LibraryClient {
  const client = got.extend({ prefixUrl: url, headers, signal, ...options })
  return {
    list: () => client.get('pets').json(),
    create: () => client.post('pets', { json: newPet }).json(),
  }
}

function ofetchClient({ url, headers, signal }: Place, options: object): LibraryClient {
  const client = ofetch.create({ baseURL: url, headers, signal, ...options })
  return {
    list: () => client('/pets'),
    create: () => client('/pets', { method: 'POST', body: newPet }),
  }
}

function undiciClient({ url, headers, signal }: Place, options: object): LibraryClient {
  const dispatcher = new RetryAgent(new Agent(), options)
  const send = async (method: 'GET' | 'POST', body?: string): Promise<unknown> => {
    const sent = { ...headers, 'Content-Type': 'application/json' }
    const reply = await undiciRequest(`${url}/pets`, {
      method,
      headers: sent,
      signal,
      dispatcher,
      ...(body === undefined ? {} : { body }),
    })
    if (reply.statusCode >= 400) throw new Error(`Got ${reply.statusCode}`)
    return await reply.body.json()
  }
  return { list: () => send('GET'), create: () => send('POST', JSON.stringify(newPet)) }
}

function queryClient(place: Place, options: object): LibraryClient {
  const list = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const client = new QueryClient()
      const queryFn = () => fetchPets(place, 'GET')
      const observer = new QueryObserver(client, { queryKey: ['pets'], queryFn, ...options })
      const end = observer.subscribe(({ status, data, error }) => {
        if (status === 'pending') return
        end()
        if (status === 'success') resolve(data)
        else reject(error)
      })
      place.signal.addEventListener('abort', reject, { once: true })
    })
  const client = new QueryClient()
  const create = () =>
    client
      .getMutationCache()
      .build(client, { mutationFn: () => fetchPets(place, 'POST') })
      .execute(undefined)
  return { list, create }
}

function openapiClient({ url, headers, signal }: Place): LibraryClient {
  const client = createClient<Paths>({ baseUrl: url, headers, signal })
  const checked = async (sent: Promise<{ readonly response: Response }>): Promise<void> => {
    const { response } = await sent
    if (!response.ok) throw new StatusError(response)
  }
  return {
    list: () => checked(client.GET('/pets')),
    create: () => checked(client.POST('/pets', { body: newPet })),
  }
}

/** The part of the description that the client is made from. */
interface Paths {
  readonly '/pets': {
    readonly get: { readonly responses: { 200: { content: { 'application/json': unknown } } } }
    readonly post: {
      readonly requestBody: { content: { 'application/json': typeof newPet } }
      readonly responses: { 201: { content: { 'application/json': unknown } } }
    }
  }
}

/** Client libraries as they come, and as their documentation recommends for limits. */
export const libraries: readonly Library[] = [
  {
    name: 'axios-retry',
    settings: 'default',
    connect: (place) => axiosClient(place, {}),
  },
  axiosWithBackoff,
  kyDefault,
  {
    name: 'ky',
    settings: '`limit: 5`, `jitter`',
    connect: (place) => kyClient(place, { retry: { limit: 5, jitter: true } }),
  },
  { name: 'got', settings: 'default', connect: (place) => gotClient(place, {}) },
  {
    name: 'got',
    settings: '`limit: 3`, POST too',
    connect: (place) => gotClient(place, { retry: { limit: 3, methods: ['GET', 'POST'] } }),
  },
  { name: 'undici RetryAgent', settings: 'default', connect: (place) => undiciClient(place, {}) },
  {
    name: 'undici RetryAgent',
    settings: '`maxRetries: 3`, POST too',
    connect: (place) => undiciClient(place, { maxRetries: 3, methods: ['GET', 'POST'] }),
  },
  { name: 'ofetch', settings: 'default', connect: (place) => ofetchClient(place, {}) },
  {
    name: 'ofetch',
    settings: '`retry: 3`, `retryDelay` by Retry-After',
    connect: (place) =>
      ofetchClient(place, {
        retry: 3,
        retryDelay: ({ response }: FetchContext) => retryAfterMs(response?.headers) ?? 500,
      }),
  },
  {
    name: 'p-retry',
    settings: 'default',
    connect: (place) => ({
      list: () => pRetry(() => fetchPets(place, 'GET'), { signal: place.signal }),
      create: () => pRetry(() => fetchPets(place, 'POST'), { signal: place.signal }),
    }),
  },
  {
    name: 'p-retry',
    settings: '`retries: 2`, `randomize`, `AbortError`, waits for Retry-After, GET only',
    connect: (place) => ({
      list: () =>
        pRetry(
          async () => {
            try {
              return await fetchPets(place, 'GET')
            } catch (error) {
              const ms = toldMs(error)
              if (!mayHelp(error)) throw new AbortError(String(error))
              if (ms !== undefined) await new Promise((resolve) => setTimeout(resolve, ms))
              throw error
            }
          },
          { retries: 2, randomize: true, signal: place.signal },
        ),
      create: () => fetchPets(place, 'POST'),
    }),
  },
  {
    name: 'TanStack Query',
    settings: 'default (in a page)',
    connect: (place) => queryClient(place, { retry: 3 }),
  },
  {
    name: 'TanStack Query',
    settings: '`retry` by status, `retryDelay` by Retry-After',
    connect: (place) =>
      queryClient(place, {
        retry: (count: number, error: unknown) => count < 3 && mayHelp(error),
        retryDelay: (count: number, error: unknown) => toldMs(error) ?? 1000 * 2 ** count,
      }),
  },
  { name: 'openapi-fetch', settings: 'default', connect: openapiClient },
]

/** The libraries that most clients have, with settings that retry after 429 where there are any. */
export const commonLibraries: readonly Library[] = [
  plainFetch,
  axiosWithBackoff,
  kyDefault,
  ...libraries.filter(
    ({ name, settings }) => ['got', 'undici RetryAgent'].includes(name) && settings === 'default',
  ),
]
