import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { serveCli, testFolder } from '../../../kit/cli-process.ts'
import { serveHere } from '../../../kit/serve-here.ts'

/** Pastes the line of curl of a banner into a shell; gives what it prints. */
async function pasteCurl(banner: string): Promise<string> {
  const [line = '', ...more] = banner.match(/curl .*/g) ?? []
  expect(more).toEqual([])
  const env = { ...process.env, no_proxy: '*' }
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env })
  return stdout
}

describe('banner()', () => {
  it('says where everything is, the clock, the limits, the gaps that differ and the keys', async () => {
    const { banner, url } = await serveHere({
      clock: '2030-12-04',
      frozen: 'true',
      sandbox: 'alice',
      gap: 'banAfter=3,banDuration=90s,deprecatedSince=2026-01-01,emptyName=accept',
    })
    const text = banner.replaceAll(new URL(url).port, 'PORT')
    await expect(text).toMatchFileSnapshot('banner.txt')
  })

  it('says which version it is, in no colours where it is not read on a terminal', async () => {
    const { cli, url } = await serveCli()
    expect(cli.stdout).toMatch(/petstore-sandbox \d+\.\d+\.\d+/)
    expect(cli.stdout).toContain(`${url}/v1\n`)
    expect(cli.stdout).toMatch(/ {2}Gaps +all at their defaults\n/)
    expect(cli.stdout).not.toContain('\u001b')
    expect(cli.stderr).toBe('')
  })

  it('has a curl line that lists pets when it is pasted', async () => {
    const output = await pasteCurl((await serveHere()).banner)
    expect(output).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(output).toMatch(/\r\nX-RateLimit-Remaining: 59\r\n/)
    expect(JSON.parse(output.slice(output.indexOf('\r\n\r\n')))).toHaveLength(3)
  })

  it.each([{ host: '0.0.0.0' }, { host: 'localhost' }])(
    'has a curl line for the host $host, too',
    async ({ host }) => {
      const { banner } = await serveHere({ host })
      expect(await pasteCurl(banner)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    },
  )

  it('tries a key that is served, or none where there is none', async () => {
    const folder = testFolder()
    const revoked = { key: 'old-key', plan: 'free', revoked: true }
    const keys = [revoked, { key: 'a/b+c~d==', plan: 'pro' }]
    const [one, none] = [join(folder, 'one.json'), join(folder, 'none.json')]
    writeFileSync(one, JSON.stringify({ keys }))
    writeFileSync(none, JSON.stringify({ keys: [revoked] }))
    const { banner } = await serveHere({ 'seed-file': one })
    expect(await pasteCurl(banner)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect((await serveHere({ 'seed-file': none })).banner).not.toContain('curl')
  })

  it('shows the first of many keys, and how many more there are', async () => {
    const folder = testFolder()
    const keys = Array.from({ length: 50 }, (_, index) => ({ key: `key-${index}`, plan: 'free' }))
    writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys))
    const { banner } = await serveHere({ 'seed-file': folder })
    expect(banner.match(/^ {2}key-\d+ /gm)).toHaveLength(20)
    expect(banner).toContain('and 30 more')
  })

  it('says which folder is served beside the API, and only then', async () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'index.html'), '<h1>Pets</h1>')
    const { banner, url } = await serveHere({ static: folder })
    expect(banner).toContain(`  Static   ${url}/  (${folder})\n`)
    expect(await (await fetch(`${url}/`)).text()).toBe('<h1>Pets</h1>')
    expect(await fetch(`${url}/v1/pets`)).toMatchObject({ status: 401 })
    expect((await serveHere()).banner).not.toContain('Static')
  })
})
