import { environmentManager, QueryClient, QueryObserver } from '@tanstack/query-core'
import axios from 'axios'
import axiosRetry, { exponentialDelay } from 'axios-retry'
import fc from 'fast-check'
import ky from 'ky'
import pRetry from 'p-retry'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFetchHandler } from '../../../../src/adapters/fetch.ts'
import type { FaultSettings } from '../../../../src/index.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { Sometimes } from '../../../kit/sometimes.ts'
import { judge } from '../../../kit/story.ts'

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>

const url = 'https://api.petstore.test/v1/pets'
const headers = { authorization: 'Bearer free-key' }
const unavailable: FaultSettings = { fault: 'status', status: 503 }
/** With 503, ky waits for X-RateLimit-Reset. */
const failing: FaultSettings = { fault: 'status', status: 500 }
const broken: FaultSettings = { fault: 'disconnect' }

/**
 * Lets a client do what it does on timers that are moved on, against a service that is down; gives what is found.
 */
async function foundOf(act: (fetch: Fetch) => Promise<unknown>, fault: FaultSettings) {
  vi.useFakeTimers({
    now: startAt,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const sandbox = frozenSandbox({ clock: { mode: 'system' } })
  sandbox.faults.add(fault)
  const handle = createFetchHandler(sandbox)
  let isOver = false
  const over = act((input, init) => handle(input, init)).finally(() => {
    isOver = true
  })
  over.catch(() => {})
  while (!isOver) {
    // A library takes some turns of the event loop to set its next timer; meanwhile, time must not run away.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    await vi.advanceTimersToNextTimerAsync()
  }
  const tries = sandbox.requests.list().length
  const found = (await sandbox.findings()).filter(({ rule }) => rule === 'nested-retries')
  return { tries, found }
}

function axiosClient(fetch: Fetch, options: Parameters<typeof axiosRetry>[1] = {}) {
  const client = axios.create({ adapter: 'fetch', env: { fetch }, headers })
  axiosRetry(client, options)
  return () => client.get(url)
}

async function plain(fetch: Fetch): Promise<unknown> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`Got ${response.status}`)
  return await response.json()
}

/** What TanStack Query does with a query for as long as a page shows it, until it has failed so often. */
function query(queryFn: () => Promise<unknown>, options: object = {}, failures = 1) {
  return new Promise<void>((resolve) => {
    const client = new QueryClient()
    const observer = new QueryObserver(client, {
      queryKey: ['pets'],
      queryFn,
      retry: 3,
      ...options,
    })
    let failed = 0
    const end = observer.subscribe(({ isError, fetchStatus }) => {
      if (!isError || fetchStatus !== 'idle') return
      failed++
      if (failed < failures) return
      end()
      client.clear()
      resolve()
    })
  })
}

/** A share of a range, evenly distributed. */
const anyShare = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000)

describe('nested-retries', () => {
  it.each<{
    what: string
    fault?: FaultSettings
    text: string
    act: (fetch: Fetch) => Promise<unknown>
  }>([
    {
      what: 'axios-retry in p-retry',
      text: '16 times, 4 × 4',
      act: (fetch) => pRetry(axiosClient(fetch), { retries: 3 }),
    },
    {
      what: 'axios-retry in p-retry, connections lost',
      fault: broken,
      text: '16 times, 4 × 4',
      act: (fetch) => pRetry(axiosClient(fetch), { retries: 3 }),
    },
    {
      what: 'ky under TanStack Query',
      fault: failing,
      text: '12 times, 4 × 3',
      act: (fetch) => query(() => ky.get(url, { headers, fetch }).json()),
    },
  ])('is found: $what', async ({ act, text, fault = unavailable }) => {
    const { found } = await foundOf(act, fault)
    expect(found).toMatchObject([
      { severity: 'info' },
      { severity: 'warning', message: expect.stringContaining(text) },
    ])
  })

  it('is found where p-retry adds jitter, at least as information', async () => {
    const { found } = await foundOf(
      (fetch) =>
        pRetry(axiosClient(fetch, { retries: 2, retryDelay: exponentialDelay }), {
          retries: 3,
          randomize: true,
        }),
      unavailable,
    )
    expect(found[0]).toMatchObject({ severity: 'info', message: expect.stringContaining('3 × 3') })
  })

  it.each<{
    what: string
    fault?: FaultSettings
    tries: number
    act: (fetch: Fetch) => Promise<unknown>
  }>([
    { what: 'axios-retry', tries: 4, act: (fetch) => axiosClient(fetch)() },
    {
      what: 'axios-retry with a backoff',
      tries: 13,
      act: (fetch) => axiosClient(fetch, { retries: 12, retryDelay: exponentialDelay })(),
    },
    { what: 'p-retry', tries: 11, act: (fetch) => pRetry(() => plain(fetch)) },
    {
      what: 'p-retry with jitter',
      tries: 11,
      act: (fetch) => pRetry(() => plain(fetch), { randomize: true, maxTimeout: 9_000 }),
    },
    {
      what: 'ky',
      fault: failing,
      tries: 6,
      act: (fetch) => ky.get(url, { headers, fetch, retry: 5 }).json(),
    },
    { what: 'TanStack Query', tries: 13, act: (fetch) => query(() => plain(fetch), { retry: 12 }) },
  ])('is not found: $what by itself', async ({ act, tries, fault = unavailable }) => {
    expect(await foundOf(act, fault)).toEqual({ tries, found: [] })
  })

  it.each([5_000, 10_000, 30_000])(
    'is no warning where TanStack Query polls every %i ms',
    async (refetchInterval) => {
      environmentManager.setIsServer(() => false)
      onTestFinished(() => environmentManager.setIsServer(() => true))
      const { found } = await foundOf(
        (fetch) => query(() => plain(fetch), { refetchInterval, retry: 1 }, 4),
        unavailable,
      )
      expect(found.filter(({ severity }) => severity !== 'info')).toEqual([])
    },
  )

  /** Clients whose library retries each turn, twice and at once, and which pause between turns as no loop does. */
  const clients = {
    'a poll with 25 % of jitter': fc
      .tuple(
        fc.constantFrom(2_000, 3_000, 5_000, 15_000),
        fc.array(anyShare, { minLength: 4, maxLength: 12 }),
      )
      .map(([ms, shares]) => shares.map((share) => ms * (0.75 + share / 2))),
    'a person who presses try again': fc
      .array(anyShare, { minLength: 3, maxLength: 12 })
      .map((shares) => shares.map((share) => 4_000 + 5_000 * share)),
    'tests one after another': fc
      .array(anyShare, { minLength: 3, maxLength: 12 })
      .map((shares) => shares.map((share) => 1_500 + 1_500 * share)),
  }
  it.each(Object.entries(clients))('is at most information about %s', (_, anyPauses) => {
    const sometimes = new Sometimes('information')
    fc.assert(
      fc.property(anyPauses, fc.integer({ min: 2, max: 4 }), (pauses, size) => {
        const groups = [0, ...pauses].flatMap((first) => [first, ...Array(size - 1).fill(200)])
        const told = judge(groups.map((after) => ({ status: 503, code: 'internal_error', after })))
        const found = told.filter(({ rule }) => rule === 'nested-retries')
        expect(found.filter(({ severity }) => severity !== 'info')).toEqual([])
        sometimes.meet({ information: found.length > 0 })
      }),
      { numRuns: draws(150) },
    )
    sometimes.expectAllMet()
  })
})
