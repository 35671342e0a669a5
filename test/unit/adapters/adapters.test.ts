import { Agent, type IncomingMessage, request as sendHttp } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createFetchHandler } from '../../../src/adapters/fetch.ts'
import { headersFrom } from '../../../src/mock/api/http.ts'
import type { ApiRequest, Outcome } from '../../../src/mock/api/message.ts'
import { startServer } from '../../../src/server/start-server.ts'
import {
  type Adapter,
  adapterCases,
  answerThrough,
  casesOf,
  decodeReply,
  differences,
  encodeBody,
  expectedReply,
  fetchRequest,
  replyOf,
} from '../../kit/adapter-cases.ts'

/** The adapters of this process; that of MSW is in `adapters-msw.test.ts`, which is run with each of its versions. */
const adapters: readonly Adapter[] = [
  {
    name: 'Fetch',
    async open(sandbox) {
      const handler = createFetchHandler(sandbox)
      return {
        handle: async (request) =>
          replyOf(await handler(fetchRequest(request, 'https://api.petstore.test'))),
        close: async () => {},
      }
    },
  },
  {
    name: 'Express',
    async open(sandbox) {
      const server = await startServer({ port: 0, sandbox })
      const agent = new Agent({ keepAlive: true })
      return {
        handle: (request) => sendOverHttp(request, server.port, agent),
        async close() {
          agent.destroy()
          await server.close()
        },
      }
    },
  },
]

/** Sends a request as it is, without Fetch in between. */
function sendOverHttp(request: ApiRequest, port: number, agent: Agent): Promise<Outcome> {
  const { method, url: path, headers, body } = request
  return new Promise((resolve, reject) => {
    const outgoing = sendHttp({ port, method, path, headers, agent }, (message) => {
      read(message).then(resolve, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body === '' ? undefined : encodeBody(body))
  })
}

async function read(message: IncomingMessage): Promise<Outcome> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return {
    kind: 'response',
    status: message.statusCode ?? 0,
    headers: headersFrom(message.rawHeaders),
    body: decodeReply(Buffer.concat(chunks)),
  }
}

describe.each(adapters)('$name', (adapter) => {
  it.each(casesOf(adapter.name))('handles $name', async (one) => {
    expect(await answerThrough(adapter, one)).toEqual(await expectedReply(one))
  })
})

describe('differences', () => {
  const ofRequests = differences.filter(({ shows }) => shows !== undefined)

  it.each(ofRequests)('$adapters $difference: some case shows it', ({ shows }) => {
    const isShown = adapterCases.some(({ requests }) => requests.some((one) => shows?.(one)))
    expect(isShown, 'no case shows it; add one to test/kit/adapter-cases.ts').toBe(true)
  })
})
