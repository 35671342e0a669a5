import { describe, expect, it } from 'vitest'
import { type Calibration, calibrate } from '../../src/calibrate/calibrate.ts'
import { gapNames } from '../../src/contract/gaps.ts'
import { recordGoodTraffic } from './good-traffic.ts'
import type { RecordedEntry } from './recorder.ts'

const recorded = await recordGoodTraffic({})

type Response = RecordedEntry['response']

function json(response: Response) {
  return JSON.parse(response.content.text)
}

function rewrite(response: Response, body: unknown): void {
  response.content.text = JSON.stringify(body)
  response.content.size = response.content.text.length
}

function drop(response: Response, name: string): void {
  response.headers = response.headers.filter((header) => header.name.toLowerCase() !== name)
}

/** The exchanges that a report accuses of something. */
function accused(report: Calibration): readonly number[] {
  const problems = Object.values(report.clauses).flatMap((clause) => clause.problems)
  return [...new Set([...problems, ...report.unexplained].map(({ exchange }) => exchange))]
}

const isList = ({ request, response }: RecordedEntry): boolean =>
  response.status === 200 && String(request.url).endsWith('/pets?limit=5')
const isRefused = ({ response }: RecordedEntry): boolean => response.status === 429
const isError = ({ response }: RecordedEntry): boolean =>
  response.status === 404 && response.content.text !== ''
const isPet = ({ request, response }: RecordedEntry): boolean =>
  response.status === 200 && String(request.url).endsWith('/pets/1')
const isNew = ({ response }: RecordedEntry): boolean => response.status === 201

describe('calibrate()', () => {
  it('finds nothing wrong, and shows most gaps, where traffic meets what there is to meet', () => {
    const report = calibrate([recorded.archive()])
    expect(accused(report)).toEqual([])
    const shown = gapNames.filter((name) => report.gaps[name].verdict === 'shown')
    expect(shown.length).toBeGreaterThanOrEqual(24)
    for (const name of gapNames) {
      const { verdict, ask } = report.gaps[name]
      expect({ name, asks: ask !== undefined }).toEqual({ name, asks: verdict !== 'shown' })
      expect(ask ?? '$API_KEY').not.toContain('pro-key')
    }
  })

  it.each<{
    what: string
    of: (entry: RecordedEntry) => boolean
    tamper: (response: Response) => void
  }>([
    { what: 'a 429 without Retry-After', of: isRefused, tamper: (one) => drop(one, 'retry-after') },
    {
      what: 'a missing X-RateLimit-Limit',
      of: isPet,
      tamper: (one) => drop(one, 'x-ratelimit-limit'),
    },
    {
      what: 'a missing X-RateLimit-Reset',
      of: isError,
      tamper: (one) => drop(one, 'x-ratelimit-reset'),
    },
    {
      what: 'an Error body whose status differs',
      of: isError,
      tamper: (one) => rewrite(one, { ...json(one), status: 500 }),
    },
    {
      what: 'an Error body without a code',
      of: isError,
      tamper: (one) => rewrite(one, { message: 'no', status: 404 }),
    },
    {
      what: 'an id that is a string',
      of: isPet,
      tamper: (one) => rewrite(one, { ...json(one), id: '1' }),
    },
    {
      what: 'another pet than was asked for',
      of: isPet,
      tamper: (one) => rewrite(one, { ...json(one), id: 4 }),
    },
    {
      what: 'a list longer than its limit',
      of: isList,
      tamper: (one) => rewrite(one, [...json(one), { ...json(one)[0], id: 9999 }]),
    },
    {
      what: 'two pets with one id',
      of: isList,
      tamper: (one) => rewrite(one, [json(one)[0], json(one)[0]]),
    },
    {
      what: 'another name than was sent',
      of: isNew,
      tamper: (one) => rewrite(one, { ...json(one), name: 'Somebody' }),
    },
    {
      what: 'a status that no choice answers',
      of: isPet,
      tamper: (one) => {
        one.status = 422
        rewrite(one, { code: 'invalid_request', message: 'no', status: 422 })
      },
    },
    {
      what: 'a Remaining that goes up',
      of: ({ request, response }) =>
        response.status === 200 &&
        String(request.url).endsWith('/pets?limit=1') &&
        response.headers.some(({ name, value }) => /remaining/i.test(name) && value === '30'),
      tamper: (one) => {
        one.headers = one.headers.map((header) =>
          /remaining/i.test(header.name) ? { ...header, value: '50' } : header,
        )
      },
    },
  ])('names $what, and no other exchange', ({ of, tamper }) => {
    const archive = recorded.archive()
    const index = archive.log.entries.findIndex(of)
    const entry = archive.log.entries[index]
    if (entry === undefined) throw new Error('no such exchange was recorded')
    tamper(entry.response)
    expect(accused(calibrate([archive]))).toEqual([index + 1])
  })
})

describe('calibrate() of archives in any dialect', () => {
  const plain = calibrate([recorded.archive()])

  it.each<{ what: string; change: (entry: RecordedEntry) => void }>([
    {
      what: 'header names in capitals',
      change: ({ response }) => {
        response.headers = response.headers.map(({ name, value }) => ({
          name: name.toUpperCase(),
          value,
        }))
      },
    },
    {
      what: 'pseudo headers of HTTP/2',
      change: ({ response }) => {
        response.headers.unshift({ name: ':status', value: '200' })
      },
    },
    {
      what: 'bodies in base64',
      change: ({ response: { content } }) => {
        content.text = Buffer.from(content.text).toString('base64')
        content.encoding = 'base64'
      },
    },
    {
      what: 'members of other tools',
      change: (entry) => {
        Object.assign(entry, { _priority: 'High', cache: {}, timings: {}, pageref: 'page_1' })
      },
    },
  ])('reads $what alike', ({ change }) => {
    const archive = recorded.archive()
    archive.log.entries.forEach(change)
    expect(calibrate([archive])).toEqual(plain)
  })

  it('reads several files in any order as one history', () => {
    const { entries } = recorded.archive().log
    const parts = [entries.slice(90), entries.slice(0, 40), entries.slice(40, 90)]
    const archives = parts.map((part) => ({ log: { version: '1.2', entries: part } }))
    expect(calibrate(archives)).toEqual(plain)
  })

  it('passes over what is not about the API', () => {
    const archive = recorded.archive()
    const [first] = archive.log.entries
    const others: unknown[] = [
      null,
      'text',
      { request: null },
      { ...first, request: { method: 'GET', url: 'https://cdn.test/logo.png', headers: [] } },
      { ...first, request: { method: 'OPTIONS', url: 'https://api.test/v1/pets', headers: [] } },
      { ...first, response: { status: 0, headers: [], content: {} } },
      JSON.parse('{"__proto__":{"request":1},"request":{"url":7}}'),
    ]
    archive.log.entries.push(...(others as RecordedEntry[]))
    const report = calibrate([archive])
    expect(report.exchanges.judged).toBe(plain.exchanges.judged)
    expect(report.gaps).toEqual(plain.gaps)
  })
})
