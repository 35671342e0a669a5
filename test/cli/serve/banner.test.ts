import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { serveCli, testFolder } from '../../kit/cli-process.ts'

/** Runs a line as somebody does who pastes it into a terminal. */
async function paste(line: string): Promise<string> {
  const env = { ...process.env, no_proxy: '*' }
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env })
  return stdout
}

describe('banner()', () => {
  it('says the base URL, the version, the pets, the clock, the limits and the gaps', async () => {
    const { cli, url } = await serveCli()
    expect(cli.stdout).toMatch(/petstore-sandbox \d+\.\d+\.\d+/)
    const [, api] = await cli.printed(/ {2}API +(.*)\n/)
    expect(api).toBe(`${url}/v1`)
    expect(cli.stdout).toMatch(/ {2}Pets +\d+\n/)
    expect(cli.stdout).toMatch(/ {2}Clock +\d{4}-\S+Z \(the system's time\)\n/)
    expect(cli.stdout).toMatch(/ {2}Limits +enforced\n/)
    expect(cli.stdout).toMatch(/ {2}Gaps +all at their defaults\n/)
    expect(cli.stderr).toBe('')
  })

  it('shows each key with its plan, limits and state', async () => {
    const { cli } = await serveCli()
    for (const line of [
      /free-key +free +60 +1,000\n/,
      /pro-key +pro +300 +10,000\n/,
      /business-key +business +1,000 +100,000\n/,
      /enterprise-key +enterprise +5,000 +1,000,000\n/,
      /revoked-key +free +60 +1,000 +revoked\n/,
      /expired-key +free +60 +1,000 +expired\n/,
      /minute-exhausted-key +free +60 +1,000 +\S/,
      /day-exhausted-key +free +60 +1,000 +\S/,
      /banned-key +free +60 +1,000 +banned/,
    ]) {
      expect(cli.stdout).toMatch(line)
    }
  })

  it('has a curl line that lists pets when it is pasted', async () => {
    const { cli } = await serveCli()
    const lines = cli.stdout.split('\n').filter((line) => line.trim().startsWith('curl '))
    expect(lines).toHaveLength(1)
    const output = await paste(lines.join('').trim())
    expect(output).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(output).toMatch(/\r\nX-RateLimit-Remaining: 59\r\n/)
    expect(JSON.parse(output.slice(output.indexOf('\r\n\r\n')))).toHaveLength(3)
  })

  it.each([{ host: '0.0.0.0' }, { host: 'localhost' }])(
    'has a curl line for the host $host, too',
    async ({ host }) => {
      const { cli } = await serveCli(['--host', host])
      const [line = ''] = await cli.printed(/curl .*/)
      expect(await paste(line)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    },
  )

  it('tries a key that is served, or none where there is none', async () => {
    const folder = testFolder()
    const revoked = { key: 'old-key', plan: 'free', revoked: true }
    const keys = [revoked, { key: 'a/b+c~d==', plan: 'pro' }]
    writeFileSync(join(folder, 'one.json'), JSON.stringify({ keys }))
    writeFileSync(join(folder, 'none.json'), JSON.stringify({ keys: [revoked] }))
    const { cli: one } = await serveCli(['--seed-file', join(folder, 'one.json')])
    const [line = ''] = await one.printed(/curl .*/)
    expect(await paste(line)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    const { cli: none } = await serveCli(['--seed-file', join(folder, 'none.json')])
    expect(none.stdout).not.toContain('curl')
  })

  it('shows the first of many keys, and how many more there are', async () => {
    const folder = testFolder()
    const keys = Array.from({ length: 50 }, (_, index) => ({ key: `key-${index}`, plan: 'free' }))
    writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys))
    const { cli } = await serveCli(['--seed-file', folder])
    expect(cli.stdout.match(/^ {2}key-\d+ /gm)).toHaveLength(20)
    expect(cli.stdout).toContain('and 30 more')
  })

  it('shows the gaps that differ from their defaults, and only those', async () => {
    const gaps = ['banAfter=3', 'banDuration=90s', 'deprecatedSince=2026-01-01', 'emptyName=accept']
    const { cli } = await serveCli(gaps.flatMap((gap) => ['--gap', gap]))
    const [, text = ''] = await cli.printed(/ {2}Gaps +(.*)\n/)
    expect(text.split(', ').toSorted()).toEqual([
      'banAfter=3',
      'banDuration=1m30s',
      'deprecatedSince=2026-01-01T00:00:00Z',
    ])
  })

  it.each([
    { args: [], text: /\S+Z \(the system's time\)/ },
    { args: ['--clock', '2030-12-04'], text: /2030-12-04T00:0\d:\S*Z \(runs on from there\)/ },
    { args: ['--clock', '2030-12-04', '--frozen'], text: /2030-12-04T00:00:00Z \(frozen\)/ },
    { args: ['--frozen'], text: /\S+Z \(frozen\)/ },
    { args: ['--scale', '60'], text: /\S+Z \(scaled, 60 times as fast\)/ },
  ])('says where the clock stands with $args', async ({ args, text }) => {
    const { cli } = await serveCli(args)
    const [, clock] = await cli.printed(/ {2}Clock +(.*)\n/)
    expect(clock).toMatch(text)
  })

  it('says which folder is served beside the API, and only then', async () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'index.html'), '<h1>Pets</h1>')
    const { cli, url } = await serveCli(['--static', folder])
    expect(cli.stdout).toContain(`  Static   ${url}/  (${folder})\n`)
    expect(await (await fetch(`${url}/`)).text()).toBe('<h1>Pets</h1>')
    expect(await fetch(`${url}/v1/pets`)).toMatchObject({ status: 401 })
    expect((await serveCli()).cli.stdout).not.toContain('Static')
  })

  it('has no colours where it is not read on a terminal', async () => {
    const { cli } = await serveCli()
    expect(cli.stdout).not.toContain('\u001b')
  })
})
