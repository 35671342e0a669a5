import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommandLine } from '../../../src/cli/main.ts'
import { runMain } from '../../kit/run-main.ts'

/** Parses a line of words that is wrong; gives what is thrown, cut where it lists very much, and no usual exit code. */
async function rejectionOf(line: string): Promise<string> {
  try {
    await runCommandLine(line.split(' '))
    return 'It runs'
  } catch (thrown) {
    const { message, exitCode = 2 } = thrown as Error & { exitCode?: number }
    const text = message.length > 200 ? `${message.slice(0, 200)}...` : message
    return exitCode === 2 ? text : `${text} (exit code ${exitCode})`
  }
}

describe('wrong usage', () => {
  // A new line to try goes into the file, after a dollar sign; `--update` writes what it says.
  it('is rejected with exit code 2, in the words that were last looked through', async () => {
    vi.stubEnv('PETSTORE_SANDBOX_URL', 'http://127.0.0.1:1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const file = readFileSync(new URL('wrong-usage.txt', import.meta.url), 'utf8')
    let said = ''
    for (const [, line = ''] of file.matchAll(/^\$ (.*)$/gm)) {
      said += `$ ${line}\n${await rejectionOf(line)}\n`
    }
    await expect(said).toMatchFileSnapshot('wrong-usage.txt')
  })

  it.each([
    { args: ['--prot', '1'], code: 2 },
    { args: ['--port', 'x'], code: 2 },
    { args: ['--host', 'a\nb\u001b[31m', '--port', '0'], code: 1 },
  ])('ends the program with $code and one line: $args', async ({ args, code }) => {
    const result = await runMain(args)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toMatch(/^petstore-sandbox: Cannot [^\n]*\n$/)
    expect(result.stderr).not.toContain('\u001b')
  })
})
