import { describe, expect, it } from 'vitest'
import { lookAt } from '../../../src/panel/view/sight.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

describe('lookAt()', () => {
  it.each([
    { sent: ['pro-key'], inUse: 'pro-key' },
    { sent: ['pro-key', 'revoked-key'], inUse: 'revoked-key' },
    { sent: ['pro-key', 'expired-key'], inUse: 'expired-key' },
    { sent: ['pro-key', 'profit-key'], inUse: 'pro-key' },
    { sent: ['pro-key', null], inUse: 'pro-key' },
    { sent: ['nobody'], inUse: undefined },
    { sent: [], inUse: undefined },
  ])('tells which key is in use after $sent: $inUse', async ({ sent, inUse }) => {
    const sandbox = frozenSandbox()
    for (const key of sent) await sandbox.handle(requestOf({ key }))
    expect(lookAt(sandbox).keyInUse).toBe(inUse)
  })

  it('tells keys apart of which the journal shows the same', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.issue({ key: 'shop-one', plan: 'free' })
    sandbox.keys.issue({ key: 'shop-two', plan: 'pro' })
    await sandbox.handle(requestOf({ key: 'shop-two' }))
    expect(lookAt(sandbox).keyInUse).toBe('shop-two')
  })

  it('takes a key for in use while no other comes, though the sandbox is reset', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ key: 'pro-key' }))
    const before = lookAt(sandbox)
    sandbox.reset()
    expect(lookAt(sandbox, before)).toMatchObject({ entries: [], keyInUse: 'pro-key' })
  })

  it('knows faults that may still strike, and no more than 500 keys', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([
      { fault: 'status', times: 1 },
      { fault: 'latency', ms: 0 },
    ])
    for (let count = 0; count < 600; count++) sandbox.keys.issue({ plan: 'free' })
    await sandbox.handle(requestOf({}))
    const { faults, keys } = lookAt(sandbox)
    expect(faults.map(({ fault }) => fault)).toEqual(['latency'])
    expect(keys).toHaveLength(500)
  })
})
