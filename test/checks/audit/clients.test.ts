import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientTable } from './clients/situations.ts'

const known = readFileSync(new URL('clients/libraries.md', import.meta.url), 'utf8')

describe('client libraries', () => {
  it('get the verdicts that docs/reference/popular-libraries.md has; --update writes them anew', {
    // What is played again on a busy machine is played one after the other.
    timeout: 300_000,
  }, async () => {
    await expect(await clientTable(known)).toMatchFileSnapshot('clients/libraries.md')
  })
})
