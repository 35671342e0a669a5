import { describe, expect, it } from 'vitest'
import type { UnderWayView } from '../../../../src/sandbox/controls/under-way.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../../kit/send.ts'
import { begin } from '../../../kit/under-way.ts'

describe('Sandbox.requests.list()', () => {
  it.each([
    { query: { pet: '1' }, ids: [1, 2] },
    { query: { pet: '12' }, ids: [3] },
    { query: { search: 'PRO name' }, ids: [] },
    { query: { search: 'limit=1 PRO-KEY' }, ids: [] },
    { query: { search: 'pets/12' }, ids: [3] },
    { query: { search: 'pets', before: 3, limit: 1 }, ids: [2] },
    { query: { before: 2 }, ids: [1] },
  ])('finds requests by $query', async ({ query, ids }) => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: '/v1/pets/1' })
    await send(sandbox, { url: '/v1/pets?limit=1' })
    await send(sandbox, { url: '/v1/pets/12' })
    expect(sandbox.requests.list(query).map(({ id }) => id)).toEqual(ids)
  })

  it('finds requests about a pet that no response shows', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'disconnect', operation: 'createPet' })
    await send(sandbox, { url: '/v1/pets/1' })
    await send(sandbox, { url: '/v1/pets/31' })
    await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
    expect(sandbox.requests.list({ pet: '31' }).map(({ id }) => id)).toEqual([2, 3])
  })

  it('leaves bodies out on request', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const [entry] = sandbox.requests.list({ bodies: false })
    expect(entry?.outcome).toMatchObject({ status: 200, body: '' })
    expect(sandbox.requests.get(1).outcome).not.toMatchObject({ body: '' })
  })
})

describe('Sandbox.requests.subscribeUnderWay()', () => {
  it('reports a request that waits for its response, and its end', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '3s' })
    const views: UnderWayView[] = []
    const first = new Promise<UnderWayView>((resolve) => {
      sandbox.requests.subscribeUnderWay((view) => {
        views.push(view)
        resolve(view)
      })
    })
    const request = begin(sandbox)
    expect((await first).requests).toMatchObject([{ method: 'GET', key: 'free…' }])
    sandbox.clock.advance('3s')
    await request.isComplete()
    expect(views.at(-1)).toEqual({ requests: [] })
  })
})
