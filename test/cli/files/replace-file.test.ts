import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile } from '../../../src/cli/files/replace-file.ts'
import { testFolder } from '../../kit/cli-process.ts'

/** Where a file is written before it takes its place; anybody can foretell the name. */
function partOf(folder: string): string {
  return join(folder, `.state.json.${process.pid}.part`)
}

describe('replaceFile()', () => {
  it('writes through no link that stands where it writes first', () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'victim'), 'mine')
    symlinkSync('victim', partOf(folder))
    replaceFile(join(folder, 'state.json'), 'state')
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('mine')
    expect(lstatSync(join(folder, 'state.json')).isFile()).toBe(true)
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('state')
  })

  it('takes over no permissions of a file that stands where it writes first', () => {
    const folder = testFolder()
    writeFileSync(partOf(folder), 'planted')
    chmodSync(partOf(folder), 0o666)
    replaceFile(join(folder, 'state.json'), 'state')
    expect(lstatSync(join(folder, 'state.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['state.json'])
  })
})
