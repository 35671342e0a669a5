import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { KeyRow } from '../../../src/console/keys/key-row.tsx'
import type { KeyView } from '../../../src/console/live/live-store.ts'
import { showScene } from './console-scene.tsx'

const view: KeyView = {
  key: '<img src=x onerror="alert(1)">',
  plan: 'free',
  limits: { minute: 60, day: 1_000 },
  state: 'banned',
  bannedUntil: '2026-11-21T14:08:07Z',
  minute: { limit: 60, remaining: 3, resetAt: '2026-11-21T14:04:00Z', refused: 11 },
  day: { limit: 1_000, remaining: 400, resetAt: '2026-11-22T00:00:00Z', refused: 0 },
}

it('counts down on the clock of the sandbox, and shows what a key has as text', async () => {
  const { store, leave } = await showScene(<KeyRow view={view} isCurrent={false} />)
  await expect.poll(() => store.status.value).toBeDefined()
  store.time.show({ now: '2026-11-21T14:03:07Z', mode: 'frozen', scale: 1 })
  const text = () => page.getByRole('article', { name: view.key }).element().textContent
  for (const part of [
    '✕banned',
    'served again in 5 min',
    '3/60resets in 53 s',
    '400/1,000resets in 9 h 56 min',
  ]) {
    await expect.poll(text).toContain(part)
  }
  store.time.show({ now: '2026-11-21T14:08:06Z', mode: 'frozen', scale: 1 })
  await expect.poll(text).toContain('served again in 1 s')
  await expect.poll(text).toContain('3/60resets now')
  expect(document.querySelector('img')).toBe(null)
  leave()
})
