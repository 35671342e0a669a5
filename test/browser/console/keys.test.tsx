import { render } from 'preact'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { KeyRow } from '../../../src/console/keys/key-row.tsx'
import { connectConsole } from '../../../src/console/live/connect-console.ts'
import { ConsoleProvider } from '../../../src/console/live/console-context.ts'
import { type KeyView, LiveStore } from '../../../src/console/live/live-store.ts'
import { Notices } from '../../../src/console/live/notices.ts'

afterEach(() => render(null, document.body))

const view: KeyView = {
  key: '<img src=x onerror="alert(1)">',
  plan: 'free',
  limits: { minute: 60, day: 1_000 },
  state: 'banned',
  bannedUntil: '2026-11-21T14:08:07Z',
  minute: { limit: 60, remaining: 3, resetAt: '2026-11-21T14:04:00Z', refused: 11 },
  day: { limit: 1_000, remaining: 400, resetAt: '2026-11-22T00:00:00Z', refused: 0 },
}

describe('KeyRow', () => {
  it('counts down on the clock of the sandbox, and shows what a key has as text', async () => {
    const client = connectConsole({ origin: location.origin, sandbox: undefined, token: undefined })
    const store = new LiveStore(client)
    store.time.show({ now: '2026-11-21T14:03:07Z', mode: 'frozen', scale: 1 })
    const scope = {
      client,
      store,
      notices: new Notices(),
      go() {},
      apiUrl: '',
      sandbox: undefined,
      file: undefined,
      root: document,
      isPanel: false,
    }
    render(
      <ConsoleProvider value={scope}>
        <KeyRow view={view} isCurrent={false} />
      </ConsoleProvider>,
      document.body,
    )
    const card = page.getByRole('article', { name: view.key })
    await expect.poll(() => card.element().textContent).toContain('✕banned')
    await expect.poll(() => card.element().textContent).toContain('served again in 5 min')
    await expect.poll(() => card.element().textContent).toContain('3/60resets in 53 s')
    await expect.poll(() => card.element().textContent).toContain('400/1,000resets in 9 h 56 min')
    store.time.show({ now: '2026-11-21T14:08:06Z', mode: 'frozen', scale: 1 })
    await expect.poll(() => card.element().textContent).toContain('served again in 1 s')
    await expect.poll(() => card.element().textContent).toContain('3/60resets now')
    expect(document.querySelector('img')).toBe(null)
  })
})
