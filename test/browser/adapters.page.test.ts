import { type SetupWorker, setupWorker } from 'msw/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandlers } from '../../src/adapters/msw.ts'
import {
  type Adapter,
  answerThrough,
  casesOf,
  direct,
  expectedReply,
  fetchRequest,
  replyOf,
} from '../kit/adapter-cases.ts'

const worker: SetupWorker = setupWorker()

/** The adapters that are within a page. */
const adapters: readonly Adapter[] = [
  direct,
  {
    name: 'MSW in Chromium',
    async open(sandbox) {
      worker.resetHandlers(...createHandlers(sandbox))
      return {
        handle: async (request) => replyOf(await fetch(fetchRequest(request, location.origin))),
        close: async () => worker.resetHandlers(),
      }
    },
  },
]

beforeAll(async () => {
  await worker.start({ quiet: true })
})
afterAll(() => worker.stop())

describe.each(adapters)('$name', (adapter) => {
  it.each(casesOf(adapter.name))('handles $name', async (one) => {
    expect(await answerThrough(adapter, one)).toEqual(await expectedReply(one))
  })
})
