import { describe, expect, it, vi } from 'vitest'
import { otherValues } from '../../../../src/mock/api/gaps/configuration.ts'
import { defaultGaps, formatValue, gapNames } from '../../../../src/mock/api/gaps.ts'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import type { WhatIf } from '../../../../src/sandbox/controls/what-if.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send, sendMany, type TestRequest } from '../../../kit/send.ts'
import { resultsByGap } from '../../../kit/what-if.ts'

/** The values that change a response, each with the first request that shows it. */
function changing({ results }: WhatIf): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(
    results
      .filter(({ changesResponse }) => changesResponse)
      .flatMap(({ gaps, firstRequest }) =>
        Object.entries(gaps).map(([gap, value]) => [`${gap}=${value}`, firstRequest]),
      ),
  )
}

/** What a suite does: steps that a sandbox is taken through, and the outcomes of the requests among them. */
type Suite = (sandbox: Sandbox) => Promise<void>

async function outcomesOf(suite: Suite, sandbox: Sandbox): Promise<Outcome[]> {
  const found: Outcome[] = []
  const handle: Sandbox['handle'] = async (request, signal) => {
    const outcome = await sandbox.handle(request, signal)
    found.push(outcome)
    return outcome
  }
  await suite({ ...sandbox, handle, setGaps: sandbox.setGaps })
  return found
}

const pet = '{"name":"Rex","categoryId":1}'

const request =
  (one: TestRequest): Suite =>
  async (sandbox) => {
    await sandbox.handle(requestOf(one))
  }

const inTurn =
  (...suites: readonly Suite[]): Suite =>
  async (sandbox) => {
    for (const suite of suites) await suite(sandbox)
  }

const times = (count: number, suite: Suite): Suite =>
  inTurn(...Array.from({ length: count }, () => suite))

const suites: Readonly<Record<string, Suite>> = {
  'a few requests': inTurn(
    request({}),
    request({ url: '/v1/pets?limit=3&status=pending' }),
    request({ json: pet }),
    request({ url: '/v1/pets/31' }),
    request({ url: '/v1/pets/999' }),
    request({ url: '/v1/pets/abc', key: null }),
    request({ url: '/v1/pets/', key: 'pro-key' }),
    request({ url: '/v1/store/orders?x=1' }),
  ),
  'a client over its limit': inTurn(
    times(75, request({ url: '/v1/pets?limit=1' })),
    async ({ clock }) => clock.advance('61s'),
    request({}),
    async ({ clock }) => clock.advance('6m'),
    request({ url: '/v1/pets?limit=0' }),
  ),
  controls: inTurn(
    async ({ keys }) => {
      keys.setRemaining('free-key', { minute: 1 })
      keys.issue({ plan: 'pro', key: 'own-key' })
      keys.delete('pro-key')
    },
    request({ key: 'own-key', json: pet }),
    request({ key: 'pro-key' }),
    async ({ pets }) => {
      pets.create({ name: 'Max', categoryId: 2 })
      pets.delete(2)
    },
    times(2, request({ url: '/v1/pets/32' })),
    async ({ faults }) => {
      faults.add([
        { fault: 'latency', ms: '5s' },
        { fault: 'status', status: 503, times: 1 },
      ])
    },
    async (sandbox) => {
      sandbox.faults.clear()
      sandbox.scenario('sunset-passed')
    },
    request({ url: '/v1/pets/1' }),
    async (sandbox) => sandbox.reset(),
    request({ url: '/v1/pets/1' }),
    async (sandbox) => sandbox.replaceSeed({ pets: [{ id: 7, name: 'Ada', categoryId: 1 }] }),
    request({}),
    async (sandbox) => {
      const saved = sandbox.snapshot()
      await request({ json: pet })(sandbox)
      sandbox.restore(saved)
      sandbox.setRateLimits('report-only')
    },
    request({}),
  ),
  'choices made on the way': inTurn(
    request({ key: 'banned-key' }),
    async (sandbox) => void sandbox.setGaps({ listOrder: 'id-descending', dateHeaderSkew: '30s' }),
    request({ url: '/v1/pets?color=red' }),
    request({ json: pet }),
    async (sandbox) => {
      const saved = sandbox.snapshot()
      sandbox.setGaps({ idSequence: 'random', defaultStatus: 'pending', quotaWindow: 'sliding' })
      await request({ json: pet })(sandbox)
      sandbox.restore(saved)
    },
    times(2, request({ json: pet })),
    async (sandbox) => sandbox.reset({ only: ['pets'] }),
    request({}),
    async (sandbox) => sandbox.reset({ only: ['gaps'] }),
    request({}),
  ),
  'a window that is chosen midway': inTurn(
    times(30, request({})),
    async ({ clock }) => clock.advance('30s'),
    times(30, request({})),
    async ({ clock }) => clock.advance('40s'),
    async (sandbox) => void sandbox.setGaps({ quotaWindow: 'first-request' }),
    times(31, request({})),
  ),
  'the day of the sunset': inTurn(
    async (sandbox) => sandbox.scenario('sunset-passed'),
    times(2, request({ url: '/v1/pets/1' })),
    async ({ clock }) => clock.advance('1h'),
    request({}),
    async ({ clock }) => clock.set('2030-12-04'),
    request({}),
    async (sandbox) => sandbox.scenario('sunset-tomorrow'),
    request({}),
    async (sandbox) => sandbox.reset(),
    request({}),
  ),
}

