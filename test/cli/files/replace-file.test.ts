import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile } from '../../../src/cli/files/replace-file.ts'
import { testFolder } from '../../kit/cli-process.ts'

describe('replaceFile()', () => {
  it('writes through no link that stands where its predecessors wrote first', () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'victim'), 'mine')
    symlinkSync('victim', join(folder, `.state.json.${process.pid}.part`))
    replaceFile(join(folder, 'state.json'), 'state')
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('mine')
    expect(lstatSync(join(folder, 'state.json')).isFile()).toBe(true)
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('state')
  })
})
