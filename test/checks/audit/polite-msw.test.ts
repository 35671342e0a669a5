import fc from 'fast-check'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createHandlers } from '../../../src/adapters/msw.ts'
import { inProcess } from '../../kit/client-adapters.ts'
import { sendByFetch } from '../../kit/fetch-adapter.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { movedTime } from '../../kit/polite-client.ts'
import { anyScene, expectNoComplaint, optionsOf, play } from '../../kit/polite-scenes.ts'
import {
  anyCircumstances,
  expectJustDeserts,
  rudenesses,
  rudeSandbox,
  turn,
} from '../../kit/rudenesses.ts'

describe('through MSW', () => {
  const server = setupServer()
  beforeAll(() => server.listen())
  afterAll(() => server.close())

  it('a polite client gets no error and no warning', async () => {
    await fc.assert(
      fc.asyncProperty(anyScene, async (scene) => {
        const sandbox = frozenSandbox(optionsOf(scene))
        server.resetHandlers(...createHandlers(sandbox))
        const stage = inProcess(sendByFetch(globalThis.fetch), movedTime(sandbox))
        await play(scene, sandbox, stage)
        await expectNoComplaint(sandbox)
      }),
      { numRuns: 25 },
    )
  })

  it.each(rudenesses)('a client gets just what it has earned when it $does', async (rudeness) => {
    await fc.assert(
      fc.asyncProperty(anyCircumstances, async (circumstances) => {
        const sandbox = await rudeSandbox(rudeness, circumstances)
        server.resetHandlers(...createHandlers(sandbox))
        const stage = { sandbox, send: sendByFetch(globalThis.fetch), rest: turn }
        await expectJustDeserts(rudeness, circumstances, stage)
      }),
      { numRuns: 2 },
    )
  })
})
