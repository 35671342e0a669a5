import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { failureTable, valueTable } from './clients/situations.ts'

const known = (file: string): string =>
  readFileSync(new URL(`clients/${file}`, import.meta.url), 'utf8')

describe('client libraries', () => {
  it('get the verdicts that docs/reference/popular-libraries.md has; --update writes them anew', {
    // What is played again on a busy machine is played one after the other.
    timeout: 300_000,
  }, async () => {
    await expect(await failureTable(known('libraries.md'))).toMatchFileSnapshot(
      'clients/libraries.md',
    )
  })

  it('wait at values of gaps as the same page says', async () => {
    await expect(await valueTable(known('values.md'))).toMatchFileSnapshot('clients/values.md')
  })
})
