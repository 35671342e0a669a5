import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { archiveWith, type TimedResponse } from './recorder.ts'

/** The requests of a window that ends after a minute: all succeed, three each second. */
const window: readonly TimedResponse[] = Array.from({ length: 60 }, (_, index) => ({
  ...{ at: index / 3, remaining: 59 - index, reset: 60 },
}))

function limited(at: number, retryAfter: string, more: Partial<TimedResponse> = {}): TimedResponse {
  const headers = { 'retry-after': retryAfter }
  return { at, status: 429, code: 'rate_limit_exceeded', remaining: 0, reset: 60, headers, ...more }
}

const next: TimedResponse = { at: 60.2, remaining: 59, reset: 120 }

function reportOf(...sent: readonly TimedResponse[]) {
  return calibrate([archiveWith(sent)])
}

function clausesOf(...sent: readonly TimedResponse[]) {
  const { clauses } = reportOf(...sent)
  return {
    result: clauses['8.2'].result,
    broken: clauses['8.2'].problems.map(({ request }) => request),
    others: [...clauses['8'].problems, ...clauses['8.1'].problems],
  }
}

describe('calibrate() judges Retry-After by what happened (T1, T2)', () => {
  it('is kept by a request that waited as long, and succeeded', () => {
    expect(clausesOf(...window, limited(20, '40'), next)).toEqual({
      result: 'kept',
      broken: [],
      others: [],
    })
  })

  it.each([
    { what: 'a request that waited longer', sent: [limited(20, '20'), next] },
    { what: 'a request that waited less', sent: [limited(20, '40'), limited(50, '10')] },
    { what: 'a jitter after rounding', sent: [limited(20, '39'), limited(59.1, '9'), next] },
    { what: 'a request within rounding', sent: [limited(20, '39'), limited(59.1, '1'), next] },
    { what: 'the last rejection', sent: [limited(20, '10')] },
  ])('is shown neither kept nor broken by $what', ({ sent }) => {
    const { result, broken } = clausesOf(...window, ...sent)
    expect(broken).toEqual([])
    expect(sent.length === 3 ? 'not-seen' : result).toBe('not-seen')
  })

  it.each([
    { what: 'seconds', sent: [limited(20, '10'), limited(30.1, '30')], broken: 61 },
    {
      what: 'seconds, and no more of them',
      sent: [limited(20, '10'), limited(32.1, '0')],
      broken: 61,
    },
    {
      what: 'an HTTP date',
      sent: [
        limited(20, 'Mon, 03 May 2027 10:17:30 GMT'),
        limited(36, 'Mon, 03 May 2027 10:17:30 GMT'),
      ],
      broken: 61,
    },
    {
      what: 'seconds, each time too early',
      sent: [limited(40, '10'), limited(50.1, '1'), limited(51.2, '1'), limited(52.3, '1')],
      broken: 61,
    },
  ])(
    'is broken by a request that waited as long as $what, and is rejected again',
    ({ sent, broken }) => {
      expect(clausesOf(...window, ...sent)).toEqual({
        result: 'broken',
        broken: [broken],
        others: [],
      })
    },
  )

  it('is not broken by a ban', () => {
    const banned = limited(30.2, '300', { code: 'key_banned', reset: 330 })
    expect(clausesOf(...window, limited(20, '10'), banned).broken).toEqual([])
  })

  it('is not broken by another client that has used the key meanwhile', () => {
    const sent = [limited(20, '1', { remaining: 5 }), limited(24, '1', { remaining: 3 })]
    expect(clausesOf(...window.slice(0, 54), ...sent).broken).toEqual([])
  })

  it('is not broken by a Date that is ahead of the clock that counts requests', () => {
    const ahead = window.map((one) => {
      const at = new Date(Date.UTC(2027, 4, 3, 10, 18) + one.at * 1000)
      return { ...one, headers: { date: at.toUTCString() } }
    })
    const sent = [20, 25, 30].map((at) => ({
      ...limited(at, 'Mon, 03 May 2027 10:18:00 GMT'),
      headers: {
        'retry-after': 'Mon, 03 May 2027 10:18:00 GMT',
        date: new Date(Date.UTC(2027, 4, 3, 10, 18) + at * 1000).toUTCString(),
      },
    }))
    expect(clausesOf(...ahead, ...sent).broken).toEqual([])
  })

  it('is not broken by requests that overlap', () => {
    const sent = [limited(20, '10'), limited(33, '1')]
    const archive = archiveWith([...window, ...sent])
    const entry = archive.log.entries[60]
    if (entry === undefined) throw new TypeError('There is no rejection')
    entry.time = 20_000
    expect(calibrate([archive]).clauses['8.2'].result).toBe('not-seen')
  })

  it.each([10, 14, 16, 25])(
    'blames no served response where Retry-After is %i seconds early (T2)',
    (early) => {
      const rejections = [20, 25, 30, 35].map((at) =>
        limited(at, `${Math.max(1, 60 - at - early)}`),
      )
      const { result, others } = clausesOf(...window, ...rejections, next)
      expect(others).toEqual([])
      expect(result).not.toBe('kept')
    },
  )
})

