import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HarDocument } from '../../../src/control/controls/har.ts'
import { anyRequest } from '../../kit/arbitraries.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

const text = { type: 'string' }
const size = { type: 'integer', minimum: -1 }
const all = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const named = { type: 'array', items: all({ name: text, value: text }) }

/** The fields that HAR 1.2 requires (http://www.softwareishard.com/blog/har-12-spec/). */
const harSchema = all({
  log: all({
    version: { const: '1.2' },
    creator: all({ name: text, version: text }),
    entries: {
      type: 'array',
      items: all({
        startedDateTime: {
          type: 'string',
          pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
        },
        time: { type: 'number', minimum: 0 },
        request: {
          ...all({
            method: text,
            url: text,
            httpVersion: text,
            cookies: { type: 'array' },
            headers: named,
            queryString: named,
            headersSize: size,
            bodySize: size,
          }),
          dependentSchemas: {
            postData: { type: 'object', properties: { postData: all({ mimeType: text, text }) } },
          },
        },
        response: all({
          status: { type: 'integer', minimum: 0, maximum: 599 },
          statusText: text,
          httpVersion: text,
          cookies: { type: 'array' },
          headers: named,
          content: all({ size, mimeType: text, text }),
          redirectURL: text,
          headersSize: size,
          bodySize: size,
        }),
        cache: { type: 'object' },
        timings: all({
          send: { type: 'number', minimum: 0 },
          wait: { type: 'number', minimum: 0 },
          receive: { type: 'number', minimum: 0 },
        }),
      }),
    },
  }),
})

const matches = new Ajv2020({ allErrors: true }).compile(harSchema)

/** Checks a document as a browser's developer tools would. */
function expectHar(har: HarDocument): void {
  const plain: HarDocument = JSON.parse(JSON.stringify(har))
  expect([matches(plain), matches.errors]).toEqual([true, null])
  for (const { request } of plain.log.entries) {
    expect(URL.canParse((request as { url: string }).url)).toBe(true)
  }
}

describe('journal.har()', () => {
  it('is valid whatever was sent, and whatever went wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { maxLength: 5 }), async (requests) => {
        const sandbox = frozenSandbox()
        sandbox.faults.add([
          { fault: 'disconnect', probability: 0.2 },
          { fault: 'timeout', probability: 0.2 },
          { fault: 'truncated-body', probability: 0.2 },
        ])
        for (const request of requests) await sandbox.handle(request)
        const har = sandbox.journal.har({}, 'http://127.0.0.1:7387')
        expect(har.log.entries).toHaveLength(requests.length)
        expectHar(har)
      }),
    )
  })

  it('is valid without an entry', () => {
    expectHar(frozenSandbox().journal.har())
  })

  it('shows each exchange with its address, query, body, times and why', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: 250, operation: 'createPet' })
    await sandbox.handle(requestOf({ url: '/v1/pets?limit=1&status=sold' }))
    const posted = sandbox.handle(requestOf({ json: '{"name":"Zoë","categoryId":1}' }))
    sandbox.clock.advance(250)
    await posted
    const { entries } = sandbox.journal.har({}, 'http://127.0.0.1:7387').log
    expect(entries).toMatchObject([
      {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        time: 0,
        request: {
          method: 'GET',
          url: 'http://127.0.0.1:7387/v1/pets?limit=1&status=sold',
          queryString: [
            { name: 'limit', value: '1' },
            { name: 'status', value: 'sold' },
          ],
          headers: [{ name: 'authorization', value: 'Bearer free…' }],
        },
        response: { status: 200, content: { mimeType: 'application/json' } },
        comment: '200: listPets; spec 4.1',
      },
      {
        time: 250,
        timings: { wait: 250 },
        request: {
          bodySize: 30,
          postData: { mimeType: 'application/json', text: '{"name":"Zoë","categoryId":1}' },
        },
        response: { status: 201, content: { size: 59 } },
      },
    ])
  })

  it('shows what broke the connection as a failed request', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'timeout' })
    await sandbox.handle(requestOf({}))
    expect(sandbox.journal.har().log.entries).toMatchObject([
      { response: { status: 0, statusText: 'timeout', headers: [], content: { text: '' } } },
    ])
  })

  it('has only what is asked for', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    await sandbox.handle(requestOf({ key: null }))
    expect(sandbox.journal.har({ status: 401 }).log.entries).toHaveLength(1)
  })

  it('has no time below zero when the clock was set back meanwhile', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const request = sandbox.handle(requestOf({}))
    sandbox.clock.set('2020-01-01')
    sandbox.reset({ only: ['clock'] })
    await request
    expectHar(sandbox.journal.har())
  })

  it.each([
    { url: 'http://petstore.test/v1/pets', shown: 'http://petstore.test/v1/pets' },
    { url: '*', shown: 'http://localhost/' },
    { url: '', shown: 'http://localhost/' },
    { url: '//pets', shown: 'http://localhost//pets' },
  ])('gives the target $url as $shown', async ({ url, shown }) => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url }))
    expect(sandbox.journal.har().log.entries).toMatchObject([{ request: { url: shown } }])
  })
})
