import fc from 'fast-check'
import { describe, it } from 'vitest'
import { createFetchHandler } from '../../../../src/adapters/fetch.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { sendDirectly } from '../../../kit/client-adapters.ts'
import { draws } from '../../../kit/draws.ts'
import { sendByFetch } from '../../../kit/fetch-adapter.ts'
import type { Send } from '../../../kit/polite-client.ts'
import {
  anyCircumstances,
  expectJustDeserts,
  rudenesses,
  rudeSandbox,
  turn,
} from '../../../kit/rudenesses.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const adapters: Readonly<Record<string, (sandbox: Sandbox) => Send>> = {
  direct: sendDirectly,
  Fetch: (sandbox) => sendByFetch(createFetchHandler(sandbox)),
}

describe.each(Object.entries(adapters))('a client that breaks one manner, %s', (_, open) => {
  it.each(rudenesses)('gets just what it has earned when it $does', async (rudeness) => {
    const sometimes = new Sometimes('another client', 'another gap')
    await fc.assert(
      fc.asyncProperty(anyCircumstances, async (circumstances) => {
        const sandbox = await rudeSandbox(rudeness, circumstances)
        const stage = { sandbox, send: open(sandbox), rest: turn }
        await expectJustDeserts(rudeness, circumstances, stage)
        sometimes.meet({
          'another client': circumstances.names.length > 0,
          'another gap': Object.keys(circumstances.gaps).length > 0,
        })
      }),
      { numRuns: draws(5) },
    )
    sometimes.expectAllMet()
  })
})
