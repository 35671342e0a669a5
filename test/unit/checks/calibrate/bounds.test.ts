import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { type Manners, ThirdService } from '../../../kit/third-service.ts'
import { archiveWith, entryOf, type RecordedEntry, Recorder, type Sent } from './recorder.ts'

const rex: Sent = { method: 'POST', url: '/pets', body: '{"name":"Rex","categoryId":1}' }

const plain: Manners = {
  ...{ limit: 60, window: 'log-newest', resolutionMs: 1, later: 0, form: 'seconds' },
  rounds: { reset: 'ceil', after: 'ceil', date: 'floor' },
  ...{ nodesMs: [0], counts: 'all', banAfter: 'never', banMs: 90_000, isBanNamed: true },
  ...{ codes: 'snake', properties: 'listed', lists: 'ascending', ids: 'sequential' },
  ...{ emptyName: 'accept', day: undefined, isResetAdded: false },
}

/** Records a list of pets every so many milliseconds. */
function recordLists(manners: Manners, count: number, everyMs: number, startMs = 3_400) {
  const service = new ThirdService(manners, () => 0.5)
  const entries: RecordedEntry[] = []
  for (let sent = 0; sent < count; sent++) {
    const now = Date.UTC(2027, 4, 3, 10, 17) + startMs + sent * everyMs
    const request = { method: 'GET', path: '/pets?limit=1', key: 'alpha-key', body: '' }
    const response = service.respond(request, now)
    const sentAs = { url: request.path, key: request.key }
    entries.push(entryOf(sentAs, response, 'https://api.test', now))
  }
  return { log: { version: '1.2', entries } }
}

describe('calibrate() shows a choice', () => {
  it('at errorPrecedence by a request that would get 400, too', async () => {
    const recorder = new Recorder({})
    await recorder.send({ url: '/pets?limit=0' })
    for (let sent = 0; sent < 60; sent++) {
      await recorder.send({ url: '/pets?limit=1', key: 'free-key' }, 100)
    }
    await recorder.send({ url: '/pets?limit=0', key: 'free-key' }, 61_000)
    await recorder.send({ url: '/pets', key: 'free-key' })
    expect(calibrate([recorder.archive()]).gaps.errorPrecedence).toMatchObject({
      result: 'confirmed',
      values: ['rate-limit'],
      requests: [62],
    })
  })

  it.each([
    { windows: 2, values: ['calendar', 'first-request'] },
    { windows: 3, values: ['calendar'] },
  ])('at quotaWindow by the starts of $windows windows: $values', async ({ windows, values }) => {
    const recorder = new Recorder({ gaps: { quotaWindow: 'calendar' } })
    // In windows that begin with their first request, each of these would begin one that ends at another second.
    for (const wait of [43_000, 30_000, 45_000, 0].slice(0, windows + 1)) {
      await recorder.send({ url: '/pets' }, wait)
    }
    expect(calibrate([recorder.archive()]).gaps.quotaWindow).toMatchObject({ values })
  })

  it.each([
    { count: 8, result: 'not-seen' },
    { count: 13, result: 'confirmed' },
  ])('at quotaWindow by $count requests that use one each: $result', ({ count, result }) => {
    const { quotaWindow } = calibrate([recordLists(plain, count, 4_000)]).gaps
    expect(quotaWindow).toMatchObject({ result })
    expect(quotaWindow.values).toContain('sliding')
  })

  it('at quotaWindow not by tokens so many that responses look like copies of those before', () => {
    const tokens: Manners = { ...plain, limit: 300, window: 'token-next' }
    const { quotaWindow } = calibrate([recordLists(tokens, 400, 16, 3_000)]).gaps
    expect(quotaWindow).toMatchObject({ result: 'not-seen' })
  })

  it.each([
    { id: '9007199254740992', choices: ['sequential', 'random'] },
    { id: '9007199254740993', choices: ['sequential', 'random', 'large'] },
  ])('at idSequence by the id $id: $choices', async ({ id, choices }) => {
    const recorder = new Recorder({})
    await recorder.send(rex)
    const archive = recorder.archive()
    for (const { response } of archive.log.entries) {
      const text = response.content.text.replace(/"id":\d+/, `"id":${id}`)
      response.content = { ...response.content, text, size: text.length }
    }
    expect(new Set(calibrate([archive]).gaps.idSequence.values)).toEqual(new Set(choices))
  })
})

