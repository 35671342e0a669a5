import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rejectionLimits } from '../../../src/mock/api/gaps/limits.ts'
import { type GapSettings, parseGaps } from '../../../src/mock/api/gaps.ts'
import type { ApiResponse } from '../../../src/mock/api/message.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import { anyGaps, anyInstant, anyRequest } from '../../kit/arbitraries.ts'
import { draws } from '../../kit/draws.ts'
import { requestOf, send } from '../../kit/send.ts'
import { metIn, Sometimes } from '../../kit/sometimes.ts'
import { toldReset, toldRetry } from '../../kit/told-instants.ts'

const limits = fc.record({
  minute: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 30 }),
})

/** Any choices under which every request is counted or rejected for its quota. */
const limitGaps: fc.Arbitrary<GapSettings> = anyGaps.map((gaps) => ({
  ...gaps,
  countedRequests: 'all',
  errorPrecedence: 'rate-limit',
}))

const exactGaps = limitGaps.map((gaps) => ({ ...gaps, retryAfterPadding: 'none' as const }))

/** Times to wait before each of a number of requests, in milliseconds. */
const waits = fc.array(
  fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(90_000), fc.nat(90_000_000)),
  { minLength: 1, maxLength: 60, size: 'max' },
)

function limitedSandbox(own: { minute: number; day: number }, now: number, gaps: GapSettings) {
  const keys = [{ key: 'free-key', plan: 'free' as const, limits: own }]
  return createSandbox({ clock: { now, mode: 'frozen' }, gaps, seed: { keys } })
}

/** When `X-RateLimit-Reset` and `Retry-After` say that a rejection is over, in Unix milliseconds. */
const resetTime = ({ headers }: ApiResponse, gaps: GapSettings): number =>
  toldReset(headers['x-ratelimit-reset'], parseGaps(gaps))
const retryTime = ({ headers }: ApiResponse, gaps: GapSettings, { clock }: Sandbox): number =>
  toldRetry(headers['retry-after'], parseGaps(gaps), clock.now())

const isRejected = ({ status }: ApiResponse) => [403, 418, 429].includes(status)

/** Sends a request after each wait, and gives the first rejection, or none. */
async function firstRejection(sandbox: Sandbox, waitsMs: readonly number[]) {
  for (const wait of waitsMs) {
    sandbox.clock.advance(wait)
    const reply = await send(sandbox)
    if (isRejected(reply)) return reply
  }
  return undefined
}

/** What random rejections have to be of. */
const kindsOfRejection = ['a rate limit', 'a sliding window', 'a ban'] as const

const instant = anyInstant.map((at) => Math.min(at, Date.UTC(9000, 0)))

describe('a window', () => {
  it('admits exactly its limit, whatever is asked, and of requests at the same time too', async () => {
    const sometimes = new Sometimes('a rate limit', 'a sliding window', 'a success')
    await fc.assert(
      fc.asyncProperty(
        limits,
        instant,
        limitGaps,
        fc.array(anyRequest),
        async (own, now, gaps, mixed) => {
          const sandbox = limitedSandbox(own, now, gaps)
          const rejectAt = rejectionLimits(own, parseGaps(gaps))
          const count = Math.min(rejectAt.minute, rejectAt.day) + 3
          const requests = Array.from({ length: count }, (_, index) => {
            const { url, method, body } = mixed[index] ?? requestOf({})
            return requestOf({ url, method, body })
          })
          const outcomes = await Promise.all(requests.map((request) => sandbox.handle(request)))
          const admitted = outcomes.filter((outcome) => !isRejected(outcome as ApiResponse))
          expect(admitted).toHaveLength(count - 3)
          sometimes.meet(metIn(sandbox))
        },
      ),
    )
    sometimes.expectAllMet()
  })

  it('shows one request less with each that it admits, and 0 with the last', async () => {
    const sometimes = new Sometimes('a tighter minute', 'a tighter day')
    await fc.assert(
      fc.asyncProperty(limits, instant, async (own, now) => {
        const sandbox = limitedSandbox(own, now, {})
        for (let left = Math.min(own.minute, own.day) - 1; left >= 0; left--) {
          const { headers } = await send(sandbox)
          expect(headers['x-ratelimit-remaining']).toBe(String(left))
        }
        sometimes.meet({
          'a tighter minute': own.minute < own.day,
          'a tighter day': own.day < own.minute,
        })
      }),
    )
    sometimes.expectAllMet()
  })
})

