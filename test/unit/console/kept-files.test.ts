import { describe, expect, it } from 'vitest'
import {
  type FileFound,
  fileOf,
  KeptFiles,
  readFile,
} from '../../../src/console/data/kept-files.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

describe('fileOf()', () => {
  it('tells what is in a snapshot and in a capture', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.advance('1s')
    await sandbox.handle(requestOf({}))
    const snapshot = JSON.stringify(sandbox.snapshot())
    expect(fileOf('a', snapshot)).toMatchObject({
      kind: 'snapshot',
      summary: '30 pets, 9 keys, 1 request',
    })
    const capture = JSON.stringify(await sandbox.capture())
    expect(fileOf('b', capture)).toMatchObject({ kind: 'capture', summary: '2 steps' })
  })

  it.each([
    ...['', '\0\u{1f4a9}', '['.repeat(1e5)].map((text) => ({
      text,
      says: 'Cannot read x: it is not valid JSON; use a snapshot or a capture',
    })),
    ...['null', '{}', '{"petstoreSandbox":"1"}'].map((text) => ({
      text,
      says: 'Cannot use x: it is neither a snapshot nor a capture',
    })),
  ])('says in a sentence what is wrong with $text', ({ text, says }) => {
    expect(() => fileOf('x', text)).toThrow(says)
  })

  it('takes a snapshot whose parts are none', () => {
    const text = '{"petstoreSandbox":1,"pets":[],"keys":7,"requests":{"list":"x"}}'
    expect(fileOf('x', text).summary).toBe('0 pets, 0 keys, 0 requests')
  })
})

describe('readFile()', () => {
  it('rejects a file that is too large without reading it', async () => {
    const file = new File(['{}'], 'large.json')
    Object.defineProperty(file, 'size', { value: 2 ** 40 })
    await expect(readFile(file)).rejects.toThrow(/^Cannot read large\.json: it is larger than 64/)
  })
})

describe('KeptFiles', () => {
  it('has no two of the same name', () => {
    const kept = new KeptFiles()
    const file = { name: 'a.snapshot.json', kind: 'snapshot', summary: '', text: '{}' } as const
    for (let count = 0; count < 3; count++) kept.add(file)
    const names = kept.list.value.map(({ name }) => name)
    expect(names[1]).toBe('a (2).snapshot.json')
    expect(names[2]).toBe('a (3).snapshot.json')
    kept.remove('a (3).snapshot.json')
    expect(kept.list.value).toHaveLength(2)
  })

  it('loads what an earlier page kept, and saves each change', async () => {
    const file = { kind: 'snapshot', summary: '', text: '{}' } as const
    let saved: readonly FileFound[] = [{ ...file, name: 'earlier' }]
    const storage = {
      load: async () => saved,
      async save(files: readonly FileFound[]) {
        saved = files
      },
    }
    const kept = new KeptFiles(storage)
    await expect.poll(() => kept.list.value).toHaveLength(1)
    kept.add({ ...file, name: 'new' })
    kept.remove('earlier')
    expect(saved.map(({ name }) => name)).toEqual(['new'])
  })
})
