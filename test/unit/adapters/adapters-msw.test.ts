import { setupServer } from 'msw/node'
import { describe, expect, it } from 'vitest'
import { createHandlers } from '../../../src/adapters/msw.ts'
import {
  type Adapter,
  answerThrough,
  casesOf,
  expectedReply,
  fetchRequest,
  replyOf,
} from '../../kit/adapter-cases.ts'

const adapter: Adapter = {
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
}

describe(adapter.name, () => {
  it.each(casesOf(adapter.name))('handles $name', async (one) => {
    expect(await answerThrough(adapter, one)).toEqual(await expectedReply(one))
  })
})
