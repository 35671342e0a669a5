import axios from 'axios'
import { setupServer } from 'msw/node'
import { describe, expect, it } from 'vitest'
import { createHandlers } from '../../src/adapters/msw.ts'
import type { ApiRequest, ApiResponse } from '../../src/mock/api/message.ts'
import {
  type Adapter,
  type AdapterName,
  answerThrough,
  casesOf,
  decodeReply,
  encodeBody,
  expectedReply,
  fetchRequest,
  replyOf,
} from './adapter-cases.ts'

/** Where the API is: for the pages of jsdom and happy-dom another origin than their own. */
const origin = 'https://api.petstore.test'

/** Makes the adapter of a page, whose requests go by MSW in Node. */
function domAdapter(
  name: AdapterName,
  send: (request: ApiRequest) => Promise<ApiResponse>,
): Adapter {
  return {
    name,
    async open(sandbox) {
      const server = setupServer(...createHandlers(sandbox, { baseUrl: `${origin}/v1` }))
      server.listen()
      return { handle: send, close: async () => server.close() }
    },
  }
}

/** Sends a request with the `fetch` of a page. */
export async function sendByFetch(request: ApiRequest): Promise<ApiResponse> {
  const reply = await replyOf(await fetch(fetchRequest(request, origin)))
  // happy-dom keeps the letter case of names.
  const lines = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...reply, headers: Object.fromEntries(lines) }
}

/** Sends a request with the `XMLHttpRequest` of a page. */
export function sendByXhr({ method, url, headers, body }: ApiRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, `${origin}${url}`)
    request.responseType = 'arraybuffer'
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.onload = () => {
      const { status, response } = request
      const headers = readLines(request.getAllResponseHeaders())
      const body = decodeReply(new Uint8Array(response))
      resolve({ kind: 'response', status, headers, body })
    }
    request.onerror = () => reject(new TypeError('XMLHttpRequest has failed'))
    request.send(body === '' ? null : encodeBody(body))
  })
}

function readLines(lines: string): ApiResponse['headers'] {
  const pairs = lines
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ])
  return Object.fromEntries(pairs)
}

/** Sends a request with axios, which takes `XMLHttpRequest` in a page. */
export async function sendByAxios({
  method,
  url,
  headers,
  body,
}: ApiRequest): Promise<ApiResponse> {
  const { status, data, ...response } = await axios.request<ArrayBuffer>({
    method,
    url: `${origin}${url}`,
    headers: { ...headers },
    // Without data, axios takes the content type away.
    ...(body === '' && headers['content-type'] === undefined ? {} : { data: encodeBody(body) }),
    responseType: 'arraybuffer',
    validateStatus: () => true,
  })
  const lines = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return {
    kind: 'response',
    status,
    headers: Object.fromEntries(lines),
    body: decodeReply(new Uint8Array(data)),
  }
}

/** Tests an adapter of a page: all its cases by one client, and every fifth by each of the others. */
export function testDomAdapter(
  name: AdapterName,
  send: (request: ApiRequest) => Promise<ApiResponse>,
  others: Readonly<Record<string, (request: ApiRequest) => Promise<ApiResponse>>>,
): void {
  // XMLHttpRequest follows redirects.
  const cases = casesOf(name).filter(({ fixture }) => !/^3/.test(`${fixture?.status}`))
  describe(name, () => {
    const adapter = domAdapter(name, send)
    it.each(cases)('handles $name', async (one) => {
      expect(await answerThrough(adapter, one)).toEqual(await expectedReply(one))
    })
  })
  describe.each(Object.entries(others))(`${name}, by %s`, (_, sendOther) => {
    const adapter = domAdapter(name, sendOther)
    it.each(cases.filter((_, index) => index % 5 === 0))('handles $name', async (one) => {
      expect(await answerThrough(adapter, one)).toEqual(await expectedReply(one))
    })
  })
}
