import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseJson, toJson } from '../../../../src/mock/api/json.ts'
import { namesOf } from '../../../../src/mock/input/record.ts'
import { allRoutes } from '../../../../src/sandbox/controls/http/control-routes.ts'
import { routes } from '../../../../src/sandbox/controls/http/routes.ts'
import { playedSandbox, readCaptureJson } from '../../../../src/sandbox/played-sandbox.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../../src/sandbox/sandbox-pool.ts'
import {
  controlDescription,
  controlsIn,
  jsonOf,
  validators,
} from '../../../kit/control-description.ts'
import { controlHost } from '../../../kit/control-host.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'
import { sendControl } from '../../../kit/send-control.ts'
import { withoutRealTime } from '../../../kit/without-real-time.ts'
import { type ControlRow, controlRows, type InProcess } from './http/controls-table.ts'

const origin = 'http://sandbox.test'

/** Makes one of two sandboxes that are equal, with a request log that is not empty. */
async function usedSandbox(): Promise<InProcess> {
  const sandbox = frozenSandbox({ coverage: true })
  await sandbox.handle(requestOf({}))
  await sandbox.handle(requestOf({ key: 'none' }))
  await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
  const pool = new SandboxPool()
  pool.create({ name: 'one' })
  return { sandbox, pool, origin }
}

const description = await controlDescription(controlHost())
const described = controlsIn(description)
const validatorOf = validators(description)

/** Sends a row's control, and checks that body and reply are as they are described. */
async function overHttp({ sandbox, pool }: InProcess, row: ControlRow) {
  const what = `${row.route}, ${row.path}`
  const { method, path } = allRoutes[row.route]
  const control = described.find((one) => one.method === method && one.path === path)
  const json = typeof row.json === 'function' ? row.json(sandbox) : row.json
  if (json !== undefined) {
    const isBody = validatorOf(jsonOf(control?.requestBody) ?? {})
    // An integer beyond 2^53 is one to a validator only as a number.
    expect([isBody(JSON.parse(json)), isBody.errors], what).toEqual([true, null])
  }
  const host = controlHost({ sandbox, pool, origin })
  const { status, headers, body } = await sendControl(host, row.method, row.path, json)
  const output = control?.responses[status]
  const type = headers['content-type']
  expect(Object.keys(output?.content ?? {}), what).toEqual(type === undefined ? [] : [type])
  return { status, result: body === '' ? undefined : parseJson(body) }
}

/** All that a control can change. */
function stateOf({ sandbox, pool }: InProcess): unknown {
  return withoutRealTime({
    snapshot: sandbox.snapshot(),
    marks: sandbox.requests.changes(),
    names: pool.names(),
  })
}

/** All of a sandbox but its requests, with the time in place of the clock, and with the keys that get an alias alike. */
function replayableState(sandbox: Sandbox): string {
  const { clock: _, requests: __, ...state } = sandbox.snapshot()
  const text = toJson({ now: sandbox.clock.now(), ...state })
  return text.replaceAll(/"(?:api-key-\d+|issued-key|none)"/g, '"alias"')
}

describe('the controls', () => {
  it('do the same in process and over HTTP, as they are described', async () => {
    // Running clocks are to show the same on both sides.
    vi.useFakeTimers({ toFake: ['Date'], now: startAt + 3_600_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const [direct, served] = [await usedSandbox(), await usedSandbox()]
    // Each row works on what those before it have brought about.
    for (const row of controlRows) {
      const what = `${row.route}, ${row.path}`
      const before = toJson(stateOf(direct))
      const { status, result } = await overHttp(served, row)
      const expected = await row.run(direct)
      expect(status, what).toBe(statusOf(row, expected))
      expect(withoutRealTime(result), what).toEqual(
        expected === undefined ? undefined : withoutRealTime(parseJson(toJson(expected))),
      )
      expect(stateOf(served), what).toEqual(stateOf(direct))
      const isChanging = row.method !== 'GET' && !['saveState', 'whatIf'].includes(row.route)
      expect(toJson(stateOf(direct)) !== before, what).toBe(isChanging)
    }
  })

  it('lead to the same state again when a capture of them is replayed', async () => {
    const context = await usedSandbox()
    const { sandbox } = context
    const changing = namesOf(routes).filter((name) => 'changes' in routes[name])
    expect(changing.filter((name) => !controlRows.some(({ route }) => route === name))).toEqual([])
    for (const row of controlRows.filter(({ route }) => changing.includes(route))) {
      await row.run(context)
      sandbox.clock.freeze()
      const capture = readCaptureJson(parseJson(toJson(await sandbox.capture())))
      const { sandbox: played } = await playedSandbox(capture)
      expect(replayableState(played), `${row.route}, ${row.path}`).toBe(replayableState(sandbox))
    }
  })

  it('are in captures if they change something, but for the log, tests and other sandboxes', () => {
    const posts = namesOf(allRoutes).filter((name) => allRoutes[name].method !== 'GET')
    expect(posts.filter((name) => !('changes' in routes[name]))).toEqual([
      ...['whatIf', 'requests.clear', 'tests.start', 'tests.end'],
      ...['sandboxes.create', 'sandboxes.delete', 'saveState'],
    ])
    expect(Object.values(routes).filter((route) => 'changes' in route && !route.changes)).toEqual(
      [],
    )
  })
})

function statusOf({ route }: ControlRow, result: unknown): number {
  if (result === undefined) return 204
  const makers = ['pets.create', 'keys.issue', 'faults.add', 'sandboxes.create']
  return makers.includes(route) ? 201 : 200
}
