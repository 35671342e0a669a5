import { describe, expect, it } from 'vitest'
import { askedOf, wholeSuite } from '../../../src/checks/assumptions/observation.ts'
import { otherChoices } from '../../../src/checks/replay/choices.ts'
import { askedIn } from '../../../src/cli/check/suite.ts'
import { createSandbox } from '../../../src/mock/sandbox.ts'
import { defaultGaps } from '../../../src/mock/spec/gaps.ts'
import { requestOf } from '../../kit/send.ts'

describe('askedIn()', () => {
  it('takes every choice for one that may matter once the sandbox has forgotten its beginning', async () => {
    const [few, many] = [createSandbox(), createSandbox()]
    const large = requestOf({ json: 'x'.repeat(1_000_000), key: 'pro-key' })
    await few.handle(large)
    for (let sent = 0; sent < 9; sent++) await many.handle(large)
    const offered = otherChoices(defaultGaps)
    const askedOfFew = await askedIn('none', await askedOf(few, wholeSuite), [], offered)
    expect(askedOfFew.mattering.length).toBeLessThan(offered.length)
    const askedOfMany = await askedIn('none', await askedOf(many, wholeSuite), [], offered)
    expect(askedOfMany.mattering).toEqual(offered)
  })
})
