import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gapTable } from '../../../src/cli/remote/show-gaps.ts'
import { gapDescriptions, gapNames, gaps } from '../../../src/mock/api/gaps.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { Cli, portIn, program, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'
import { sendMany } from '../../kit/send.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'

/** A file that takes nothing, as on a full disk. */
const fullFile = '/dev/full'

/** Starts the program with standard output on a full disk, and standard error there too if it is asked for. */
function startOnFullDisk(args: readonly string[], errors: 'read' | 'lost' = 'read') {
  const cwd = testFolder()
  const full = openSync(fullFile, 'w')
  const env = { PATH: process.env.PATH }
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env,
    stdio: ['ignore', full, errors === 'read' ? 'pipe' : full],
  })
  closeSync(full)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stderr }))
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { cwd, child, ended }
}

const fullDisk = 'petstore-sandbox: Cannot write to standard output: the disk is full'

describe.skipIf(!existsSync(fullFile))('guardOutput()', () => {
  it.each(['gaps', '--help'])(
    'fails with one line when %s is printed to a full disk',
    async (word) => {
      expect(await startOnFullDisk([word]).ended).toEqual({ code: 1, stderr: `${fullDisk}\n` })
    },
  )

  it('fails silently where nothing can be said either', async () => {
    expect(await startOnFullDisk(['gaps'], 'lost').ended).toEqual({ code: 1, stderr: '' })
  })

  it.each([
    { log: 'json', errors: 'read', stderr: `${fullDisk}; the log ends here\n` },
    { log: 'json', errors: 'lost', stderr: '' },
  ] as const)(
    'serves on without its $log log, standard error being $errors',
    async ({ log, errors, stderr }) => {
      const args = ['--port', '0', '--port-file', 'port.txt', '--log', log]
      const { cwd, child, ended } = startOnFullDisk(args, errors)
      const url = `http://127.0.0.1:${await portIn(join(cwd, 'port.txt'))}`
      for (let count = 0; count < 5; count++) await expectServing({ url })
      child.kill('SIGTERM')
      expect(await ended).toEqual({ code: 0, stderr })
    },
  )

  it('gives the exit code of the command of exec', async () => {
    const command = [process.execPath, '-e', 'fetch(process.env.PETSTORE_API_URL + "/pets")']
    const { code, stderr } = await startOnFullDisk(['exec', '--log', 'json', '--', ...command])
      .ended
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${fullDisk}; the log ends here\n`,
    })
  })
})

describe('gapTable()', () => {
  it('lists every gap with its clause, its choices and what it is about', async () => {
    const { code, stdout, stderr } = await runMain(['gaps', '--all'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^Gap +Spec +Values, the default first +What is left open$/)
    expect(rows.map((row) => /^\w+/.exec(row)?.[0])).toEqual(gapNames)
    gapNames.forEach((name, index) => {
      const { spec } = gaps[name]
      const { summary } = gapDescriptions[name]
      expect(rows[index]).toContain(` ${spec} `)
      expect(rows[index]).toMatch(
        new RegExp(` ${summary.replaceAll(/[.()+*?{}[\]^$|\\/]/g, '\\$&')}$`),
      )
    })
    expect(stdout).toMatch(
      /^retryAfterFormat +8 +seconds, http-date, milliseconds, fraction, unix-time {2}/m,
    )
    expect(stdout).toMatch(/^banDuration +8 +5m, any duration {2}/m)
  })

  it('has what is left open below the names where a terminal is too narrow', () => {
    const lines = gapTable(80).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual(gapNames)
    expect(gapTable(80)).toContain(`emptyName
   accept, reject
   A new pet with an empty name. Spec 2.
`)
    expect(gapTable(500)).toBe(gapTable())
  })

  it('minds no reader that leaves after the first line', async () => {
    const cli = new Cli(['gaps'])
    cli.process.stdout.destroy()
    expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a long list', () => {
  it.each([
    { line: 'gaps', rest: /^\d+ more lines; --all prints them$/m },
    { line: 'pets', rest: /^\d+ more lines; --all prints them$/m },
    {
      line: 'requests',
      rest: /^The latest \d+ of 100; --all prints all, --limit N the latest N$/m,
    },
  ])('is cut at 4 KB, and says how to get the rest: $line', async ({ line, rest }) => {
    const { url, sandbox } = await testServer({ sandbox: createSandbox({ coverage: true }) })
    sandbox.pets.create(Array.from({ length: 300 }, () => ({ name: 'Rex', categoryId: 1 })))
    await sendMany(sandbox, 100)
    const { stdout } = await runMain([line, '--url', url])
    expect(stdout).toMatch(rest)
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(4_096)
    const { stdout: whole } = await runMain([line, '--all', '--url', url])
    expect(whole).not.toMatch(rest)
    expect(whole.length).toBeGreaterThan(4_096)
  })
})
