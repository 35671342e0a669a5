import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { execLine } from '../../../src/cli/explore/exec-line.ts'

describe('execLine()', () => {
  it('writes a line that a shell takes apart again', () => {
    const words = ['npx', 'vitest', '--outputFile=out/{row}.xml', "it's $HOME", '', 'a;b', '*']
    const options = { clock: '2030-12-04', frozen: 'true', 'seed-file': 'my pets.json' }
    const row = [
      { gap: 'banStatus', choice: 403 },
      { gap: 'banDuration', choice: 600_000 },
    ] as const
    const line = execLine({ options, words }, row)
    const script = line.replace(/^petstore-sandbox/, "printf '%s\\n'")
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')).toEqual([
      'exec',
      ...['--clock', '2030-12-04', '--frozen', '--seed-file', 'my pets.json'],
      ...['--gap', 'banStatus=403', '--gap', 'banDuration=10m', '--'],
      ...['npx', 'vitest', '--outputFile=out/0.xml', "it's $HOME", '', 'a;b', '*'],
      '',
    ])
  })

  it('keeps control characters of a word, without any in the line', () => {
    const words = ['node', "it's\n\tnew\\line\r", '\u001b[31m\u007f\u0085é', '\n']
    const line = execLine({ options: {}, words }, [])
    expect(line).not.toMatch(/\p{Cc}/u)
    expect(line).toContain(String.raw`$'it\'s\n\tnew\\line\r'`)
    const script = line.replace(/^petstore-sandbox/, "printf '%s\\0'")
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } } as const
    expect(execFileSync('bash', ['-c', script], options).split('\0')).toEqual([
      ...['exec', '--'],
      ...words,
      '',
    ])
  })
})