describe('calibrate() tells windows apart', () => {
  it.each([
    // A minute, both roundings, and a Date that is five minutes behind.
    { left: [362], isDay: false },
    { left: [363], isDay: true },
    { left: [50, 363, 40], isDay: false },
    { left: [363, 363, 50, 40], isDay: true },
    { left: [50, 40, 363, 363], isDay: true },
  ])('by the seconds $left until the reset: a day is $isDay', ({ left, isDay }) => {
    const quotas = left.map((seconds, index) => ({
      ...{ at: index * 10, reset: index * 10 + seconds, remaining: 59 - index },
    }))
    const { reportedWindow } = calibrate([archiveWith(quotas)]).gaps
    expect(reportedWindow.values.includes('minute')).toBe(!isDay)
  })

  it.each([
    { left: [70], choices: ['tightest'] },
    { left: [71], choices: ['tightest', 'day'] },
    { left: [50, 71], choices: ['tightest', 'day'] },
  ])(
    'by the seconds $left until the reset: a minute after a day leaves $choices',
    ({ left, choices }) => {
      const ofMinute = left.map((seconds, index) => ({
        ...{ at: 10 + index, reset: 10 + index + seconds, remaining: 50 - index },
      }))
      const archive = archiveWith([
        { at: 0, reset: 36_000, remaining: 40, limit: 1_000 },
        ...ofMinute,
      ])
      expect(calibrate([archive]).gaps.reportedWindow.values).toEqual(choices)
    },
  )

  it.each([
    { limit: 60, seconds: 4, isShown: false },
    { limit: 60, seconds: 4.001, isShown: true },
    { limit: 20, seconds: 6, isShown: false },
    { limit: 20, seconds: 6.001, isShown: true },
  ])(
    'from a bucket of $limit tokens after $seconds seconds: $isShown',
    ({ limit, seconds, isShown }) => {
      const first = { at: 0, reset: 30, remaining: limit - 1, limit }
      // A bucket may have got another token in place of the one that the request cost.
      const archive = archiveWith([first, { ...first, at: seconds, status: 404 }])
      expect(calibrate([archive]).gaps.countedRequests).toMatchObject(
        isShown ? { result: 'confirmed', values: ['successful'] } : { result: 'not-seen' },
      )
    },
  )

  it.each([
    { window: 'minute', reset: 60, movedBy: 2, isSliding: false },
    { window: 'minute', reset: 60, movedBy: 3, isSliding: true },
    { window: 'minute', reset: 60, movedBy: 57, isSliding: true },
    { window: 'minute', reset: 60, movedBy: 58, isSliding: false },
    { window: 'day', reset: 36_000, movedBy: 60, isSliding: true },
    { window: 'day', reset: 36_000, movedBy: 86_397, isSliding: true },
    { window: 'day', reset: 36_000, movedBy: 86_398, isSliding: false },
  ])(
    'by a reset of the $window that moves by $movedBy seconds: sliding is $isSliding',
    ({ reset, movedBy, isSliding }) => {
      const archive = archiveWith([
        // It stays for longer than that of a bucket of tokens.
        { at: 0, reset, remaining: 59 },
        { at: 5, reset, remaining: 58 },
        { at: 6, reset: reset + movedBy, remaining: 57 },
      ])
      const { values } = calibrate([archive]).gaps.quotaWindow
      expect(values).toEqual(isSliding ? ['sliding'] : ['calendar', 'first-request', 'sliding'])
    },
  )

  it('counts the rejections before a ban that follows the last of them at once', async () => {
    const recorder = new Recorder({ gaps: { banAfter: 1 } })
    const list = { url: '/pets?limit=1', key: 'free-key' }
    for (let sent = 0; sent < 59; sent++) await recorder.send(list)
    await recorder.send(list, 10_000)
    for (let sent = 0; sent < 2; sent++) await recorder.send(list)
    expect(calibrate([recorder.archive()]).gaps.banAfter).toMatchObject({
      result: 'confirmed',
      values: ['1'],
    })
  })
})

describe('calibrate() of a request whose body was not recorded', () => {
  it.each([
    { status: 400, isExplained: true },
    { status: 413, isExplained: true },
    { status: 414, isExplained: false },
    { status: 500, isExplained: false },
  ])('explains $status: $isExplained', async ({ status, isExplained }) => {
    const recorder = new Recorder({})
    await recorder.send(rex)
    const archive = recorder.archive()
    for (const { request, response } of archive.log.entries) {
      delete request.postData
      response.status = status
      const text = JSON.stringify({ code: 'failed', message: 'It failed', status })
      response.content = { ...response.content, text, size: text.length }
    }
    expect(calibrate([archive]).unexplained).toHaveLength(isExplained ? 0 : 1)
  })
})

describe('calibrate() with a baseline', () => {
  async function archiveOf(maxNameLength: number) {
    const recorder = new Recorder({ gaps: { maxNameLength } })
    await recorder.send({ url: '/pets' })
    await recorder.send(rex)
    await recorder.send({ ...rex, body: '{"name":"Rexy","categoryId":1}' })
    return recorder.archive()
  }

  it.each([
    { length: 3, before: '3', changes: [] },
    { length: 3, before: '3..9', changes: [] },
    { length: 3, before: '0..3', changes: [] },
    { length: 3, before: '4..9', changes: ['maxNameLength: 4..9 before, 3 now'] },
    { length: 9, before: '0..4', changes: [] },
    { length: 9, before: 'never', changes: [] },
    {
      length: 9,
      before: '0..3',
      changes: ['maxNameLength: 0..3 before, never or 4..1000000000 now'],
    },
  ])('compares $before with names of at most $length', async ({ length, before, changes }) => {
    const archive = await archiveOf(length)
    const report = calibrate([archive])
    const gaps = { ...report.gaps, maxNameLength: { values: [before] } }
    expect(calibrate([archive], { baseline: { ...report, gaps } }).changes).toEqual(changes)
  })

  it('finds no change where no choice fitted before, either', async () => {
    const archive = await archiveOf(3)
    const last = archive.log.entries.at(-1)
    if (last === undefined) throw new TypeError('There is no request')
    const { content } = last.response
    content.text = content.text.replace('invalid_request', 'invalid-request')
    const baseline = calibrate([archive])
    expect(baseline.gaps.errorCodes.values).toEqual([])
    expect(calibrate([archive], { baseline }).changes).toEqual([])
    const usual = calibrate([await archiveOf(3)])
    expect(calibrate([archive], { baseline: usual }).changes).toEqual([
      'errorCodes: snake_case before, none now',
    ])
  })
})
