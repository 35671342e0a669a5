import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../../../src/cli/check/commands.ts'
import {
  errorText,
  failureOf,
  firstFailureText,
  isOfRunner,
  suiteEnd,
} from '../../../../src/cli/check/suite-end.ts'
import { endedRun } from '../../../kit/run-condition.ts'

const folder = new URL('dumps/', import.meta.url)

/** Errors that ended a process, by the file with its standard error. */
const errors: Readonly<Record<string, string>> = {
  'axios-printed.txt': 'AxiosError: Request failed with status code 503',
  'axios.txt': 'AxiosError: Request failed with status code 503',
  'go-fatal.txt': '2026/11/28 23:41:07 Cannot list pets: status 503',
  'go-panic.txt': 'panic: Get "http://127.0.0.1:7999/v1/pets": EOF',
  'got.txt':
    'HTTPError: Request failed with status code 503 (Service Unavailable): GET http://127.0.0.1:7999/v1/pets',
  'java.txt':
    'java.io.IOException: Server returned HTTP response code: 503 for URL: http://127.0.0.1:7999/v1/pets',
  'npm.txt': 'curl: (22) The requested URL returned error: 503',
  'python-chained.txt': 'RuntimeError: no pets',
  'python.txt': 'urllib.error.HTTPError: HTTP Error 503: Service Unavailable',
  'undici.txt': 'TypeError: fetch failed',
}

describe('errorText()', () => {
  it.each(readdirSync(folder))('names the error, and no property of it: %s', (file) => {
    const errorOutput = readFileSync(new URL(file, folder), 'utf8')
    expect(errorText({ errorOutput, code: 1 })).toBe(errors[file])
  })

  it('names the exit code of a command that prints nothing', () => {
    expect(errorText({ errorOutput: '', code: 3 })).toBe('exit code 3')
  })
})

describe('isOfRunner()', () => {
  it.each([
    { runner: 'node:test', line: 'ℹ tests 5' },
    { runner: 'node:test, TAP', line: '# tests 5' },
    { runner: 'Jest', line: 'Tests:       1 passed, 1 total' },
    { runner: 'Vitest', line: '      Tests  1 passed (1)' },
    { runner: 'Mocha', line: '  3 passing (10ms)' },
    { runner: 'pytest', line: '===== 3 passed in 0.12s =====' },
    { runner: 'unittest', line: 'Ran 3 tests in 0.001s' },
    { runner: 'Playwright', line: '  3 passed (5.1s)' },
    { runner: 'Go', line: 'ok  \tshop/pets\t0.312s' },
    { runner: 'Maven', line: '[INFO] Tests run: 3, Failures: 0' },
    { runner: 'RSpec', line: '3 examples, 0 failures' },
    { runner: 'Cargo', line: 'test result: ok. 3 passed' },
    { runner: 'PHPUnit', line: 'OK (3 tests, 7 assertions)' },
    { runner: 'dotnet', line: 'Passed!  - Failed:     0, Passed:     3' },
  ])('knows $runner', ({ line }) => {
    expect(isOfRunner(`something\n${line}\n`)).toBe(true)
  })

  it.each(['', '20 pets', 'GET /pets 200', 'done', 'Added the pet 31'])('not "%s"', (output) => {
    expect(isOfRunner(output)).toBe(false)
  })
})

/** What Node prints at the end of a process that nothing caught an exception in. */
const uncaught = (error: string): string =>
  `/app/suite.js:3\n    Error.captureStackTrace(err);\n          ^\n\n${error}\n    at parse (suite.js:3:1)\n\nNode.js v24.1.0\n`

const python =
  'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nError: 503\n'

describe('suiteEnd()', () => {
  const ends: readonly {
    readonly command: Partial<CommandResult>
    readonly isRunner?: boolean
    readonly kind: string
    readonly text: string
  }[] = [
    {
      command: { code: 139, signal: 'SIGSEGV' },
      kind: 'signal',
      text: 'the suite crashes by SIGSEGV',
    },
    // As many tests have failed, says Mocha.
    { command: { code: 140 }, kind: 'red', text: 'the suite fails, with exit code 140' },
    {
      command: { code: 1, output: uncaught('SyntaxError: Unexpected token') },
      kind: 'uncaught',
      text: 'the suite ends with an uncaught SyntaxError: Unexpected token',
    },
    {
      command: { code: 1, output: '⎯ Unhandled Rejection ⎯\nTypeError: fetch failed\n at x' },
      kind: 'uncaught',
      text: 'the suite ends with an uncaught TypeError: fetch failed',
    },
    {
      command: { code: 1, output: uncaught('AssertionError [ERR_ASSERTION]: 1 !== 2') },
      kind: 'red',
      text: 'the suite fails, with exit code 1',
    },
    {
      command: { code: 1, errorOutput: uncaught('Error: 503') },
      isRunner: false,
      kind: 'error',
      text: 'the script ends with an error: Error: 503',
    },
    {
      command: { code: 1, errorOutput: python },
      isRunner: false,
      kind: 'error',
      text: 'the script ends with an error: Error: 503',
    },
    {
      command: { code: 143, end: 'too slow', ms: 12_300 },
      kind: 'slow',
      text: 'the suite was still running after 12 s, and was ended',
    },
  ]
  it.each(ends)('is $kind after $command', ({ command, isRunner = true, kind, text }) => {
    const run = endedRun(command)
    expect(suiteEnd([run], { tests: 0, isRunner })).toMatchObject({ kind, text })
  })

  it('is that of the worst of several runs', () => {
    const runs = [endedRun({ code: 1 }), endedRun({ code: 0 })] as const
    expect(suiteEnd(runs, { tests: 0, isRunner: true })).toMatchObject({
      kind: 'red',
      text: '1 of 2 runs does not pass: the suite fails, with exit code 1',
    })
  })
})

describe('failureOf()', () => {
  it.each([
    {
      output: "not ok 1 - lists pets\n  ---\n  error: 'no response'\n",
      failure: { test: 'lists pets', message: 'no response' },
    },
    { output: '✖ lists pets (3ms)\n  Error: 503\n      at x', failure: { message: 'Error: 503' } },
    {
      output: '✖ lists (3ms)\n  [TimeoutError: The operation was aborted]',
      failure: { message: 'TimeoutError: The operation was aborted' },
    },
    {
      output: 'E   httpx.HTTPStatusError: 503\n',
      failure: { message: 'httpx.HTTPStatusError: 503' },
    },
  ])('reads $output', ({ output, failure }) => {
    expect(failureOf(endedRun({ code: 1, output }))).toEqual(failure)
  })
})

describe('firstFailureText()', () => {
  const message = `Unable to find a label\u0020${'<div>'.repeat(800)}`

  it('shows the beginning of a long message, and where the rest is', () => {
    const text = firstFailureText({ test: 'shows pets', message, report: 'out/5.xml' }, 'lost.txt')
    expect(text).toMatch(/^shows pets \(Unable to find a label <div>.*…\), in out\/5\.xml$/)
    expect(text.length).toBeLessThan(170)
    expect(firstFailureText({ message }, 'lost.txt')).toMatch(/…, in lost\.txt$/)
    expect(firstFailureText({ message: 'short' }, 'lost.txt')).toBe('short')
  })
})
