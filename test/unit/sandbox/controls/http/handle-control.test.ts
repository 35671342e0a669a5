import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../../src/mock/api/error.ts'
import type { ApiRequest } from '../../../../../src/mock/api/message.ts'
import { yieldToEventLoop } from '../../../../../src/mock/api/real-time.ts'
import {
  allRoutes,
  controlRoutes,
} from '../../../../../src/sandbox/controls/http/control-routes.ts'
import {
  handleControl,
  maxBytesOf,
} from '../../../../../src/sandbox/controls/http/handle-control.ts'
import { nothing } from '../../../../../src/sandbox/controls/http/route.ts'
import { controlHost } from '../../../../kit/control-host.ts'
import { frozenSandbox } from '../../../../kit/frozen-sandbox.ts'
import { send } from '../../../../kit/send.ts'
import { sendControl } from '../../../../kit/send-control.ts'

/** A control request, by default one without a body. */
function requestFor(
  path: string,
  { json, ...more }: Partial<ApiRequest> & { readonly json?: string } = {},
): ApiRequest {
  const headers = json === undefined ? {} : { 'content-type': 'application/json' }
  return { method: 'GET', url: `/_sandbox${path}`, headers, body: json ?? '', ...more }
}

/** The controls that give the same JSON twice, each with a place that exists. */
const readable = Object.values(controlRoutes)
  .filter(
    ({ method, isStream, path }) => method === 'GET' && !isStream && !path.includes('control'),
  )
  .map(({ path }) => path.replace('{id}', '1').replace('{key}', 'free-key'))

describe('handleControl()', () => {
  it.each([
    { path: '/clock' },
    { path: '/reset', method: 'POST' },
    { path: '/clock', method: 'PUT' },
    { path: '', headers: { accept: 'text/html' } },
    { path: '/events' },
  ])('dates the reply to $method $path by the clock', async ({ path, ...request }) => {
    const sandbox = frozenSandbox()
    sandbox.clock.set('2030-12-05T01:02:03Z')
    const { headers } = await sandbox.handleControl(requestFor(path, request))
    const expected = path === '/reset' ? 'Thu, 01 Jan 2026' : 'Thu, 05 Dec 2030'
    expect(headers.date).toMatch(new RegExp(`^${expected} \\d\\d:\\d\\d:\\d\\d GMT$`))
  })

  it.each(readable)('handles HEAD of %s as GET, without the body', async (path) => {
    const sandbox = frozenSandbox({ coverage: true })
    await send(sandbox)
    const get = await sandbox.handleControl(requestFor(path))
    const head = await sandbox.handleControl(requestFor(path, { method: 'HEAD' }))
    if (get.kind !== 'response') throw new Error('Cannot compare the replies: found a stream')
    const length = String(new TextEncoder().encode(get.body).length)
    expect(get.status).toBe(200)
    expect(head).toEqual({
      ...get,
      body: '',
      headers: { ...get.headers, 'content-length': length },
    })
  })

  it.each([
    { path: '/events', allow: 'GET' },
    { path: '/reset', allow: 'POST' },
  ])('rejects HEAD of $path, without a body', async ({ path, allow }) => {
    const output = await frozenSandbox().handleControl(requestFor(path, { method: 'HEAD' }))
    expect(output).toMatchObject({ kind: 'response', status: 405, headers: { allow }, body: '' })
  })

  it('stores nothing, and is of the type that is described', async () => {
    const sandbox = frozenSandbox()
    for (const [path, type] of [
      ['/clock', 'application/json'],
      ['/nothing', 'application/json'],
      ['/events', 'text/event-stream'],
      ['', 'text/html; charset=utf-8'],
    ] as const) {
      const request = requestFor(path, path === '' ? { headers: { accept: 'text/html' } } : {})
      expect((await sandbox.handleControl(request)).headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': type,
      })
    }
  })

  it('says why a host could not read a request, and does nothing', async () => {
    const sandbox = frozenSandbox()
    const unreadable = 'Cannot read the request: it has no Host header; send one'
    const request = requestFor('/pets', { method: 'DELETE', unreadable })
    const output = await sandbox.handleControl(request)
    expect(output).toMatchObject({ status: 400, body: expect.stringContaining(unreadable) })
    expect(sandbox.pets.size).toBe(30)
  })

  it('throws what is a bug, and no rejection', async () => {
    const controls = frozenSandbox()
    const broken = {
      ...controls,
      reset: () => {
        throw new RangeError('broken')
      },
    }
    const host = { ...controlHost(), controls: broken }
    const request = requestFor('/reset', { method: 'POST' })
    await expect(handleControl(request, host)).rejects.toThrow('broken')
  })

  it('has the controls of a process only where there is one', async () => {
    const sandbox = frozenSandbox()
    const request = requestFor('/sandboxes')
    expect(await sandbox.handleControl(request)).toMatchObject({ status: 404 })
  })

  it('responds to a save once it is done, or says why it is not', async () => {
    let saved = 0
    const save = async (): Promise<void> => {
      await yieldToEventLoop()
      saved++
      if (saved > 1) throw new ApiError('internal_error', 'Cannot save the state: no room')
    }
    const host = controlHost({ save })
    expect([(await sendControl(host, 'POST', '/state/save')).status, saved]).toEqual([204, 1])
    expect(await sendControl(host, 'POST', '/state/save')).toMatchObject({
      status: 500,
      body: expect.stringContaining('no room'),
    })
  })
})

