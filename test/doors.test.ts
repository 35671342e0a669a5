import { Agent, type IncomingMessage, request as sendHttp } from 'node:http'
import { setupServer } from 'msw/node'
import { describe, expect, it } from 'vitest'
import { createFetchHandler } from '../src/adapters/fetch.ts'
import { createHandlers } from '../src/adapters/msw.ts'
import { type ApiRequest, headersFrom, type Outcome } from '../src/contract/message.ts'
import { startServer } from '../src/server/start-server.ts'
import {
  compare,
  type Door,
  decodeReply,
  differences,
  doorCases,
  encodeBody,
  fetchRequest,
  fits,
  replyOf,
} from './kit/doors-cases.ts'

const doors: readonly Door[] = [
  {
    name: 'direct',
    open: async ({ handle }) => ({ handle, close: async () => {} }),
  },
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
    name: 'MSW in Node',
    async open(sandbox) {
      const server = setupServer(...createHandlers(sandbox))
      server.listen()
      return {
        handle: async (request) =>
          replyOf(await fetch(fetchRequest(request, 'https://api.petstore.test'))),
        close: async () => server.close(),
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
    kind: 'reply',
    status: message.statusCode ?? 0,
    headers: headersFrom(message.rawHeaders),
    body: decodeReply(Buffer.concat(chunks)),
  }
}

describe.each(doors)('$name', (door) => {
  it.each(doorCases.filter((one) => fits(one, door.name)))('answers $name', async (one) => {
    const { through, direct } = await compare(one, door)
    expect(through).toEqual(direct)
  })
})

describe('differences', () => {
  it.each(differences)('$doors $difference: some case shows it', ({ shows }) => {
    expect(doorCases.some(({ requests }) => requests.some(shows))).toBe(true)
  })

  it('leave most cases to every door', () => {
    for (const { name } of doors) {
      expect(doorCases.filter((one) => fits(one, name)).length).toBeGreaterThan(
        doorCases.length * 0.85,
      )
    }
  })
})
