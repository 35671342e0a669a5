import { describe, expect, it } from 'vitest'
import { clientTable } from './clients/situations.ts'

describe('client libraries', () => {
  // Again, since a busy machine may keep a client waiting that wouldn't wait by itself.
  it('get the verdicts that docs/audit-clients.md has; --update writes them anew', {
    timeout: 60_000,
    retry: 3,
  }, async () => {
    await expect(await clientTable()).toMatchFileSnapshot('clients/libraries.md')
  })
})
