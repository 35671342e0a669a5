import { describe, expect, it, onTestFinished } from 'vitest'
import { pageClient } from '../../../../src/console/panel/page-client.ts'
import { ShownSandbox } from '../../../../src/console/panel/shown-sandbox.ts'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

/** Follows a sandbox until the test is over; gives what is told, in a word each. */
function followed(sandbox: Sandbox) {
  const client = pageClient(new ShownSandbox(sandbox))
  const leave = new AbortController()
  const told: string[] = []
  client.follow((event) => {
    told.push(event.kind === 'request' ? event.entry.request.url : event.kind)
  }, leave.signal)
  onTestFinished(() => leave.abort())
  return { client, told, leave }
}

describe('pageClient()', () => {
  it('has the controls of the sandbox, later', async () => {
    const sandbox = frozenSandbox()
    const client = pageClient(new ShownSandbox(sandbox))
    await client.faults.add({ fault: 'status', status: 503 })
    expect(await client.faults.list()).toEqual(sandbox.faults.list())
    expect(await client.gaps()).toEqual(sandbox.gaps)
    expect(await client.pets.size()).toBe(30)
    expect(await client.setRateLimits('report-only')).toBe(sandbox.rateLimits)
    expect((await client.scenarios()).map(({ name }) => name)).toContain('day-exhausted')
    await expect(client.keys.update('free-key', { ban: 'soon' })).rejects.toThrow(InputError)
  })

  it('tells what happens in its order, until nobody follows', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: '/v1/before' }))
    const { told, leave } = followed(sandbox)
    await sandbox.handle(requestOf({ url: '/v1/first' }))
    sandbox.clock.advance('1m')
    await sandbox.handle(requestOf({ url: '/v1/second' }))
    await expect.poll(() => told.length).toBe(4)
    sandbox.reset()
    await sandbox.handle(requestOf({ url: '/v1/third' }))
    const all = ['live', '/v1/first', 'changed', '/v1/second', 'lost', '/v1/third']
    await expect.poll(() => told).toEqual(all)
    leave.abort()
    sandbox.reset()
    expect(told).toEqual(all)
  })

  it('judges nobody before somebody asks for a verdict, and reports findings then', async () => {
    const sandbox = frozenSandbox()
    const { client, told } = followed(sandbox)
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    expect(await client.foundSoFar()).toEqual([])
    expect(sandbox.resultSoFar()).toBeUndefined()
    expect(await client.findings()).toHaveLength(1)
    expect(await client.foundSoFar()).toHaveLength(1)
    await sandbox.handle(requestOf({ url: '/v1/pets' }))
    await expect.poll(() => told).toContain('changed')
    expect(await client.foundSoFar()).toHaveLength(2)
  })
})
