import { describe, expect, it } from 'vitest'
import { reasonOf } from '../../../src/console/model/entry-text.ts'
import type { GapSettings } from '../../../src/mock/api/gaps.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

describe('reasonOf()', () => {
  // K4: it is what the engine did, not what a page reads from the address.
  it.each<{ url: string; text: string; gaps?: GapSettings }>([
    { url: '/v1/pets', text: '20 of 30 pets' },
    { url: '/v1/pets?limit=%35', text: '5 of 30 pets' },
    { url: '/v1/pets?limit=0', gaps: { invalidQuery: 'ignore' }, text: '1 of 30 pets' },
    { url: '/v1/pets?limit=1e1', gaps: { invalidQuery: 'ignore' }, text: '20 of 30 pets' },
    { url: '/v1/pets?limit=2&limit=7', gaps: { duplicateQuery: 'last' }, text: '7 of 30 pets' },
    { url: '/v1/pets?limit=100', text: '30 pets' },
    // K18
    { url: '/v1/pets/1', text: 'Found the pet' },
  ])('is "$text" for $url', async ({ url, text, gaps = {} }) => {
    const sandbox = frozenSandbox()
    sandbox.setGaps(gaps)
    await sandbox.handle(requestOf({ url }))
    const [entry] = sandbox.requests.list()
    expect(entry && reasonOf(entry, 'free-key')).toMatchObject({ text })
  })
})
