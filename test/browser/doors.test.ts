import { type SetupWorker, setupWorker } from 'msw/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandlers } from '../../src/adapters/msw.ts'
import {
  answerThrough,
  type Door,
  direct,
  doorCases,
  fetchRequest,
  fits,
  recordedReply,
  replyOf,
} from '../kit/doors-cases.ts'

const worker: SetupWorker = setupWorker()

/** The doors that are within a page. */
const doors: readonly Door[] = [
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

describe.each(doors)('$name', (door) => {
  it.each(doorCases.filter((one) => fits(one, door.name)))('answers $name', async (one) => {
    expect(await answerThrough(door, one)).toEqual(recordedReply(one))
  })
})
