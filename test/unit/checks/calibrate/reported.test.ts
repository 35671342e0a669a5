import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { gapNames } from '../../../../src/mock/api/gaps.ts'
import { mapTable, namesOf } from '../../../../src/mock/input/record.ts'
import { archiveWith, type RecordedEntry, type TimedResponse } from './recorder.ts'

/** Reads the smallest archive of a real service about which calibrate was wrong (issue 37). */
function reportOf(name: string) {
  const file = new URL(`archives/${name}.har`, import.meta.url)
  return calibrate([JSON.parse(readFileSync(file, 'utf8'))])
}

describe('calibrate() of services that keep the interface in their own way', () => {
  it.each([
    'ms-window',
    'retry-after-always-60',
    'date-behind-2s',
    'from-browser-cache',
    'ban-with-lost-bodies',
  ])('has nothing against %s', (name) => {
    const { clauses, unexplained } = reportOf(name)
    expect(Object.values(clauses).flatMap(({ problems }) => problems)).toEqual([])
    expect(unexplained).toEqual([])
  })

  it('counts no rejections whose bodies are lost', () => {
    const { banAfter } = reportOf('ban-with-lost-bodies').gaps
    expect(banAfter).toMatchObject({ result: 'narrowed', values: ['7..1000000000'] })
  })

  it('names requests for all that is narrowed', () => {
    const { gaps } = reportOf('ban-with-lost-bodies')
    const verdicts = mapTable(gaps, (name) =>
      gaps[name].result === 'not-seen' ? 0 : gaps[name].requests.length,
    )
    for (const name of gapNames) {
      if (gaps[name].result !== 'not-seen')
        expect({ name, count: verdicts[name] }).not.toMatchObject({ count: 0 })
    }
  })
})

const lists: readonly TimedResponse[] = Array.from({ length: 60 }, (_, index) => ({
  ...{ at: 3.4 + index * 0.3, remaining: 59 - index, reset: 63 },
}))
const atOnce = lists.slice(0, 5)
const retry = { headers: { 'retry-after': '60' } }
const limited = { status: 429, code: 'rate_limit_exceeded', remaining: 0, ...retry }
const banned = { status: 403, code: 'key_banned', remaining: 0, reset: 603 }
const deprecated = { deprecation: '@1735689600', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }
const outage = { status: 503, code: 'unavailable', headers: { 'retry-after': '9' } }

describe('calibrate() of what real services send', () => {
  it.each<{ what: string; sent: readonly TimedResponse[]; values: readonly string[] }>([
    {
      what: 'no ban where Reset varies by a second (C6)',
      sent: [
        ...lists.map((one, index) => ({ ...one, reset: 63 + (index % 2) })),
        ...[22, 25, 28, 31].map((at, index) => ({ ...limited, at, reset: 63 + (index % 2) })),
        { at: 66, remaining: 59, reset: 126 },
      ],
      values: ['banAfter', 'banDuration', 'banStatus', 'quotaWindow'],
    },
    {
      what: 'no ban where Reset is always a minute away (C6)',
      sent: [
        ...lists.map((one) => ({ ...one, reset: Math.floor(one.at + 60) })),
        ...[22, 25, 28, 31].map((at) => ({ ...limited, at, reset: at + 60 })),
        { at: 93, remaining: 59, reset: 153 },
      ],
      values: ['banAfter', 'banDuration', 'banStatus'],
    },
    {
      what: 'no rule of counting by a 503 that did not count (C7)',
      sent: [
        ...atOnce,
        { ...outage, at: 6, remaining: 55, reset: 63 },
        { at: 7, remaining: 54, reset: 63 },
      ],
      values: ['countedRequests'],
    },
  ])('shows $what', ({ sent, values }) => {
    const { clauses, gaps } = calibrate([archiveWith(sent)])
    expect(Object.values(clauses).flatMap(({ problems }) => problems)).toEqual([])
    for (const name of gapNames.filter((one) => values.includes(one))) {
      expect({ name, ...gaps[name] }).toMatchObject({ name, result: 'not-seen' })
    }
  })

  it('shows that rejected requests do not count by a 404 of which that is true (C7)', () => {
    const sent = [...atOnce, { status: 404, at: 9, remaining: 55, reset: 63 }]
    expect(calibrate([archiveWith(sent)]).gaps.countedRequests).toMatchObject({
      result: 'confirmed',
      values: ['successful'],
    })
  })

  it('names the ban itself where no rejection came before it (C9)', () => {
    const sent = [
      { at: 1, remaining: 30, reset: 61 },
      { ...banned, at: 3 },
      { ...banned, at: 5 },
    ]
    const { banAfter, banDuration } = calibrate([archiveWith(sent)]).gaps
    expect([banAfter, banDuration]).toMatchObject([
      { result: 'narrowed', requests: [2] },
      { result: 'narrowed', requests: [2] },
    ])
  })

  it.each([301, 308, 401, 403, 404, 413, 429, 500, 503, 520, 522])(
    'passes over a %i of a host in front (C11)',
    (status) => {
      const sent = [...atOnce, { status, at: 6, url: '/pets' }]
      const { requests, clauses, unexplained } = calibrate([archiveWith(sent)])
      expect(requests).toEqual({ read: 6, checked: 5 })
      expect(Object.values(clauses).flatMap(({ problems }) => problems)).toEqual([])
      expect(unexplained).toEqual([])
    },
  )

  it('reads a header that a host in front has added again (C11)', () => {
    const sent = atOnce.map((one) => ({ ...one, headers: { 'x-ratelimit-limit': '60, 60' } }))
    const { clauses } = calibrate([archiveWith(sent)])
    expect(clauses['8']).toMatchObject({ result: 'kept', problems: [] })
  })

  it('has nothing against a 429 without Deprecation where all else has it (C13)', () => {
    const pets = atOnce.map((one) => ({ ...one, url: '/pets/1', headers: deprecated }))
    const missing = { status: 404, at: 6, remaining: 54, reset: 63, headers: deprecated }
    const rejected = { ...limited, url: '/pets/1', at: 7, reset: 63 }
    const { gaps, unexplained } = calibrate([archiveWith([...pets, missing, rejected])])
    expect(gaps.deprecationHeaders).toMatchObject({ result: 'confirmed', values: ['standard'] })
    expect(unexplained).toEqual([])
  })
})

