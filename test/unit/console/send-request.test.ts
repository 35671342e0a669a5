import { describe, expect, it } from 'vitest'
import { requestAgain, sendRequest } from '../../../src/console/live/send-request.ts'
import { pageClient } from '../../../src/console/panel/page-client.ts'
import { ShownSandbox } from '../../../src/console/panel/shown-sandbox.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

const apiUrl = 'http://sandbox.test/v1'

/** Sends requests to a sandbox as a page does. */
function senderOf(sandbox: Sandbox) {
  const sent: string[] = []
  const send = async (request: Request): Promise<void> => {
    sent.push(request.url)
    const { method, headers } = request
    const { pathname: url } = new URL(request.url)
    const body = await request.text()
    const outcome = await sandbox.handle({
      method,
      url,
      headers: Object.fromEntries(headers),
      body,
    })
    if (!('status' in outcome)) throw new TypeError('no response')
  }
  return { sent, sender: { client: pageClient(new ShownSandbox(sandbox)), apiUrl, send } }
}

const request = { method: 'GET', path: '/pets', headers: {}, body: '' }

describe('sendRequest()', () => {
  it('returns the id of the request, even without a response', async () => {
    const sandbox = frozenSandbox()
    const { sender } = senderOf(sandbox)
    expect(await sendRequest(request, sender)).toBe(1)
    sandbox.faults.add({ fault: 'disconnect' })
    expect(await sendRequest(request, sender)).toBe(2)
  })

  it.each(['/../_sandbox/reset', '/pets/../../_sandbox/reset', '@example.com/', '/%2e%2e/x'])(
    'sends nothing beyond the API: %s',
    async (path) => {
      const { sent, sender } = senderOf(frozenSandbox())
      await expect(sendRequest({ ...request, method: 'POST', path }, sender)).rejects.toThrow(
        /^Cannot send the request: found ".*"; use a path of the API/,
      )
      expect(sent).toEqual([])
    },
  )
})

describe('requestAgain()', () => {
  it('has the whole key, and no part of one that the log abbreviates', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
    await sandbox.handle(requestOf({ key: 'another-key' }))
    const [first, second] = sandbox.requests.list()
    expect(first && requestAgain(first, 'free-key')).toEqual({
      method: 'POST',
      path: '/pets',
      headers: { authorization: 'Bearer free-key', 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    })
    expect(second && requestAgain(second, second.key ?? '').headers).toEqual({
      authorization: 'Bearer unknown-key',
    })
  })
})
