import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveCli, testFolder } from '../../../kit/cli-process.ts'
import { type RawReply, sendRaw } from '../../../kit/raw-client.ts'

const token = 'c0ntrol-t0ken/4711'
const secrets = ['free-key', 'K3y-9f/8e+7d==', token]

/** Ways of writing a secret that are hidden; SECURITY.md says which are not. */
const spellings: readonly ((secret: string) => string)[] = [(secret) => secret, encodeURIComponent]

/** Places of a request where it may stand. */
const places: readonly ((spelt: string) => string)[] = [
  (spelt) => `GET /v1/pets/${spelt} HTTP/1.1`,
  (spelt) => `GET /v1/pets?limit=${spelt} HTTP/1.1`,
  (spelt) => `GET /v1/pets?status=${spelt}&api_key=${spelt} HTTP/1.1`,
  (spelt) => `GET /v1/${spelt}/${spelt} HTTP/1.1`,
  (spelt) => `GET http://me:${spelt}@sandbox/v1/pets HTTP/1.1`,
  (spelt) => `GET /sandboxes/${encodeURIComponent(decodeURIComponent(spelt))}/v1/pets HTTP/1.1`,
  (spelt) => `GET /v1/pets HTTP/1.1\r\nCookie: session=${spelt}; b=2`,
  (spelt) => `GET /v1/pets HTTP/1.1\r\nX-Auth: Basic ${spelt}`,
  (spelt) => `GET /v1/pets HTTP/1.1\r\nReferer: http://a.test/?key=${spelt}`,
  (spelt) => `GET /v1/pets HTTP/1.1\r\nProxy-Authorization: Basic ${spelt}`,
]

const bodies: readonly ((spelt: string) => string)[] = [
  (spelt) => `{"name":"${spelt}","categoryId":"x"}`,
  (spelt) => `{"name":"Rex","categoryId":1,"${spelt}":1}`,
  (spelt) => `{"name":"Rex","categoryId":"${spelt}"}`,
  (spelt) => `api_key=${spelt}`,
]

/** What of a secret may be read in a text: itself, or what it was sent as, as far as that gives it away. */
function given(text: string, spelt: readonly string[]): string[] {
  const plain = decodeAll(text)
  return [
    ...secrets.filter((secret) => text.includes(secret) || plain.includes(secret)),
    ...spelt.filter((one) => text.replaceAll('\\\\', '\\').includes(one) || text.includes(one)),
  ]
}

/** Undoes escapes as somebody would who looks for secrets. */
function decodeAll(text: string): string {
  const once = text.replace(/(?:%|\\+u00)([0-7][\da-f])/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return once === text ? text : decodeAll(once)
}

describe('a running process', () => {
  it('shows no secret anywhere, plain or percent-encoded', async () => {
    const cwd = testFolder()
    const keys = [
      { key: 'free-key', plan: 'free' },
      { key: 'K3y-9f/8e+7d==', plan: 'pro' },
    ]
    writeFileSync(join(cwd, 'seed.json'), JSON.stringify({ keys }))
    const options = ['--log', 'json', '--rate-limits', 'report-only', '--seed-file', 'seed.json']
    const { cli, url } = await serveCli([...options, '--control-token', token], { cwd })
    const port = Number(new URL(url).port)
    const authorization = { Authorization: `Bearer ${token}` }
    const ask = async (path: string): Promise<string> =>
      await (await fetch(`${url}/_sandbox${path}`, { headers: authorization })).text()
    const events = await fetch(`${url}/_sandbox/events`, { headers: authorization })
    const spelt = secrets.flatMap((secret) => spellings.map((spell) => spell(secret)))
    const ended = 'Connection: close\r\n'
    const requestsWith = (one: string): string[] => [
      ...places.map((place) => {
        const key = 'Authorization: Bearer K3y-9f/8e+7d=='
        return `${place(one)}\r\nHost: sandbox\r\n${key}\r\n${ended}\r\n`
      }),
      ...bodies.map((body) => {
        const text = body(one)
        const lines = ['Host: sandbox', 'Authorization: Bearer free-key']
        const head = ['POST /v1/pets HTTP/1.1', ...lines, `Content-Length: ${text.length}`]
        return `${head.join('\r\n')}\r\nContent-Type: application/json\r\n${ended}\r\n${text}`
      }),
      `GET /_sandbox/${one} HTTP/1.1\r\nHost: 127.0.0.1\r\n${ended}Authorization: Bearer ${token}\r\n\r\n`,
    ]
    const replies: RawReply[] = []
    for (const one of spelt) {
      const sent = requestsWith(one).map((request) => sendRaw(port, request))
      replies.push(...(await Promise.all(sent)))
    }
    const snapshot = JSON.parse(await ask('/snapshot')) as { readonly requests: object }
    const ids = (JSON.parse(await ask('/requests')) as { id: number }[]).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(30)
    const reader = events.body?.getReader()
    let heard = ''
    while (!heard.includes(`"id":${ids.at(-1)},`)) {
      heard += new TextDecoder().decode((await reader?.read())?.value)
    }
    await reader?.cancel()
    // The clients that were rejected see no key, either; what they have stored, such as a name, they get back.
    const rejections = replies.filter(({ status }) => status >= 400)
    for (const [what, text] of Object.entries({
      requests: await ask('/requests'),
      entries: (await Promise.all(ids.slice(-5).map((id) => ask(`/requests/${id}`)))).join('\n'),
      har: await ask('/requests.har'),
      status: JSON.stringify({ ...JSON.parse(await ask('/status')), keys: [] }),
      snapshot: JSON.stringify(snapshot.requests),
      events: heard,
      replies: rejections.map(({ body }) => String(body)).join('\n'),
      log: cli.stdout,
      errors: cli.stderr,
    })) {
      expect([what, given(text, spelt)]).toEqual([what, []])
    }
  })
})
