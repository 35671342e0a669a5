import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { portIn, program, testFolder } from '../../kit/cli-process.ts'
import { expectServing } from '../../kit/test-server.ts'

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
  it.each(['gaps', 'openapi', 'completion', '--help', '--version'])(
    'fails with one line when %s is printed to a full disk',
    async (word) => {
      expect(await startOnFullDisk([word]).ended).toEqual({ code: 1, stderr: `${fullDisk}\n` })
    },
  )

  it('fails silently where nothing can be said either', async () => {
    expect(await startOnFullDisk(['gaps'], 'lost').ended).toEqual({ code: 1, stderr: '' })
  })

  it.each([
    { log: 'pretty', errors: 'read', stderr: `${fullDisk}; the log ends here\n` },
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
    const command = [process.execPath, '-e', 'fetch(process.env.PETSTORE_URL + "/pets")']
    const { code, stderr } = await startOnFullDisk(['exec', '--log', 'json', '--', ...command])
      .ended
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${fullDisk}; the log ends here\n`,
    })
  })
})
