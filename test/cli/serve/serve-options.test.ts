import { describe, expect, it } from 'vitest'
import { serveCli } from '../../kit/cli-process.ts'

const headers = { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' }

async function petsOf(url: string): Promise<unknown> {
  return await (await fetch(`${url}/v1/pets?limit=100`, { headers })).json()
}

describe('the options of serve', () => {
  it('serves with or without the name of the command', async () => {
    const { url } = await serveCli(['serve'])
    expect(await fetch(`${url}/v1/pets`, { headers })).toMatchObject({ status: 200 })
  })

  it('--host chooses the address', async () => {
    const { url } = await serveCli(['--host', '127.0.0.2'])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/)
    expect(await fetch(`${url}/v1/pets`, { headers })).toMatchObject({ status: 200 })
  })

  it('--pets generates as many, the same ones for the same --seed', async () => {
    const runs = await Promise.all([
      serveCli(['--pets', '50', '--seed', '7']),
      serveCli(['--pets', '50', '--seed=7']),
      serveCli(['--pets', '50']),
      serveCli(['--pets', '0']),
    ])
    const [first, same, other, none] = await Promise.all(runs.map(({ url }) => petsOf(url)))
    expect(first).toHaveLength(50)
    expect(same).toEqual(first)
    expect(other).toHaveLength(50)
    expect(other).not.toEqual(first)
    expect(none).toEqual([])
  })

  it('--seed makes random ids repeatable', async () => {
    const args = ['--gap', 'idSequence=random', '--seed', '5']
    const create = async (url: string): Promise<string> => {
      const body = '{"name":"Bella","categoryId":1}'
      return await (await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })).text()
    }
    const [first, same, other] = [
      await serveCli(args),
      await serveCli(args),
      await serveCli(['--gap', 'idSequence=random']),
    ]
    expect(await create(same.url)).toBe(await create(first.url))
    expect(await create(other.url)).not.toBe(await create(first.url))
  })

  it('--clock and --frozen stop the clock at an instant, which Date shows', async () => {
    const { url } = await serveCli(['--clock', '2030-12-04T23:59:00Z', '--frozen'])
    const before = await fetch(`${url}/v1/pets/1`, { headers })
    expect(before.status).toBe(200)
    expect(before.headers.get('date')).toBe('Wed, 04 Dec 2030 23:59:00 GMT')
    expect(before.headers.get('x-ratelimit-reset')).toBe(String(Date.UTC(2030, 11, 5) / 1000))
  })

  it('--clock also takes a date alone, an offset and Unix milliseconds', async () => {
    for (const clock of ['2030-12-05', '2030-12-05T02:00:00+02:00', '1922659200000']) {
      const { cli, url } = await serveCli(['--clock', clock, '--frozen'])
      expect(cli.stdout).toContain('2030-12-05T00:00:00Z')
      // The day of removal has come (spec 4.3).
      expect(await fetch(`${url}/v1/pets/1`, { headers })).toMatchObject({ status: 404 })
    }
  })

  it('--scale makes the clock run faster', async () => {
    const { cli, url } = await serveCli(['--clock', '2030-01-01', '--scale', '1000000'])
    expect(cli.stdout).toContain('1000000 times as fast')
    const { headers: shown } = await fetch(`${url}/v1/pets`, { headers })
    expect(Date.parse(shown.get('date') ?? '')).toBeGreaterThan(Date.UTC(2030, 0, 1))
  })

  it('--gap chooses, each time it is given', async () => {
    const { url } = await serveCli([
      '--gap',
      'storeOrders=empty-list',
      '--gap',
      'errorCodes=opaque',
    ])
    expect(await (await fetch(`${url}/v1/store/orders`, { headers })).json()).toEqual([])
    expect(await (await fetch(`${url}/v1/none`, { headers })).json()).toMatchObject({
      code: 'E4041',
    })
  })

  it('--rate-limit reported counts down and refuses nothing', async () => {
    const { url } = await serveCli([
      '--rate-limit',
      'reported',
      '--clock',
      '2026-01-01',
      '--frozen',
    ])
    const statuses: number[] = []
    let remaining: string | null = null
    for (let count = 0; count < 61; count++) {
      const reply = await fetch(`${url}/v1/pets?limit=1`, { headers })
      statuses.push(reply.status)
      remaining = reply.headers.get('x-ratelimit-remaining')
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(remaining).toBe('0')
  })
})
