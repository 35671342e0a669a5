import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { routeRequests } from '../../../src/adapters/playwright.ts'
import type { ApiRequest, ApiResponse } from '../../../src/mock/api/message.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import {
  type Adapter,
  answerThrough,
  casesOf,
  encodeBody,
  expectedReply,
} from '../../kit/adapter-cases.ts'
import { browser } from '../../kit/browser.ts'

const context = await browser.newContext()
afterAll(() => context.close())
const page = await context.newPage()
await page.route('http://shop.test/', (route) =>
  route.fulfill({ contentType: 'text/html', body: '' }),
)
await page.goto('http://shop.test/')

/** What is asked for now. */
let served: Pick<Sandbox, 'handle'> | undefined

// Once: a route of its own for each case would take a third of the time.
await routeRequests(context, {
  async handle(...given) {
    if (served === undefined) throw new Error('Cannot handle: no case is open')
    return await served.handle(...given)
  },
})

const adapter: Adapter = {
  name: 'Playwright route',
  async open(sandbox) {
    served = sandbox
    return { handle: (request) => sendFrom(page, request), close: async () => {} }
  },
}

/** Sends a request with the `fetch` of a page, to its own origin, and gives what the page gets. */
async function sendFrom(page: Page, { body, ...request }: ApiRequest): Promise<ApiResponse> {
  const base64 = Buffer.from(encodeBody(body)).toString('base64')
  const { headers, ...reply } = await page.evaluate(
    async ({ method, url, headers, base64 }) => {
      const body = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const init = { method, headers }
      const response = await fetch(url, body.length === 0 ? init : { ...init, body })
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      return {
        status: response.status,
        headers: [...response.headers],
        body: decoder.decode(await response.arrayBuffer()),
      }
    },
    { ...request, base64 },
  )
  // A browser sends an Origin of its own with other methods than GET and HEAD.
  const own = headers.filter(([name]) => !name.startsWith('access-control-'))
  return { kind: 'response', ...reply, headers: Object.fromEntries(own) }
}

describe(adapter.name, () => {
  it.each(casesOf(adapter.name))('handles $name', async (one) => {
    expect(await answerThrough(adapter, one)).toEqual(await expectedReply(one))
  })
})
