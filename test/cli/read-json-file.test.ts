import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli, testFolder } from './cli-process.ts'

/** Runs the program with a file as the value of an option. */
async function runWith(option: string, content: string | Buffer) {
  const cwd = testFolder()
  writeFileSync(join(cwd, 'file.json'), content)
  const { code, stdout, stderr } = await runCli(['--port', '0', option, 'file.json'], { cwd })
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
      reason: /^file\.json: pets\[0\]: Cannot .*found an array of 1; /,
    },
    {
      form: 'more arrays',
      option: '--seed-file',
      text: `{"pets":${arrays(200_000)}}`,
      reason: /^file\.json: pets\[0\]: Cannot .*found an array of 1; /,
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
      reason: /^file\.json: Cannot set pets: found an array of 1; /,
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
  ])(
    'refuses deeply nested $form in $option with one line without the place',
    async ({ option, text, reason }) => {
      const { code, stdout, stderr } = await runWith(option, text)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr.match(/\n/g)).toHaveLength(1)
      expect(stderr.replace('petstore-sandbox: ', '').trimEnd()).toMatch(reason)
    },
  )
})
