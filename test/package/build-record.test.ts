import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { BuildRecord } from '../../build/build-record.ts'
import { testFolder } from '../kit/cli-process.ts'

const files = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vite.config.ts',
  'vite.cli.config.ts',
  'vite.console.config.ts',
  'fixtures/pets.json',
  'fixtures/keys.json',
  'build/build.ts',
  'src/index.ts',
  'src/state/pets.ts',
  'dist/index.js',
  'dist/types/index.d.ts',
]

/** A project that has been built. */
function builtProject() {
  const root = testFolder()
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), `This is ${file}`)
  }
  const record = new BuildRecord(root)
  record.write(record.input())
  return { root, record }
}

describe('BuildRecord', () => {
  it('knows what is built from these sources, whenever they were written', () => {
    const { root, record } = builtProject()
    expect(record.isFresh()).toBe(true)
    utimesSync(join(root, 'src/index.ts'), new Date(), new Date())
    expect(new BuildRecord(root).isFresh()).toBe(true)
  })

  it.each(files)('finds a change of %s', (file) => {
    const { root, record } = builtProject()
    writeFileSync(join(root, file), `This was ${file}`)
    expect(record.isFresh()).toBe(false)
    writeFileSync(join(root, file), `This is ${file}`)
    expect(record.isFresh()).toBe(true)
  })

  it.each(['src/new.ts', 'dist/new.js'])('finds that %s has come', (file) => {
    const { root, record } = builtProject()
    writeFileSync(join(root, file), '')
    expect(record.isFresh()).toBe(false)
  })

  it.each(['src/state/pets.ts', 'dist/index.js', 'dist'])('finds that %s has gone', (file) => {
    const { root, record } = builtProject()
    rmSync(join(root, file), { recursive: true })
    expect(record.isFresh()).toBe(false)
  })

  it('finds another name, and another kind of build', () => {
    const { root, record } = builtProject()
    vi.stubEnv('NODE_ENV', 'development')
    expect(record.isFresh()).toBe(false)
    vi.unstubAllEnvs()
    renameSync(join(root, 'src/index.ts'), join(root, 'src/main.ts'))
    expect(record.isFresh()).toBe(false)
  })

  it('knows nothing of a build before the first one, nor while one is under way', () => {
    const { root, record } = builtProject()
    record.clear()
    expect([record.isFresh(), new BuildRecord(join(root, 'none')).isFresh()]).toEqual([
      false,
      false,
    ])
  })

  it('has a change that comes while it builds built again', () => {
    const { root, record } = builtProject()
    const input = record.input()
    writeFileSync(join(root, 'src/index.ts'), 'This is later')
    record.write(input)
    expect(record.isFresh()).toBe(false)
  })
})
