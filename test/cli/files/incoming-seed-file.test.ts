import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readIncomingSeed } from '../../../src/cli/files/incoming-seed-file.ts'
import { CliError } from '../../../src/cli/terminal/cli-error.ts'
import { testFolder } from '../../kit/cli-process.ts'
import { boundsWhere } from './bounds-where.ts'

/** Makes a file with a key of some plan. */
function keyFile(plan: string): string {
  const file = join(testFolder(), 'seed.json')
  writeFileSync(file, JSON.stringify({ keys: [{ key: 'mine', plan }] }))
  return file
}

describe('readIncomingSeed()', () => {
  it('says that a file is gone when it goes before something wrong in it is found', async () => {
    const file = keyFile('gold')
    const bounds = boundsWhere(() => rmSync(file))
    await expect(readIncomingSeed(file, bounds)).rejects.toThrow(
      new CliError(`Cannot read ${file}: it does not exist`, 1),
    )
  })

  it('says what keeps a file from being read that can be read a moment later', async () => {
    const file = keyFile('free')
    const bounds = boundsWhere(() => {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    })
    await expect(readIncomingSeed(file, bounds)).rejects.toThrow(
      new CliError(`Cannot read ${file}: EIO: i/o error, read`, 1),
    )
  })
})
