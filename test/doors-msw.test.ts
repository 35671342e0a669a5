import { setupServer } from 'msw/node'
import { describe, expect, it } from 'vitest'
import { createHandlers } from '../src/adapters/msw.ts'
import {
  answerThrough,
  type Door,
  doorCases,
  fetchRequest,
  fits,
  recordedReply,
  replyOf,
} from './kit/doors-cases.ts'

const door: Door = {
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

describe(door.name, () => {
  it.each(doorCases.filter((one) => fits(one, door.name)))('answers $name', async (one) => {
    expect(await answerThrough(door, one)).toEqual(recordedReply(one))
  })
})
