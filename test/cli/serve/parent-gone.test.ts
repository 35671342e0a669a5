import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parentGone } from '../../../src/cli/serve/parent-gone.ts'
import { portIn, program, testFolder } from '../../kit/cli-process.ts'

describe('parentGone()', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([
    { event: 'start', isTold: true },
    { event: 'npx', isTold: true },
    { event: 'test', isTold: false },
    { event: undefined, isTold: false },
  ])('tells a process of npm $event so: $isTold', async ({ event, isTold }) => {
    const told = vi.fn()
    const parents = [7, 7, 1]
    const readParent = (): number => parents.shift() ?? 1
    void parentGone({ npm_lifecycle_event: event }, readParent).then(told)
    await vi.advanceTimersByTimeAsync(900)
    expect(told).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toHaveBeenCalledTimes(isTold ? 1 : 0)
  })
})

describe('serve()', () => {
  it.each(['start', 'npx'])('stops gracefully when npm %s has gone', async (event) => {
    const cwd = testFolder()
    const words = [program, '--port', '0', '--port-file', 'port.txt', '--state', 'state.json']
    const shell = spawn('sh', ['-c', '"$0" "$@" & wait', process.execPath, ...words], {
      cwd,
      env: { PATH: process.env.PATH, npm_lifecycle_event: event },
    })
    let stderr = ''
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    shell.stdout.resume()
    await portIn(join(cwd, 'port.txt'))
    shell.kill('SIGTERM')
    // The pipes close with the server, which outlives the shell.
    await once(shell, 'close')
    expect(stderr).toBe('')
    expect(existsSync(join(cwd, 'state.json'))).toBe(true)
  })
})