describe('sandbox.whatIf()', () => {
  it.each(Object.entries(suites))(
    'says of every choice what really happens under it: %s',
    async (_, suite) => {
      const sandbox = frozenSandbox()
      const usual = await outcomesOf(suite, sandbox)
      const report = await sandbox.whatIf({ responses: true })
      expect(report.requests).toBe(usual.length)
      for (const { gap, value } of otherValues(defaultGaps)) {
        const written = formatValue(gap, value)
        const other = await outcomesOf(suite, frozenSandbox({ gaps: { [gap]: written } }))
        const at = usual.findIndex((one, index) => !isSame(one, other[index]))
        const found = resultsByGap(report)[gap]?.[String(written)]
        if (at < 0) expect(found).toEqual({ changesResponse: false })
        else {
          expect(found).toMatchObject({ changesResponse: true, firstRequest: at + 1 })
          expect(found?.responses?.actual).toEqual(usual[at])
          expect(found?.responses?.alternative).toEqual(other[at])
        }
      }
    },
  )

  it('names each other choice of each gap, and the gaps that the interface does not guarantee', async () => {
    const report = await frozenSandbox().whatIf()
    const gaps = resultsByGap(report)
    expect(report.requests).toBe(0)
    expect(Object.keys(gaps)).toEqual(gapNames)
    expect(gaps.banStatus).toEqual({
      403: { changesResponse: false },
      418: { changesResponse: false },
    })
    expect(gaps.banAfter).toEqual({
      0: { changesResponse: false },
      never: { changesResponse: false },
    })
    expect(report.unpromised).toContain('errorMessages')
    expect(report.unpromised).not.toContain('banAfter')
  })

  it('changes nothing of the sandbox, which may be asked meanwhile', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 40)
    const before = sandbox.snapshot()
    const report = sandbox.whatIf()
    expect(sandbox.snapshot()).toEqual(before)
    const asked = await send(sandbox)
    expect(asked.headers['x-ratelimit-remaining']).toBe('19')
    expect((await report).requests).toBe(40)
  })

  it('takes the choices that the sandbox was made with for granted, not those made later', async () => {
    const sandbox = frozenSandbox({ gaps: { banStatus: 403 } })
    await send(sandbox, { key: 'banned-key' })
    sandbox.setGaps({ listOrder: 'shuffled' })
    await send(sandbox)
    const gaps = resultsByGap(await sandbox.whatIf())
    expect(gaps.banStatus).toEqual({
      418: { changesResponse: true, firstRequest: 1 },
      429: { changesResponse: true, firstRequest: 1 },
    })
    expect(gaps.listOrder?.['id-descending']).toEqual({ changesResponse: false })
  })

  it('leaves a choice that a control has made, as long as it is in force', async () => {
    const sandbox = frozenSandbox()
    sandbox.setGaps({ dateHeaderSkew: '30s' })
    await send(sandbox)
    expect(resultsByGap(await sandbox.whatIf()).dateHeaderSkew).toEqual({
      '1h': { changesResponse: false },
    })
    sandbox.reset()
    await send(sandbox)
    const gaps = resultsByGap(await sandbox.whatIf())
    expect(gaps.dateHeaderSkew).toEqual({ '1h': { changesResponse: true, firstRequest: 2 } })
  })

  it('knows when requests came on a clock that runs', async () => {
    const sandbox = frozenSandbox({ clock: { now: '2030-12-04T23:59:59Z', mode: 'running' } })
    await send(sandbox, { url: '/v1/pets/1' })
    sandbox.clock.advance('1s')
    await send(sandbox, { url: '/v1/pets/1' })
    const found = changing(await sandbox.whatIf())
    expect(found).toMatchObject({
      'afterSunset=gone': 2,
      'afterSunset=keep': 2,
      'dateHeaderSkew=1h': 1,
    })
  })

  it('keeps requests in the order in which they began, whatever waits', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '10s', times: 1 })
    const late = sandbox.handle(requestOf({ json: pet }))
    await send(sandbox, { url: '/v1/pets/31' })
    sandbox.clock.advance('10s')
    await late
    const gaps = resultsByGap(await sandbox.whatIf({ responses: true }))
    expect(gaps.defaultStatus?.sold).toMatchObject({
      // It was answered last.
      firstRequest: 2,
      responses: { method: 'POST', url: '/v1/pets', actual: { status: 201 } },
    })
  })

  it('shows no key in the requests that it shows', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: '/v1/pets/enterprise-key?a=secret-token', key: 'secret-token' })
    const report = JSON.stringify(await sandbox.whatIf({ responses: true }))
    expect(report).toContain('"url":"/v1/pets/ente…?a=secr…"')
    expect(report).not.toContain('enterprise-key')
    expect(report).not.toContain('secret-token')
  })

  it('goes on while the time of a test is faked', async () => {
    vi.useFakeTimers()
    try {
      const sandbox = frozenSandbox()
      await sendMany(sandbox, 300)
      expect((await sandbox.whatIf()).requests).toBe(300)
    } finally {
      vi.useRealTimers()
    }
  })

  it('counts the requests to which a choice matters, if asked', async () => {
    const sandbox = frozenSandbox()
    for (const url of ['/v1/pets/007', '/v1/pets/nope', '/v1/pets', '/v1/pets/x']) {
      await sandbox.handle(requestOf({ url }))
    }
    const gaps = resultsByGap(await sandbox.whatIf({ count: true }))
    expect(gaps.invalidPetId?.['bad-request']).toEqual({
      changesResponse: true,
      firstRequest: 2,
      count: 2,
      ids: [2, 4],
    })
    expect(Object.values(gaps.emptyName ?? {})).toEqual([{ changesResponse: false }])
    const plain = await sandbox.whatIf()
    expect(resultsByGap(plain).invalidPetId?.['bad-request']).toEqual({
      changesResponse: true,
      firstRequest: 2,
    })
  })

  it('stops when nobody waits any more', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    await expect(sandbox.whatIf({}, AbortSignal.abort())).rejects.toThrow(
      'the client has disconnected',
    )
  })
})

function isSame(one: Outcome, other: Outcome | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
