import fc from 'fast-check'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { createHandlers } from '../../../../src/adapters/msw.ts'
import { inProcess } from '../../../kit/client-adapters.ts'
import { draws } from '../../../kit/draws.ts'
import { sendByFetch } from '../../../kit/fetch-adapter.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { movedTime } from '../../../kit/polite-client.ts'
import { anyScene, expectNoComplaint, optionsOf, play } from '../../../kit/polite-scenes.ts'
import {
  anyCircumstances,
  expectJustDeserts,
  rudenesses,
  rudeSandbox,
  turn,
} from '../../../kit/rudenesses.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'

const seed = inject('testSeed')

describe('through MSW', () => {
  const server = setupServer()
  beforeAll(() => server.listen())
  afterAll(() => server.close())

  it('a polite client gets no error and no warning', async () => {
    const sometimes = new Sometimes('a cut body')
    await fc.assert(
      fc.asyncProperty(anyScene, async (scene) => {
        const sandbox = frozenSandbox(optionsOf(scene))
        server.resetHandlers(...createHandlers(sandbox))
        const stage = inProcess(sendByFetch(globalThis.fetch), movedTime(sandbox))
        await play({ ...scene, hasFaults: true }, sandbox, stage)
        await expectNoComplaint(sandbox)
        sometimes.meet(metIn(sandbox))
      }),
      { numRuns: draws(5) },
    )
    sometimes.expectAllMet()
  })

  it.each(rudenesses)('a client gets just what it has earned when it $does', async (rudeness) => {
    for (const circumstances of fc.sample(anyCircumstances, { numRuns: draws(1), seed })) {
      const sandbox = await rudeSandbox(rudeness, circumstances)
      server.resetHandlers(...createHandlers(sandbox))
      const stage = { sandbox, send: sendByFetch(globalThis.fetch), rest: turn }
      await expectJustDeserts(rudeness, circumstances, stage, { seed, circumstances })
    }
  })
})
