import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseJson, toJson } from '../../../src/contract/int64.ts'
import { controlRoutes } from '../../../src/control/http/routes.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox-pool.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'
import { testServer } from '../../server/test-server.ts'
import { type ControlRow, controlRows, elsewhere, type InProcess } from '../http/controls-table.ts'

/** Members that need functions, which no HTTP request can carry, that are the doors themselves, or for them. */
const inProcessOnly = ['handle', 'handleControl', 'hideKeys', 'pets.query']

/** The names of all members of the typed controls, such as `clock.advance`. */
function membersOf(sandbox: Sandbox): string[] {
  return Object.entries(sandbox).flatMap(([name, value]) =>
    ['clock', 'pets', 'keys', 'faults', 'journal'].includes(name)
      ? Object.keys(value).map((member) => `${name}.${member}`)
      : [name],
  )
}

/** Makes one of two sandboxes that are equal, with a journal that is not empty. */
async function usedSandbox(): Promise<InProcess> {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  await sandbox.handle(requestOf({ key: 'none' }))
  await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
  const pool = new SandboxPool()
  pool.create({ name: 'one' })
  return { sandbox, pool, origin: '' }
}

async function overHttp(url: string, row: ControlRow, sandbox: Sandbox) {
  const body = typeof row.json === 'function' ? row.json(sandbox) : row.json
  const reply = await fetch(`${url}/_sandbox${row.path}`, {
    method: row.method,
    ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
  })
  const text = await reply.text()
  return { status: reply.status, result: text === '' ? undefined : parseJson(text) }
}

/** All that a control can change. */
function stateOf({ sandbox, pool }: InProcess): unknown {
  return { snapshot: sandbox.snapshot(), names: pool.names() }
}

describe('the controls', () => {
  it('do the same in process and over HTTP, one after the other', async () => {
    // Running clocks are to show the same on both sides.
    vi.useFakeTimers({ toFake: ['Date'], now: startAt + 3_600_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const [direct, served] = [await usedSandbox(), await usedSandbox()]
    const { sandbox, pool } = served
    const { url } = await testServer({ sandbox, pool, save: () => {} })
    const context = { ...direct, origin: url }
    for (const row of controlRows) {
      const what = `${row.method} ${row.path} (${row.member})`
      const before = toJson(stateOf(direct))
      const { status, result } = await overHttp(url, row, sandbox)
      const expected = row.run(context)
      expect(status, what).toBe(statusOf(row, expected))
      expect(result, what).toEqual(expected === undefined ? undefined : parseJson(toJson(expected)))
      expect(stateOf(served), what).toEqual(stateOf(direct))
      const isChanging = row.method !== 'GET' && row.route !== 'save'
      expect(toJson(stateOf(direct)) !== before, `${what} changes the state`).toBe(isChanging)
    }
  })

  it('have a row for each route', async () => {
    const { url } = await testServer()
    const document = await (await fetch(`${url}/_sandbox/control.openapi.json`)).json()
    const described = Object.entries<Record<string, { operationId: string }>>(
      document.paths,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => {
        return { route: operationId, method: method.toUpperCase(), path }
      }),
    )
    const rows = [...controlRows, ...elsewhere].map(({ route }) => route)
    expect(described.map(({ route }) => route).sort()).toEqual([...new Set(rows)].sort())
    for (const { route, method, path } of described) {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?.*)?$`)
      const ofRoute = controlRows.filter((row) => row.route === route)
      expect(ofRoute.filter((row) => row.method !== method || !pattern.test(row.path))).toEqual([])
    }
  })

  it('have a route for each member of the typed ones', () => {
    const reached = [...controlRows, ...elsewhere].flatMap(({ member }) => member ?? [])
    expect(membersOf(frozenSandbox()).sort()).toEqual(
      [...new Set([...reached, ...inProcessOnly])].sort(),
    )
  })

  it('have no two routes with one name, or with one method and path', () => {
    const names = controlRoutes.map(({ name }) => name)
    const places = controlRoutes.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(places).size).toBe(places.length)
  })
})

function statusOf({ method, route }: ControlRow, result: unknown): number {
  if (result === undefined) return 204
  return method === 'POST' && route !== 'reset' ? 201 : 200
}
