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

  const alive = { parent: () => 7, npm: () => 5, isAlive: () => true }

  it.each([
    { event: 'start', isTold: true },
    { event: 'npx', isTold: true },
    { event: 'test', isTold: false },
    { event: undefined, isTold: false },
  ])('tells a process of npm $event so: $isTold', async ({ event, isTold }) => {
    const told = vi.fn()
    const parents = [7, 7, 1]
    const above = { ...alive, parent: (): number => parents.shift() ?? 1 }
    void parentGone({ npm_lifecycle_event: event }, above).then(told)
    await vi.advanceTimersByTimeAsync(900)
    expect(told).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toHaveBeenCalledTimes(isTold ? 1 : 0)
  })

  it('tells it too when npm ends, and the shell below it does not', async () => {
    const told = vi.fn()
    const running = new Set([5, 7])
    const above = { ...alive, isAlive: (id: number) => running.has(id) }
    void parentGone({ npm_lifecycle_event: 'start' }, above).then(told)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).not.toHaveBeenCalled()
    running.delete(5)
    await vi.advanceTimersByTimeAsync(500)
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('goes by the parent alone where no npm is to be seen', async () => {
    const told = vi.fn()
    const above = { ...alive, npm: () => undefined, isAlive: () => false }
    void parentGone({ npm_lifecycle_event: 'start' }, above).then(told)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).not.toHaveBeenCalled()
  })
})

/** Calls itself npm, runs a shell that runs the words given, and says the shell's id. */
const asNpm = `
process.title = 'npm start'
const words = ['-c', '"$0" "$@" & wait', ...process.argv.slice(1)]
const shell = require('node:child_process').spawn('sh', words, { stdio: ['ignore', 'inherit', 'inherit'] })
shell.on('exit', () => {})
`

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

  it('stops gracefully when npm start is killed, though its shell lives on', async () => {
    const cwd = testFolder()
    const words = [program, '--port', '0', '--port-file', 'port.txt', '--state', 'state.json']
    const npm = spawn(process.execPath, ['-e', asNpm, process.execPath, ...words], {
      cwd,
      env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
    })
    npm.stdout.resume()
    npm.stderr.resume()
    const closed = once(npm, 'close')
    await portIn(join(cwd, 'port.txt'))
    npm.kill('SIGKILL')
    await closed
    expect(existsSync(join(cwd, 'state.json'))).toBe(true)
  })
})
