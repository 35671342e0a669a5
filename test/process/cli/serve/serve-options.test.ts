import { describe, expect, it } from 'vitest'
import { serveCli } from '../../../kit/cli-process.ts'
import { serveHere } from '../../../kit/serve-here.ts'

const headers = { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' }

async function petsOf(url: string): Promise<unknown> {
  return await (await fetch(`${url}/v1/pets?limit=100`, { headers })).json()
}

describe('the options of serve', () => {
  it('are those of the command without a name, too; --host chooses the address', async () => {
    const { url } = await serveCli(['serve', '--host', '127.0.0.2'])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/)
    expect(await fetch(`${url}/v1/pets`, { headers })).toMatchObject({ status: 200 })
  })

  it('--pets generates as many, the same ones for the same --random-seed', async () => {
    const pets = async (texts: Readonly<Record<string, string>>): Promise<unknown> =>
      await petsOf((await serveHere(texts)).url)
    const first = await pets({ pets: '50', 'random-seed': '7' })
    expect(first).toHaveLength(50)
    expect(await pets({ pets: '50', 'random-seed': '7' })).toEqual(first)
    const other = await pets({ pets: '50' })
    expect(other).toHaveLength(50)
    expect(other).not.toEqual(first)
    expect(await pets({ pets: '0' })).toEqual([])
  })

  it('--random-seed makes random ids repeatable', async () => {
    const create = async (texts: Readonly<Record<string, string>>): Promise<string> => {
      const { url } = await serveHere({ gap: 'idSequence=random', ...texts })
      const body = '{"name":"Bella","categoryId":1}'
      return await (await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })).text()
    }
    const first = await create({ 'random-seed': '5' })
    expect(await create({ 'random-seed': '5' })).toBe(first)
    expect(await create({})).not.toBe(first)
  })

  it('--clock and --frozen stop the clock at an instant, which Date shows', async () => {
    const { url } = await serveHere({ clock: '2030-12-05T02:00:00+02:00', frozen: 'true' })
    const reply = await fetch(`${url}/v1/pets/1`, { headers })
    // The day of removal has come (spec 4.3).
    expect([reply.status, reply.headers.get('date')]).toEqual([
      404,
      'Thu, 05 Dec 2030 00:00:00 GMT',
    ])
  })

  it('--clock-speed makes the clock run faster', async () => {
    const { url } = await serveHere({ clock: '2030-01-01', 'clock-speed': '1000000' })
    const { headers: shown } = await fetch(`${url}/v1/pets`, { headers })
    expect(Date.parse(shown.get('date') ?? '')).toBeGreaterThan(Date.UTC(2030, 0, 1))
  })

  it('--rate-limits report-only rejects nothing', async () => {
    const { url } = await serveHere({ 'rate-limits': 'report-only', scenario: 'day-exhausted' })
    expect(await fetch(`${url}/v1/pets?limit=1`, { headers })).toMatchObject({ status: 200 })
  })
})
