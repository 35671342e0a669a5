import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/mock/api/json.ts'
import type { ApiRequest, ApiResponse } from '../../src/mock/api/message.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import {
  anyGaps,
  anyInstant,
  anyInt64,
  anyRequest,
  anyText,
  anyUnpromised,
} from '../kit/arbitraries.ts'
import { expectConformity } from '../kit/conformity.ts'
import { draws } from '../kit/draws.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf, send } from '../kit/send.ts'
import { metIn, Sometimes } from '../kit/sometimes.ts'

const statuses = [200, 201, 301, 307, 308, 400, 401, 403, 404, 405, 410, 413, 418, 429, 501]

async function replyTo(sandbox: Sandbox, request: ApiRequest): Promise<ApiResponse> {
  const outcome = await sandbox.handle(request)
  expect(outcome.kind).toBe('response')
  return outcome as ApiResponse
}

/** Checks what holds of every reply, whatever was asked. */
function expectReply(request: ApiRequest, reply: ApiResponse): void {
  expect(statuses).toContain(reply.status)
  expect(reply.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json(; charset=utf-8)?$/),
    date: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/),
    'x-ratelimit-limit': expect.stringMatching(/^[1-9]\d*$/),
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
  const resetAt = Number(reply.headers['x-ratelimit-reset']) * 1_000
  expect(resetAt).toBeGreaterThan(Date.parse(reply.headers.date ?? ''))
  if (request.method === 'HEAD') expect(reply.body).toBe('')
  else if (reply.status < 300) expect(() => JSON.parse(reply.body)).not.toThrow()
  else {
    expect(JSON.parse(reply.body)).toEqual({
      code: expect.stringMatching(/^\w+$/),
      message: expect.stringMatching(/^Cannot /),
      status: reply.status,
    })
  }
}

describe('any request', () => {
  it('gets a response with all headers, and a body that is JSON and repeats the status of an error', async () => {
    const met = [200, 201, 400, 401, 404, 405].map((status) => `status ${status}`)
    const sometimes = new Sometimes(...met)
    await fc.assert(
      fc.asyncProperty(
        anyInstant,
        anyGaps,
        fc.constantFrom('enforce', 'report-only'),
        fc.array(anyRequest, { minLength: 1, maxLength: 5 }),
        async (now, gaps, rateLimits, requests) => {
          const sandbox = createSandbox({ clock: { now, mode: 'frozen' }, gaps, rateLimits })
          for (const request of requests) {
            const reply = await replyTo(sandbox, request)
            expectReply(request, reply)
            expectConformity(request, reply)
            sometimes.meet({ [`status ${reply.status}`]: true })
          }
        },
      ),
      { numRuns: draws(100) },
    )
    sometimes.expectAllMet()
  })

  // Shrunk: the parser's own marker, forged by an escape, made a string a number or not JSON at all.
  it.each(['\\u0023', '\\u0023x'])('is read as it was sent: the name %s', async (name) => {
    const json = `{"name":"${name}","categoryId":9007199254740993}`
    const reply = await send(frozenSandbox(), { json })
    expect(reply.status).toBe(201)
    expect(JSON.parse(reply.body)).toMatchObject({ name: JSON.parse(`"${name}"`) })
  })

  // Shrunk: a padded number of seconds leads into the year 10000.
  it('gets as many seconds to wait as on any day, on the last but one', async () => {
    const sandbox = createSandbox({
      clock: { now: '9999-12-30T23:59:55Z', mode: 'frozen' },
      gaps: { quotaWindow: 'first-request', retryAfterPadding: '5s' },
    })
    const request = requestOf({ key: 'day-exhausted-key' })
    const reply = await replyTo(sandbox, request)
    expect(reply.headers['retry-after']).toBe('86405')
    expectConformity(request, reply)
  })

  // Shrunk: at the end of time a rejection lasted into the year 10000, which an HTTP date cannot say.
  it.each([{ remaining: { day: 0 } }, { ban: '2d' }])(
    'gets one instant in Retry-After and X-RateLimit-Reset on the last day, with a key that has %j',
    async (preset) => {
      const sandbox = createSandbox({
        clock: { now: '9999-12-31T00:00:00Z', mode: 'frozen' },
        gaps: { retryAfterFormat: 'http-date' },
        seed: { keys: [{ key: 'k', plan: 'free', ...preset }] },
      })
      const { headers } = await replyTo(sandbox, requestOf({ key: 'k' }))
      expect(headers['retry-after']).toMatch(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/)
      expect(Date.parse(headers['retry-after'] ?? '')).toBe(
        Number(headers['x-ratelimit-reset']) * 1_000,
      )
      expect(headers['retry-after']).toBe('Fri, 31 Dec 9999 23:59:59 GMT')
    },
  )
})

describe('the last second of 9999', () => {
  it.each(['minute-exhausted-key', 'day-exhausted-key', 'banned-key'])(
    'is no time to retry at once, with the %s',
    async (key) => {
      const sandbox = createSandbox({
        clock: { now: '9999-12-31T23:59:59.999Z', mode: 'frozen' },
      })
      const { headers } = await replyTo(sandbox, requestOf({ key }))
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(253_402_300_800)
    },
  )
})