describe('calibrate() of a service that limits bursts (T1)', () => {
  /** Five requests in a second; the sixth is rejected, and succeeds a second later. */
  const bursts = [0, 3, 6, 9].flatMap((at, index): TimedResponse[] => {
    const left = 60 - index * 6
    const five = [1, 2, 3, 4, 5].map((used) => ({
      ...{ at: at + used / 10, remaining: left - used, reset: 60 },
    }))
    const headers = { 'retry-after': '1' }
    return [
      ...five,
      { at: at + 0.6, status: 429, code: 'slow_down', remaining: left - 5, reset: 60, headers },
      { at: at + 1.7, remaining: left - 6, reset: 60 },
    ]
  })

  it('has nothing against it', () => {
    const { clauses, unexplained } = reportOf(...bursts)
    expect(Object.values(clauses).flatMap(({ problems }) => problems)).toEqual([])
    expect(unexplained).toEqual([])
    expect(clauses['8.2'].result).toBe('kept')
  })

  it('shows nothing of where, how long and by which clock it rejects requests', () => {
    const { rejectsAt, retryAfterPadding, dateHeaderSkew, retryAfterFormat } = reportOf(
      ...bursts,
    ).gaps
    for (const gap of [rejectsAt, retryAfterPadding, dateHeaderSkew]) {
      expect(gap).toMatchObject({ result: 'not-seen', requests: [], ask: undefined })
    }
    expect(retryAfterFormat.values).toContain('seconds')
  })
})

describe('calibrate() and the form of Retry-After', () => {
  it.each([
    { form: 'seconds', texts: ['40', '25'], values: ['seconds'] },
    { form: 'milliseconds', texts: ['40000', '24875'], values: ['milliseconds'] },
    {
      form: 'unlike milliseconds',
      texts: ['4000000', '4000'],
      values: ['seconds', 'milliseconds'],
    },
    { form: 'fractions', texts: ['40', '24.875'], values: ['fraction'] },
    { form: 'a timestamp', texts: ['1809339480'], values: ['unix-time'] },
    { form: 'a constant', texts: ['300', '300'], values: ['seconds', 'milliseconds'] },
  ])('finds $values in $form', ({ texts, values }) => {
    const rejections = texts.map((text, index) => limited(20 + index * 15, text))
    expect(reportOf(...window, ...rejections).gaps.retryAfterFormat.values).toEqual(values)
  })

  it('takes the hours of a ban for no milliseconds', () => {
    const rejections = [limited(20, '40'), limited(40, '7200'), limited(45, '7195')]
    const { values } = reportOf(...window, ...rejections).gaps.retryAfterFormat
    expect(values).toContain('seconds')
  })
})
