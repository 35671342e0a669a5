import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJsonFile } from '../../../src/cli/files/read-json-file.ts'
import { InputError } from '../../../src/input/input-error.ts'
import { testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

/** Runs the program with a file as the value of an option. */
async function runWith(option: string, content: string | Buffer) {
  const cwd = testFolder()
  writeFileSync(join(cwd, 'file.json'), content)
  const { code, stdout, stderr } = await runMain(['--port', '0', option, 'file.json'], { cwd })
  return { code, stdout, stderr }
}

function arrays(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

const deepObject = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`

describe('readJsonFile()', () => {
  it.each([
    {
      form: 'arrays',
      option: '--seed-file',
      text: `{"pets":${arrays(5_000)}}`,
      reason: /^file\.json:1:10: Cannot set seed\.pets\[0\]: found an array of 1; /,
    },
    {
      form: 'more arrays',
      option: '--seed-file',
      text: `{"pets":${arrays(200_000)}}`,
      reason: /^file\.json:1:10: Cannot set seed\.pets\[0\]: found an array of 1; /,
    },
    {
      form: 'unclosed arrays',
      option: '--seed-file',
      text: `{"pets":${'['.repeat(200_000)}`,
      reason: /^file\.json: Cannot read the file: it is not valid JSON$/,
    },
    {
      form: 'arrays',
      option: '--config',
      text: `{"pets":${arrays(200_000)}}`,
      reason: /^file\.json:1:9: Cannot set pets: found an array of 1; /,
    },
    {
      form: 'unclosed arrays',
      option: '--config',
      text: '['.repeat(200_000),
      reason: /^file\.json: Cannot read the file: it is not valid JSON$/,
    },
    {
      form: 'objects',
      option: '--state',
      text: `{"petstoreSandbox":1,"sandboxes":{"a":{"settings":{"seed":${deepObject}}}}}`,
      reason: /^file\.json: Cannot /,
    },
  ])('refuses deeply nested $form in $option with one line', async ({ option, text, reason }) => {
    const { code, stdout, stderr } = await runWith(option, text)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.match(/\n/g)).toHaveLength(1)
    expect(stderr.replace('petstore-sandbox: ', '').trimEnd()).toMatch(reason)
  })

  it.each([
    { form: 'Latin-1', bytes: [0xfc, 0x22, 0x7d], at: '2:15', byte: '0xfc' },
    { form: 'half a character', bytes: [0xc5], at: '2:15', byte: '0xc5' },
    { form: 'a character too long', bytes: [0xc0, 0xaf, 0x22], at: '2:15', byte: '0xc0' },
    { form: 'half of a pair', bytes: [0xed, 0xa0, 0x80], at: '2:15', byte: '0xed' },
    {
      form: 'one after a mark of its own',
      bytes: [0xef, 0xbf, 0xbd, 0x80],
      at: '2:16',
      byte: '0x80',
    },
  ])('refuses a file that is not UTF-8, but $form, and says where', async ({ bytes, at, byte }) => {
    const content = Buffer.concat([Buffer.from('\ufeff{\n  "host": "Ż🐕'), Buffer.from(bytes)])
    for (const option of ['--config', '--seed-file', '--state']) {
      expect(await runWith(option, content)).toEqual({
        code: 1,
        stdout: '',
        stderr: `petstore-sandbox: file.json:${at}: Cannot read the file: found the byte ${byte}, which is not UTF-8; save the file as UTF-8\n`,
      })
    }
  })

  it('refuses UTF-16 at its first byte', async () => {
    const content = Buffer.from('\ufeff{}', 'utf16le')
    const { stderr } = await runWith('--config', content)
    expect(stderr).toContain('file.json:1:1: Cannot read the file: found the byte 0xff,')
  })

  it.each([
    { count: 260_000, place: ':260001:17' },
    { count: 400_000, place: '' },
  ])(
    'finds the place of a mistake after $count items, or leaves it out',
    async ({ count, place }) => {
      const item = JSON.stringify({ rule: 'x'.repeat(60), exchanges: [1, { a: 2 }] })
      const file = join(testFolder(), 'large.json')
      writeFileSync(
        file,
        `{"findings":[\n${`${item},\n`.repeat(count - 1)}{"rule": {"id": true}}]}`,
      )
      const refusing = (): never => {
        throw new InputError('Cannot use it', ['findings', count - 1, 'rule', 'id', 'there'])
      }
      await expect(readJsonFile(file, refusing)).rejects.toThrow(`${file}${place}: Cannot use it`)
    },
  )
})
