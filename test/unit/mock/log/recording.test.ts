import { describe, expect, it } from 'vitest'
import { toJson } from '../../../../src/mock/api/json.ts'
import { maxSteps } from '../../../../src/mock/log/recording.ts'
import type { Capture } from '../../../../src/sandbox/controls/captures.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../../src/sandbox/sandbox-pool.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

/** Sends requests that no operation takes, and that so leave nothing behind. */
async function sendOthers(sandbox: Sandbox, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await send(sandbox, { method: 'PUT' })
}

function petsOf(count: number) {
  return Array.from({ length: count }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }))
}

/** The names of the controls, and the methods of the requests. */
function stepsOf({ steps }: Capture): readonly string[] {
  return steps.map((step) => (step.do === 'control' ? step.name : step.request.method))
}

describe('sandbox.capture() after too many steps', () => {
  it('has the latest half of them or more, from a copy of the state on, and says what came before', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    sandbox.pets.create({ name: 'Early', categoryId: 1 })
    await sendOthers(sandbox, maxSteps - 1)
    expect(await sandbox.capture()).not.toHaveProperty('dropped')
    sandbox.pets.create({ name: 'Late', categoryId: 1 })
    const { dropped, steps } = await sandbox.capture()
    expect(dropped).toEqual({ requests: maxSteps / 2 - 1, before: '2026-01-01T00:00:00Z' })
    const [restored] = steps
    expect(restored).toMatchObject({ do: 'control', name: 'restore', at: '2026-01-01T00:00:00Z' })
    expect(toJson(restored)).toContain('"Early"')
    expect(toJson(restored)).not.toContain('"Late"')
    expect(steps.filter((step) => step.do === 'request')).toHaveLength(maxSteps / 2)
    expect(toJson(steps.at(-1))).toContain('"Late"')
    await sendOthers(sandbox, maxSteps)
    const later = await sandbox.capture()
    const requests = later.steps.filter((step) => step.do === 'request')
    expect(requests.length).toBeGreaterThanOrEqual(maxSteps / 2 - 1)
    expect((later.dropped?.requests ?? 0) + requests.length).toBe(2 * maxSteps - 1)
  })

  it('begins anew after a control that is too large to be kept', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    sandbox.replaceSeed({ pets: petsOf(100_000) })
    await send(sandbox)
    const { dropped, steps } = await sandbox.capture()
    expect(dropped?.requests).toBe(1)
    expect(steps).toMatchObject([{ do: 'control', name: 'restore' }, { outcome: { status: 200 } }])
  })

  it('begins anew after a control whose input cannot be copied', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    sandbox.pets.create(new Proxy({ name: 'Late', categoryId: 1 }, {}))
    const { dropped, steps } = await sandbox.capture()
    expect(dropped?.requests).toBe(1)
    expect(toJson(steps)).toContain('"Late"')
  })

  it('begins anew after a control whose input is nested deeper than the stack', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const earlier = sandbox.snapshot()
    const { size } = sandbox.pets
    sandbox.pets.clear()
    const more: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    sandbox.restore({ ...earlier, more })
    expect(sandbox.pets.size).toBe(size)
    const { dropped, steps } = await sandbox.capture()
    expect(dropped?.requests).toBe(1)
    expect(steps).toMatchObject([{ do: 'control', name: 'restore' }])
  })

  it('begins later when the memory of the server is used up, and then what-if tells the same', async () => {
    const pool = new SandboxPool({ limits: { requestLogBytes: 1_100_000 } })
    const { sandbox } = pool.create({ rateLimits: 'report-only' })
    await send(sandbox, { json: '{"name":"Ada","categoryId":1}' })
    const json = JSON.stringify({ x: 'x'.repeat(50_000) })
    for (let sent = 0; sent < 15; sent++) await send(sandbox, { json })
    await send(sandbox, { url: '/v1/pets/31' })
    const capture = await sandbox.capture()
    const [restored, ...others] = stepsOf(capture)
    expect([restored, others.at(-1)]).toEqual(['restore', 'GET'])
    expect(capture.dropped?.requests).toBe(17 - others.length)
    const gaps = { deprecationHeaders: 'none' } as const
    const whole = await sandbox.whatIf({ gaps, responses: true })
    expect(whole).toMatchObject({
      requests: others.length,
      dropped: { requests: 17 - others.length },
      results: [{ firstRequest: 17, responses: { url: '/v1/pets/31', actual: { status: 200 } } }],
    })
    const last = await sandbox.whatIf({ gaps, request: 17, responses: true })
    expect(last.results).toEqual(whole.results)
  })
})
