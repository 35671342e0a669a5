import { describe, expect, it } from 'vitest'
import { usageOf, wholeSuite } from '../../../../src/checks/assumptions/observation.ts'
import { otherValues } from '../../../../src/checks/replay/choices.ts'
import { usageIn } from '../../../../src/cli/check/suite.ts'
import { defaultGaps } from '../../../../src/mock/api/gaps.ts'
import { maxSteps } from '../../../../src/mock/log/recording.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

describe('usageIn()', () => {
  it('takes every choice for one that may matter once the sandbox has forgotten its beginning', async () => {
    const [few, many] = [createSandbox(), createSandbox()]
    const request = requestOf({ json: '{}', key: 'pro-key' })
    await few.handle(request)
    for (let sent = 0; sent <= maxSteps; sent++) await many.handle(request)
    const offered = otherValues(defaultGaps)
    const askedOfFew = await usageIn('none', await usageOf(few, wholeSuite), [], offered)
    expect(askedOfFew.relevantValues.length).toBeLessThan(offered.length)
    const askedOfMany = await usageIn('none', await usageOf(many, wholeSuite), [], offered)
    expect(askedOfMany.relevantValues).toEqual(offered)
  })
})
