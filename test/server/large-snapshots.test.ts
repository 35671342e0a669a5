import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { expectServing, testServer } from '../kit/test-server.ts'
import { beginPut, write } from './begin-put.ts'
import { until } from './until.ts'

const manyPets = 3_000

/** A sandbox whose snapshot is far longer than what is sent at once. */
function largeSandbox() {
  const sandbox = frozenSandbox()
  const name = 'Zoë 🐢 '.repeat(50)
  sandbox.pets.create(Array.from({ length: manyPets }, () => ({ name, categoryId: 1 })))
  return sandbox
}

describe('PUT /_sandbox/snapshot', () => {
  it('restores all at its end, and answers others until then as before', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const json = JSON.stringify(largeSandbox().snapshot())
    const { sent, answered } = beginPut(url, '/snapshot')
    for (let start = 0; start < json.length - 10; start += 100_000) {
      await write(sent, json.slice(start, Math.min(start + 100_000, json.length - 10)))
      await expectServing({ url })
    }
    expect(await sandbox.pets.size).toBe(30)
    sent.end(json.slice(-10))
    expect(await answered).toEqual({ status: 204, text: '' })
    expect(await sandbox.pets.size).toBe(30 + manyPets)
  })

  it('takes one long one after the other, and short ones meanwhile', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const json = JSON.stringify(largeSandbox().snapshot())
    const first = beginPut(url, '/snapshot')
    await write(first.sent, json.slice(0, 500_000))
    let hasSecond = false
    const second = beginPut(url, '/snapshot')
    second.sent.end(json)
    const isLast = second.answered.then(() => {
      hasSecond = true
    })
    const short = JSON.stringify(frozenSandbox().snapshot())
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: short }
    expect((await fetch(`${url}/_sandbox/snapshot`, init)).status).toBe(204)
    expect(hasSecond).toBe(false)
    // What its client leaves behind, nobody waits for.
    first.sent.on('error', () => {})
    first.answered.catch(() => {})
    first.sent.destroy()
    await isLast
    expect(await sandbox.pets.size).toBe(30 + manyPets)
  })

  it('refuses a wrong one as soon as it is, and changes nothing', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const { sent, answered } = beginPut(url, '/snapshot')
    await write(sent, '{"petstoreSandbox":1,"pets":{"list":[{"id":1,"name":5}')
    const { status, text } = await answered
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      'Cannot set snapshot.pets.list[0].name: found 5; use a string',
    ])
    // Its client may send the rest.
    await write(sent, ' '.repeat(1_000_000))
    sent.end()
    expect(await sandbox.pets.size).toBe(30)
    await expectServing({ url })
  })

  it.each([
    { what: 'breaks off', json: '{"petstoreSandbox":1', why: 'it breaks off' },
    { what: 'is not JSON', json: '{"petstoreSandbox" 1}', why: 'found "1" where it can\'t stand' },
  ])('refuses one that $what', async ({ json, why }) => {
    const { url } = await testServer()
    const { sent, answered } = beginPut(url, '/snapshot')
    sent.end(json)
    const { status, text } = await answered
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      `Cannot read the body: it is not valid JSON (${why}); send JSON`,
    ])
  })

  it('changes nothing when its client leaves halfway', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const json = JSON.stringify(largeSandbox().snapshot())
    const { sent, answered } = beginPut(url, '/snapshot')
    answered.catch(() => {})
    sent.on('error', () => {})
    await write(sent, json.slice(0, -10))
    sent.destroy()
    await expectServing({ url })
    expect(await sandbox.pets.size).toBe(30)
  })
})

describe('GET /_sandbox/snapshot', () => {
  it('is written while its client reads, as the state was when it asked', async () => {
    const large = largeSandbox()
    const before = JSON.stringify(large.snapshot())
    const { url, sandbox } = await testServer({ sandbox: large })
    const asked = request(`${url}/_sandbox/snapshot`).end()
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    })
    await sandbox.pets.clear()
    await expect(fetch(`${url}/_sandbox/health`)).resolves.toMatchObject({ status: 200 })
    let text = ''
    for await (const chunk of reply.setEncoding('utf8')) text += chunk
    expect(text === before).toBe(true)
    await until(async () => (await sandbox.pets.size) === 0)
  })

  it('says how long it is where it is short, and on HEAD', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const short = await fetch(`${url}/_sandbox/snapshot`)
    const { length } = await short.text()
    expect(Number(short.headers.get('content-length'))).toBeGreaterThanOrEqual(length)
    const large = await testServer({ sandbox: largeSandbox() })
    const head = await fetch(`${large.url}/_sandbox/snapshot`, { method: 'HEAD' })
    const whole = await (await fetch(`${large.url}/_sandbox/snapshot`)).arrayBuffer()
    expect(head.headers.get('content-length')).toBe(String(whole.byteLength))
  })
})