describe('maxBytesOf()', () => {
  it('gives the largest body that the controls of a path take', () => {
    for (const { path, maxBytes, body } of Object.values(allRoutes)) {
      if (Object.is(body, nothing)) continue
      const place = path.replace(/\{\w+\}/, 'x')
      expect(maxBytesOf(`/_sandbox${place}?a=1`), path).toBe(maxBytes)
      expect(maxBytes).toBe((['/snapshot', '/seed'].includes(path) ? 64 : 1) * 2 ** 20)
    }
  })

  it.each(['/_sandbox', '/_sandbox/nothing', '/_sandbox/?a=/snapshot', '/v1/pets', ''])(
    'is 1 MiB for %j',
    (url) => {
      expect(maxBytesOf(url)).toBe(2 ** 20)
    },
  )
})

/** A pet as JSON with so many characters beyond ASCII, filled up with blanks to so many bytes. */
function petOf(characters: number, bytes: number): string {
  const text = `{"categoryId":1,"name":"${'€'.repeat(characters)}"}`
  return text + ' '.repeat(bytes - text.length - 2 * characters)
}

const mebibyte = 2 ** 20

describe('the body of a control', () => {
  it.each([
    { what: 'as large as may be', body: petOf(0, mebibyte), status: 201 },
    { what: 'a byte larger', body: petOf(0, mebibyte + 1), status: 413 },
    {
      what: 'as large as may be in other characters',
      body: petOf(1_000, mebibyte),
      status: 201,
    },
    { what: 'larger only in bytes', body: petOf(349_500, mebibyte + 1), status: 413 },
    { what: 'kept by nobody', body: '', bodyBytes: mebibyte + 1, status: 413 },
    { what: 'of bytes that are no text', body: '\udfff', bodyBytes: mebibyte, status: 400 },
  ])('may be 1 MiB: $what', async ({ status, body, ...more }) => {
    const request = requestFor('/pets', { method: 'POST', json: body, ...more })
    expect((await frozenSandbox().handleControl(request)).status).toBe(status)
  })

  it.each(['application/json', 'text/plain'])(
    'may be missing from a GET of type %s, as some clients send it',
    async (type) => {
      const request = requestFor('/pets', { headers: { 'content-type': type } })
      expect((await frozenSandbox().handleControl(request)).status).toBe(200)
    },
  )
})
