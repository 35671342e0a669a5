import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli, serveCli, testFolder } from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'

/** Lists pets with a key that nobody knows but its sandbox, and ends with 3. */
const script = `
  const keys = process.env.PETSTORE_CONTROL_URL + '/keys'
  const body = '{"plan":"free","key":"secret-key"}'
  const made = fetch(keys, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const headers = { authorization: 'Bearer secret-key' }
  made.then(() => fetch(process.env.PETSTORE_API_URL + '/pets', { headers })).then(() => process.exit(3))`

describe('--capture', () => {
  it('has exec write what its command did, whatever becomes of that', async () => {
    const cwd = testFolder()
    const words = ['exec', '--capture', 'a.json', '--', process.execPath, '-e', script]
    expect(await runCli(words, { cwd })).toEqual({ code: 3, stdout: '', stderr: '' })
    const text = readFileSync(join(cwd, 'a.json'), 'utf8')
    expect(text).not.toContain('secret')
    const { steps } = JSON.parse(text)
    expect(steps).toMatchObject([
      { name: 'keys.issue' },
      { request: { url: '/v1/pets' }, outcome: { status: 200 } },
    ])
    expect(await runMain(['replay', 'a.json'], { cwd })).toMatchObject({ code: 0 })
  })

  it('has serve write what was done when it is told to stop', async () => {
    const cwd = testFolder()
    const { cli, url } = await serveCli(['--capture', 'a.json'], { cwd })
    await fetch(`${url}/v1/pets/1`)
    expect(existsSync(join(cwd, 'a.json'))).toBe(false)
    expect(await cli.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
    const { steps } = JSON.parse(readFileSync(join(cwd, 'a.json'), 'utf8'))
    expect(steps).toMatchObject([{ request: { url: '/v1/pets/1' }, outcome: { status: 401 } }])
  })

  it('says that no request was captured', async () => {
    const cwd = testFolder()
    const words = ['exec', '--capture', 'a.json', '--', process.execPath, '-e', '0']
    expect(await runCli(words, { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'petstore-sandbox: a.json has no requests, since none reached this sandbox; tests with a sandbox of their own write their own captures when they fail\n',
    })
    expect(await runMain(['replay', 'a.json'], { cwd })).toMatchObject({
      code: 0,
      stdout: 'The capture has no requests\n',
    })
  })

  it('is rejected before anything starts where it cannot be written', async () => {
    const words = ['exec', '--capture', '.', '--', process.execPath, '-e', 'console.log(1)']
    expect(await runMain(words)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'petstore-sandbox: Cannot write .: it is a folder\n',
    })
  })
})
