import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile, replaceFileByPieces } from '../../../src/cli/files/replace-file.ts'
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

describe('replaceFileByPieces()', () => {
  it('writes first where nobody can foretell it, for its owner alone', async () => {
    const folder = testFolder()
    const names: string[] = []
    const modes: number[] = []
    for (let round = 0; round < 2; round++) {
      const pieces = async function* (): AsyncGenerator<string> {
        const part = readdirSync(folder).find((name) => name.endsWith('.part')) ?? ''
        names.push(part)
        modes.push(lstatSync(join(folder, part)).mode & 0o777)
        yield 'state'
      }
      await replaceFileByPieces(join(folder, 'state.json'), pieces())
    }
    expect(names[0]).toMatch(new RegExp(`^\\.state\\.json\\.${process.pid}\\.[\\da-f]{16}\\.part$`))
    expect(names[1]).not.toBe(names[0])
    expect(modes).toEqual([0o600, 0o600])
    expect(readdirSync(folder)).toEqual(['state.json'])
    expect(lstatSync(join(folder, 'state.json')).mode & 0o777).toBe(0o600)
  })

  it('leaves the old file, and nothing beside it, when a piece cannot be made', async () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'state.json'), 'old')
    const pieces = function* (): Generator<string> {
      yield 'new'
      throw new RangeError('broken')
    }
    await expect(replaceFileByPieces(join(folder, 'state.json'), pieces())).rejects.toThrow(
      'broken',
    )
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['state.json'])
  })
})