describe('a page', () => {
  it('is never longer than its limit, and holds only what the filter lets through', async () => {
    const status = fc.constantFrom('available', 'pending', 'sold')
    const pets = fc.array(status, { maxLength: 130, size: 'max' })
    const limit = fc.integer({ min: 1, max: 100 })
    const sometimes = new Sometimes('a cut list', 'a whole list', 'a cut list of a filter')
    await fc.assert(
      fc.asyncProperty(pets, limit, status, anyGaps, async (all, most, wanted, gaps) => {
        const seed = all.map((one, id) => ({ id, name: '', categoryId: 1, status: one as 'sold' }))
        const sandbox = frozenSandbox({ seed: { pets: seed }, gaps })
        const page = async (query: string) =>
          JSON.parse((await send(sandbox, { url: `/v1/pets?${query}` })).body) as object[]
        expect(await page(`limit=${most}`)).toHaveLength(Math.min(most, all.length))
        const filtered = await page(`limit=${most}&status=${wanted}`)
        const count = all.filter((one) => one === wanted).length
        expect(filtered).toHaveLength(Math.min(most, count))
        expect(filtered.filter((pet) => !('status' in pet) || pet.status !== wanted)).toEqual([])
        sometimes.meet({
          'a cut list': most < all.length,
          'a whole list': most >= all.length,
          'a cut list of a filter': most < count,
        })
      }),
    )
    sometimes.expectAllMet()
  })
})

describe('a created pet', () => {
  it('is read back as it was created, digit for digit and character for character', async () => {
    const spelling = fc.constantFrom<(text: string) => string>(
      JSON.stringify,
      (text) => `"${text.replace(/[\s\S]/g, escapeUnit)}"`,
    )
    const sometimes = new Sometimes('a category beyond 2^53', 'a lone surrogate')
    const sequence = fc.constantFrom('sequential' as const, 'large' as const, 'random' as const)
    const status = fc.constantFrom('available', 'pending', 'sold')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: anyText, categoryId: anyInt64, status }), { minLength: 1 }),
        spelling,
        sequence,
        async (pets, spell, idSequence) => {
          const sandbox = frozenSandbox({ gaps: { idSequence }, seed: { pets: [] } })
          for (const pet of pets) {
            const members = `"name":${spell(pet.name)},"categoryId":${pet.categoryId},"status":"${pet.status}"`
            const created = await send(sandbox, { json: `{${members}}` })
            const [, id] = /^\{"id":(\d+),/.exec(created.body) ?? []
            expect(created.body).toMatch(new RegExp(`"categoryId":${pet.categoryId}[,}]`))
            expect(JSON.parse(created.body)).toMatchObject({ name: pet.name, status: pet.status })
            const read = await send(sandbox, { url: `/v1/pets/${id}` })
            expect(read.body).toBe(created.body)
            const listed = await send(sandbox, { url: '/v1/pets?limit=100' })
            expect(listed.body).toContain(created.body)
            sometimes.meet({
              'a category beyond 2^53': pet.categoryId > 2n ** 53n,
              'a lone surrogate': !pet.name.isWellFormed(),
            })
          }
        },
      ),
    )
    sometimes.expectAllMet()
  })

  it('is not made by a request that is rejected', async () => {
    const sometimes = new Sometimes('a new pet', 'an error')
    await fc.assert(
      fc.asyncProperty(anyRequest, anyGaps, async (request, gaps) => {
        const sandbox = frozenSandbox({ gaps })
        const { status } = await replyTo(sandbox, requestOf({ ...request, key: 'free-key' }))
        expect(sandbox.pets.size).toBe(status === 201 ? 31 : 30)
        sometimes.meet(metIn(sandbox))
      }),
      { numRuns: draws(75) },
    )
    sometimes.expectAllMet()
  })
})

describe('what the interface does not guarantee', () => {
  it('changes nothing else: neither statuses nor quota, nor what a pet is', async () => {
    const sometimes = new Sometimes('a new pet', 'an error', 'a success')
    await fc.assert(
      fc.asyncProperty(
        anyGaps,
        anyUnpromised,
        fc.array(anyRequest, { maxLength: 5 }),
        async (gaps, { undocumentedStatus: _, ...unpromised }, requests) => {
          const plain = frozenSandbox({ gaps })
          const other = frozenSandbox({ gaps: { ...gaps, ...unpromised } })
          for (const request of requests) {
            const wanted = await replyTo(plain, requestOf({ ...request, key: 'free-key' }))
            const found = await replyTo(other, requestOf({ ...request, key: 'free-key' }))
            expect(promisedOf(found)).toEqual(promisedOf(wanted))
          }
          const { gaps: _gaps, requests: _log, ...state } = plain.snapshot()
          expect(other.snapshot()).toMatchObject(state)
          sometimes.meet(metIn(other))
        },
      ),
    )
    sometimes.expectAllMet()
  })
})

/** What of a reply is promised, but for the words of an error. */
function promisedOf({ status, headers, body }: ApiResponse): unknown {
  const { date: _, 'content-length': __, ...rest } = headers
  return { status, headers: rest, json: body === '' ? '' : known(parseJson(body)) }
}

function known(found: unknown): unknown {
  if (Array.isArray(found)) return found.map(known)
  const { unpromised: _, message: __, ...rest } = found as Readonly<Record<string, unknown>>
  return rest
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
