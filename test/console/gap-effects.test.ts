import { expect, it } from 'vitest'
import { gapEffect } from '../../src/console/model/situations/gap-effects.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

it('says which choices at a gap would have mattered, to how many requests, and from which on', async () => {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  await sandbox.handle(requestOf({ url: '/v1/pets/nope' }))
  const found = await sandbox.counterfactual({ count: true })
  expect(gapEffect(found, 'invalidPetId')).toEqual({
    kind: 'matters',
    text: 'matters, of 2 requests: bad-request to 1, from request 2 on',
  })
  expect(gapEffect(found, 'nullStatus')).toEqual({
    kind: 'no-difference',
    text: 'no difference in 2 requests',
  })
})