describe('a rejection', () => {
  it('is over after exactly the time in Retry-After, which is the time of X-RateLimit-Reset or, padded, later', async () => {
    const sometimes = new Sometimes(...kindsOfRejection)
    await fc.assert(
      fc.asyncProperty(
        limits,
        instant,
        limitGaps,
        fc.array(waits, { minLength: 1, maxLength: 3 }),
        async (own, now, gaps, chains) => {
          const sandbox = limitedSandbox(own, now, gaps)
          for (const chain of chains) {
            const rejection = await firstRejection(sandbox, chain)
            if (rejection === undefined) continue
            const at = retryTime(rejection, gaps, sandbox)
            const resetAt = resetTime(rejection, gaps)
            const isPadded = gaps.retryAfterPadding === '5s'
            expect(at).toBeGreaterThanOrEqual(resetAt)
            expect(at - resetAt).toBeLessThan(isPadded ? 6_000 : 1_000)
            sandbox.clock.set(at)
            expect(isRejected(await send(sandbox))).toBe(false)
          }
          sometimes.meet(metIn(sandbox))
        },
      ),
      { numRuns: draws(75) },
    )
    sometimes.expectAllMet()
  })

  it('lasts until the instant in X-RateLimit-Reset, one millisecond before it included', async () => {
    const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 })
    const sometimes = new Sometimes(...kindsOfRejection)
    await fc.assert(
      fc.asyncProperty(
        limits,
        instant,
        limitGaps,
        waits,
        fractions,
        async (own, now, gaps, chain, parts) => {
          const sandbox = limitedSandbox(own, now, gaps)
          const rejection = await firstRejection(sandbox, chain)
          if (rejection === undefined) return
          const rejectedAt = sandbox.clock.now()
          const lastAt = resetTime(rejection, gaps) - 1
          const between = parts.map((part) => rejectedAt + Math.floor(part * (lastAt - rejectedAt)))
          for (const at of [...between.sort((left, right) => left - right), lastAt]) {
            sandbox.clock.set(at)
            expect(isRejected(await send(sandbox))).toBe(true)
          }
          sometimes.meet(metIn(sandbox))
        },
      ),
      { numRuns: draws(75) },
    )
    sometimes.expectAllMet()
  })

  it('of a whole second lasts for all of Retry-After but its last millisecond', async () => {
    const sometimes = new Sometimes(...kindsOfRejection)
    const wholeSeconds = waits.map((chain) => chain.map((ms) => Math.floor(ms / 1_000) * 1_000))
    await fc.assert(
      fc.asyncProperty(limits, instant, exactGaps, wholeSeconds, async (own, now, gaps, chain) => {
        const sandbox = limitedSandbox(own, Math.floor(now / 1_000) * 1_000, gaps)
        const rejection = await firstRejection(sandbox, chain)
        if (rejection === undefined) return
        sandbox.clock.set(retryTime(rejection, gaps, sandbox) - 1)
        expect(isRejected(await send(sandbox))).toBe(true)
        sometimes.meet(metIn(sandbox))
      }),
      { numRuns: draws(75) },
    )
    sometimes.expectAllMet()
  })
})

describe('the quota of a key', () => {
  it('is not changed by any request of another', async () => {
    const sometimes = new Sometimes('an error', 'a success')
    const keys = ['free-key', 'other-key'].map((key) => ({ key, plan: 'free' as const }))
    await fc.assert(
      fc.asyncProperty(anyGaps, fc.array(anyRequest, { maxLength: 20 }), async (gaps, requests) => {
        const sandboxOf = () =>
          createSandbox({ clock: { now: 0, mode: 'frozen' }, gaps, seed: { keys } })
        const [busy, quiet] = [sandboxOf(), sandboxOf()]
        for (const request of requests) await busy.handle(request)
        const [mine, alone] = [
          await send(busy, { key: 'other-key', method: 'PUT' }),
          await send(quiet, { key: 'other-key', method: 'PUT' }),
        ]
        expect(mine).toEqual(alone)
        sometimes.meet(metIn(busy))
      }),
    )
    sometimes.expectAllMet()
  })
})
