import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const request = (): Request =>
  new Request('http://localhost:3000/v1/pets?limit=2', {
    headers: { authorization: 'Bearer free-key' },
  })

beforeEach(() => {
  vi.resetModules()
  // Both requests are of the same minute.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-15T08:00:20Z') })
  return () => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  }
})

describe('the route of the recipe for Next.js', () => {
  it('answers from one sandbox, also after it is loaded anew', async () => {
    const { GET } = await import('./next/route.ts')
    expect((await GET(request())).headers.get('x-ratelimit-remaining')).toBe('59')
    vi.resetModules()
    const again = await import('./next/route.ts')
    expect(again.GET).not.toBe(GET)
    expect((await again.GET(request())).headers.get('x-ratelimit-remaining')).toBe('58')
  })

  it('rejects other methods as the API does', async () => {
    const { DELETE, PUT } = await import('./next/route.ts')
    const rejected = new Request(request(), { method: 'PUT' })
    for (const handle of [DELETE, PUT]) expect((await handle(rejected.clone())).status).toBe(405)
  })

  it('is not there in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { POST } = await import('./next/route.ts')
    expect((await POST(request())).status).toBe(404)
  })
})