/** An entry like another, with other headers in its request. */
function withRequestHeaders(entry: RecordedEntry, headers: Readonly<Record<string, string>>) {
  const added = Object.entries(headers).map(([name, value]) => ({ name, value }))
  return { ...entry, request: { ...entry.request, headers: [entry.request.headers, added].flat() } }
}

describe('calibrate() of pages', () => {
  const { entries } = archiveWith(atOnce).log

  it.each([
    { from: 'their own origin', headers: { origin: 'https://api.test' }, result: 'not-seen' },
    {
      from: 'their own origin, behind a proxy',
      headers: { origin: 'https://shop.test', 'sec-fetch-site': 'same-origin' },
      result: 'not-seen',
    },
    {
      from: 'another origin',
      headers: { origin: 'https://shop.test', 'sec-fetch-site': 'cross-site' },
      result: 'confirmed',
    },
  ])('finds cors $result in requests from $from (T4, S14)', ({ headers, result }) => {
    const sent = entries.map((entry) => withRequestHeaders(entry, headers))
    expect(calibrate([{ log: { entries: sent } }]).gaps.cors.result).toBe(result)
  })
})

describe('calibrate() of hosts in front of the service', () => {
  const texts = {
    AWS: '{"message":"Endpoint request timed out"}',
    Kong: '{"message":"An invalid response was received from the upstream server"}',
    Azure: '{"error":{"code":"503","message":"Unavailable"}}',
    HTML: '<h1>Bad gateway</h1>',
  }

  function reportWith(text: string, status: number) {
    const archive = archiveWith([...atOnce, { status, at: 6, url: '/pets' }])
    const last = archive.log.entries.at(-1)
    if (last === undefined) throw new TypeError('There is no request')
    last.response.content = { text, size: text.length, mimeType: 'application/json' }
    const { requests, clauses, unexplained } = calibrate([archive])
    const broken = Object.values(clauses).flatMap(({ problems }) => problems)
    return { checked: requests.checked, problems: [...broken, ...unexplained].length }
  }

  it.each(namesOf(texts).flatMap((host) => [502, 503, 504].map((status) => ({ host, status }))))(
    'passes over a $status of $host (T6)',
    ({ host, status }) => {
      expect(reportWith(texts[host], status)).toEqual({ checked: 5, problems: 0 })
    },
  )

  it('judges a 503 with an Error of the service, and JSON with another status', () => {
    expect(reportWith('{"code":"down","message":"It is down","status":503}', 503).checked).toBe(6)
    expect(reportWith(texts.AWS, 500).checked).toBe(6)
  })
})

describe('calibrate() of lists of pets without ids', () => {
  it('shows no order (T5)', () => {
    const archive = archiveWith(atOnce)
    for (const [index, { response }] of archive.log.entries.entries()) {
      const names = ['Ada', 'Bo', 'Cy', 'Di'].slice(0, 2 + (index % 3))
      const text = JSON.stringify(names.map((name) => ({ name, categoryId: 1, status: 'sold' })))
      response.content = { ...response.content, text, size: text.length }
    }
    const { clauses, gaps } = calibrate([archive])
    expect(clauses['2'].result).toBe('broken')
    expect(gaps.listOrder.result).toBe('not-seen')
  })
})

describe('calibrate() of files of several clients', () => {
  it('takes requests with different keys for two, though all else is alike', () => {
    const archive = archiveWith(atOnce)
    const other = structuredClone(archive)
    for (const { request } of other.log.entries) {
      request.headers = [{ name: 'Authorization', value: 'Bearer other-key' }]
    }
    const checkedIn = (...archives: (typeof archive)[]) => calibrate(archives).requests.checked
    expect(checkedIn(archive, other)).toBe(10)
    expect(checkedIn(archive, structuredClone(archive))).toBe(5)
  })
})

describe('calibrate() of what traffic cannot show', () => {
  it('asks for nothing (T12)', () => {
    const { gaps } = calibrate([archiveWith(atOnce)])
    const unasked = gapNames.filter(
      (name) => gaps[name].result !== 'confirmed' && gaps[name].ask === undefined,
    )
    expect(unasked).toEqual([
      'newPetListed',
      'rejectedRequests',
      'rejectsAt',
      'retryAfterPadding',
      'dateHeaderSkew',
    ])
  })
})
