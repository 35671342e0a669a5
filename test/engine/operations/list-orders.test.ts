import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

describe('listOrders', () => {
  it('answers 501, since the spec shows nothing of an order', async () => {
    const reply = await send(frozenSandbox(), { url: '/v1/store/orders' })
    expect(reply.status).toBe(501)
    expect(JSON.parse(reply.body)).toEqual({
      code: 'not_implemented',
      message: 'Cannot list store orders: the interface mentions them without showing their shape',
      status: 501,
    })
  })

  it('needs a key', async () => {
    const reply = await send(frozenSandbox(), { url: '/v1/store/orders', key: null })
    expect(reply.status).toBe(401)
  })
})
