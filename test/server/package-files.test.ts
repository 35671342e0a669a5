import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PackageFiles } from '../../src/server/console/package-files.ts'

describe('PackageFiles', () => {
  it('reads a file of the package, once', async () => {
    const files = new PackageFiles()
    const first = files.read('package.json')
    expect(files.read('package.json')).toBe(first)
    expect(String(await first)).toBe(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    )
  })

  it('looks again for one that is not there', async () => {
    const files = new PackageFiles()
    const first = files.read('dist/console/no-such-file')
    expect(await first).toBe(undefined)
    expect(files.read('dist/console/no-such-file')).not.toBe(first)
  })
})
