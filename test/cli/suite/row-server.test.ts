import { describe, expect, it, onTestFinished } from 'vitest'
import { readServeSettings } from '../../../src/cli/serve/serve-settings.ts'
import { RowServer } from '../../../src/cli/suite/row-server.ts'
import { defaultGaps } from '../../../src/contract/gaps.ts'
import { otherChoices } from '../../../src/explore/choices.ts'
import { requestOf } from '../../kit/send.ts'

describe('RowServer', () => {
  it('takes every choice for one that may matter once the sandbox has forgotten its beginning', async () => {
    const server = await RowServer.start(await readServeSettings({}, {}))
    onTestFinished(() => server.stop())
    const [few, many] = [server.open('few', []), server.open('many', [])]
    const large = requestOf({ json: 'x'.repeat(1_000_000), key: 'pro-key' })
    await few.sandbox.handle(large)
    for (let sent = 0; sent < 9; sent++) await many.sandbox.handle(large)
    const offered = otherChoices(defaultGaps)
    expect((await server.close(few, [], offered)).mattering.length).toBeLessThan(offered.length)
    expect((await server.close(many, [], offered)).mattering).toEqual(offered)
  })
})
