import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJsonFile } from '../../../src/cli/files/read-json-file.ts'
import { runCli, testFolder } from '../../kit/cli-process.ts'

/** A folder with what is no file to read, or too large. */
function oddFiles(): string {
  const folder = testFolder()
  spawnSync('mkfifo', [join(folder, 'pipe')])
  mkdirSync(join(folder, 'folder'))
  symlinkSync('loop', join(folder, 'loop'))
  writeFileSync(join(folder, 'large'), '')
  // It takes no room on the disk.
  truncateSync(join(folder, 'large'), 2 ** 26 + 1)
  return folder
}

const odd = [
  { file: 'pipe', why: 'it is not a regular file' },
  { file: '/dev/zero', why: 'it is not a regular file' },
  { file: 'folder', why: 'it is a folder' },
  { file: 'loop', why: 'it is a link to itself' },
  { file: 'none', why: 'it does not exist' },
  { file: 'large', why: 'it has 65 MiB; use at most 64 MiB' },
]

describe('readJsonFile()', () => {
  it.each(odd)('reads nothing of $file, and says why', async ({ file, why }) => {
    const path = file.startsWith('/') ? file : join(oddFiles(), file)
    await expect(readJsonFile(path, String)).rejects.toThrow(`Cannot read ${path}: ${why}`)
  })
})

describe('petstore-sandbox', () => {
  it.each([
    { option: '--seed-file', file: 'pipe' },
    { option: '--seed-file', file: '/dev/zero' },
    { option: '--seed-file', file: 'large' },
    { option: '--config', file: 'pipe' },
    { option: '--config', file: '/dev/zero' },
    { option: '--state', file: 'pipe' },
    { option: '--state', file: '/dev/zero' },
  ])('ends with one line for $option $file', async ({ option, file }) => {
    const { code, stdout, stderr } = await runCli(['--port', '0', option, file], {
      cwd: oddFiles(),
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^petstore-sandbox: Cannot (?:read|keep the state in) .*: it .*\n$/)
  })
})
