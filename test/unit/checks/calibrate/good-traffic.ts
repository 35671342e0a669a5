import type { GapSettings } from '../../../../src/index.ts'
import { oddRequests, Recorder } from './recorder.ts'

const keys = [
  { key: 'pro-key', plan: 'pro' },
  { key: 'free-key', plan: 'free' },
  { key: 'revoked-key', plan: 'free', revoked: true },
  { key: 'few-key', plan: 'enterprise', limits: { minute: 12, day: 1_000 } },
  { key: 'day-key', plan: 'enterprise', limits: { minute: 30, day: 14 } },
] as const

/** Records traffic that meets what there is to meet: odd requests, full windows, a ban, and windows that begin anew. */
export async function recordGoodTraffic(
  gaps: GapSettings,
  now = '2026-01-01T10:00:07Z',
): Promise<Recorder> {
  const recorder = new Recorder({ gaps, seed: { keys }, clock: { now, mode: 'frozen' } })
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

/** Records what shows rare things, too: long names, a key near the end of its day, requests within a ban, and another ban. */
export async function recordAllTraffic(gaps: GapSettings, now?: string): Promise<Recorder> {
  const recorder = await recordGoodTraffic(gaps, now)
  for (let sent = 0; sent < 3; sent++) {
    await recorder.send({ url: '/pets?limit=1', key: 'free-key' }, 10_000)
  }
  recorder.sandbox.clock.advance('20m')
  for (let sent = 0; sent < 75; sent++) {
    await recorder.send({ url: '/pets?limit=1', key: 'free-key' }, 10)
  }
  for (const length of [1_000, 1_001]) {
    const body = JSON.stringify({ name: 'x'.repeat(length), categoryId: 1 })
    await recorder.send({ method: 'POST', url: '/pets', body }, 1_000)
  }
  for (let sent = 0; sent < 8; sent++) await recorder.send({ url: '/pets', key: 'day-key' }, 100)
  // A minute has begun.
  recorder.sandbox.clock.advance(60_100 - (recorder.sandbox.clock.now() % 60_000))
  for (let sent = 0; sent < 12; sent++) await recorder.send({ url: '/pets', key: 'few-key' }, 1_300)
  for (let sent = 0; sent < 3; sent++) await recorder.send({ url: '/nothing', key: 'few-key' }, 100)
  for (let sent = 0; sent < 5; sent++) await recorder.send({ url: '/pets', key: 'few-key' }, 10_600)
  return recorder
}
