import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  curlText,
  fetchText,
  requestMarkdown,
  vitestText,
} from '../../../../src/checks/reports/request-text.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

const body = `{"name":"O'Hara \\"$HOME\\" \`id\`","categoryId":1}`

async function sourceOf(key = 'pro-key', name = key) {
  const sandbox = frozenSandbox()
  const headers = { 'content-type': 'application/json', host: 'x', 'content-length': '9' }
  await sandbox.handle(requestOf({ method: 'POST', url: '/v1/pets?a=$b', key, headers, body }))
  const entry = sandbox.requests.get(1)
  return { entry, key: name, apiUrl: 'http://127.0.0.1:7387/v1' }
}

describe('curlText()', () => {
  it('is read by a shell as it was sent, with the whole key', async () => {
    const command = curlText(await sourceOf()).replace(/^curl/, "printf '%s\\n'")
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n')
    expect(words.slice(0, 4)).toEqual(['-i', '-X', 'POST', 'http://127.0.0.1:7387/v1/pets?a=$b'])
    expect(words).toContain('authorization: Bearer pro-key')
    expect(words).toContain(body)
    expect(words.join()).not.toMatch(/host:|content-length:/)
  })

  it.each([
    { method: 'GET', words: ["curl -i -X 'GET'", "-H 'content-type:'", "--data-raw '{}'"] },
    { method: 'HEAD', words: ['curl --head'] },
    { method: 'POST', words: ["curl -i -X 'POST'", "-H 'content-type:'", "--data-raw '{}'"] },
  ])('sends a $method with a body and without a type as it was sent', async ({ method, words }) => {
    const sandbox = frozenSandbox()
    await sandbox.handle({ method, url: '/v1/pets', headers: {}, body: '{}' })
    const text = curlText({ entry: sandbox.requests.get(1), key: '', apiUrl: 'http://x/v1' })
    expect(text.split(' \\\n  ')).toEqual([words[0], "'http://x/v1/pets'", ...words.slice(1)])
  })

  it.each([
    { apiUrl: 'http://api.test/v1', path: '/pets?name={Rex,Moss}' },
    { apiUrl: 'http://api.test/v1', path: '/pets?status[]=sold' },
    { apiUrl: 'http://api.test/v1', path: '/pets?page=[1-3]' },
    { apiUrl: 'http://api.test/{a,b}/v1', path: '/pets' },
    { apiUrl: 'http://[::1]:7387/v1', path: '/pets' },
    { apiUrl: 'http://[::1]:7387/v1', path: '/pets?name={Rex,Moss}' },
  ])('has curl ask for $apiUrl$path as it is', async ({ apiUrl, path }) => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: `/v1${path}` }))
    const command = curlText({ entry: sandbox.requests.get(1), key: '', apiUrl })
    // It stops before it connects.
    const options = "curl --proto =ftp -s -o /dev/null -w '%{url_effective}\n'"
    const { stdout } = spawnSync('sh', ['-c', command.replace(/^curl/, options)])
    expect(String(stdout)).toBe(`${apiUrl}${path}\n`)
    expect(command.includes(' -g ')).toBe(/[{[]/.test(`${apiUrl}${path}`.replace('[::1]', '')))
  })

  it('has the beginning of a key that it does not know', async () => {
    expect(curlText(await sourceOf('somebody', 'some…'))).toContain('Bearer some…')
  })
})

describe('fetchText()', () => {
  it('sends the same request', async () => {
    const text = fetchText(await sourceOf())
    const sent = new Function('fetch', `return ${text.replace(/^await /, '')}`)(
      (...given: unknown[]) => given,
    )
    expect(sent).toEqual([
      'http://127.0.0.1:7387/v1/pets?a=$b',
      {
        method: 'POST',
        headers: { authorization: 'Bearer pro-key', 'content-type': 'application/json' },
        body,
      },
    ])
  })
})

describe('vitestText()', () => {
  it('expects what the response was', async () => {
    const text = vitestText(await sourceOf())
    expect(text).toContain("import { test } from 'petstore-sandbox/vitest'")
    expect(text).toContain('test("POST /pets?a=$b gets 201", async ({ apiUrl }) => {')
    expect(text).toContain('expect(response.status).toBe(201)')
  })
})

/** Characters that control a terminal, or have code read otherwise than it runs. */
const hostile = '\u009b31m \u202e \u2066 \u200f \u061c'

/** A request whose body has them, and backticks that would end a block of code. */
async function hostileSource() {
  const sandbox = frozenSandbox()
  const json = JSON.stringify({ name: `${hostile}\n\`\`\`\` [a](http://x)`, categoryId: 1 })
  const sent = requestOf({ method: 'POST', url: '/v1/pets', key: 'pro-key' })
  await sandbox.handle({ ...sent, body: json.replaceAll('\\n', '\n') })
  return { entry: sandbox.requests.get(1), key: 'pro-key', apiUrl: 'http://127.0.0.1:7387/v1' }
}

describe('a request to copy', () => {
  it.each([
    { name: 'fetchText()', write: fetchText },
    { name: 'vitestText()', write: vitestText },
    { name: 'requestMarkdown()', write: requestMarkdown },
  ])('shows control and direction characters escaped (R3): $name', async ({ write }) => {
    const text = write(await hostileSource())
    expect(text).toMatch(/u202e/)
    expect(text).not.toMatch(/[\u0080-\u009f\u061c\u200f\u202e\u2066]/)
  })

  it('stays in its block of code, whatever it contains (R5)', async () => {
    const text = requestMarkdown(await hostileSource())
    const [, start] = /^(`+)sh$/m.exec(text) ?? []
    expect(start).toBe('`````')
    expect(text.split('\n').filter((line) => line === start)).toHaveLength(1)
  })
})
