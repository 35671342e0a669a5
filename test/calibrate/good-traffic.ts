import type { GapSettings } from '../../src/index.ts'
import { oddRequests, Recorder } from './recorder.ts'

const keys = [
  { key: 'pro-key', plan: 'pro' },
  { key: 'free-key', plan: 'free' },
  { key: 'revoked-key', plan: 'free', revoked: true },
] as const

/** Records traffic that meets what there is to meet: odd requests, full windows, a ban, and windows that begin anew. */
export async function recordGoodTraffic(gaps: GapSettings): Promise<Recorder> {
  const recorder = new Recorder({ gaps, seed: { keys } })
  for (const request of oddRequests) await recorder.send(request, 300)
  for (const request of oddRequests) await recorder.send(request, 100)
  for (let window = 0; window < 5; window++) {
    recorder.sandbox.clock.advance('61s')
    for (const wait of [0, 7_000, 20_000, 13_000]) {
      await recorder.send({ url: '/pets?limit=1', key: 'free-key' }, wait)
    }
    recorder.sandbox.clock.advance(window * 3_000)
  }
  recorder.sandbox.clock.advance('2m')
  for (let sent = 0; sent < 75; sent++) {
    await recorder.send({ url: '/pets?limit=1', key: 'free-key' }, 10)
  }
  await recorder.send({ url: '/nothing', key: 'free-key' })
  for (let sent = 0; sent < 65; sent++) await recorder.send({ url: '/pets', key: null }, 10)
  return recorder
}
