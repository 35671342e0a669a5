import { afterEach, describe, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { RequestView } from '../../../src/client/connect-sandbox.ts'
import type { Remote } from '../../../src/client/remote.ts'
import { Announcer } from '../../../src/console/app/connection.tsx'
import { followVisible } from '../../../src/console/live/connect-console.ts'
import { routeInAddress, useAddress } from '../../../src/console/model/route.ts'
import { FilterMenu, SaveMenu } from '../../../src/console/requests/requests-menus.tsx'
import { RequestsPlace } from '../../../src/console/requests/requests-place.tsx'
import { SendButton } from '../../../src/console/requests/send-button.tsx'
import { TimeStrip } from '../../../src/console/requests/time-strip.tsx'
import { anEntry, type Scene, showScene } from './console-scene.tsx'

/** The machine may be busy. */
const patient = { timeout: 10_000 }

let scene: Scene | undefined

afterEach(() => {
  vi.useRealTimers()
  scene?.leave()
  scene = undefined
})

/** The list of requests, at the address of the page. */
function Requests() {
  return (
    <RequestsPlace
      route={useAddress(routeInAddress)}
      wide={{ TimeStrip, FilterMenu, SaveMenu, SendButton }}
    />
  )
}

function nextFrame(): Promise<number> {
  return new Promise(requestAnimationFrame)
}

function rowsShown(): number {
  return document.querySelectorAll('tbody tr').length
}

describe('the list of requests', () => {
  it('shows the latest fifty of a flood, and more at a click', async () => {
    scene = await showScene(<Requests />)
    const { come, store, asked } = scene
    let id = 0
    for (let frame = 0; frame < 20; frame++) {
      for (let count = 0; count < 100; count++) come(++id)
      await nextFrame()
    }
    await expect.poll(() => store.entries.value.at(-1)?.id, patient).toBe(id)
    expect(store.entries.value).toHaveLength(1_000)
    await expect
      .element(page.getByRole('row', { name: new RegExp(` ${id}$`) }), patient)
      .toBeVisible()
    // What is asked for doesn't grow with what comes.
    expect(asked.filter((name) => name === 'status').length).toBeLessThan(10)
    await expect.poll(rowsShown, patient).toBe(50)
    await page.getByRole('button', { name: '50 more' }).click()
    await expect.poll(rowsShown, patient).toBe(100)
  })

  it('is all there but for an entry that can not be shown', async () => {
    scene = await showScene(<Requests />)
    const whole = await anEntry()
    const bad = { id: 2, outcome: { kind: 'response', status: 200 } }
    // As if the process were of another version.
    scene.hear({ kind: 'request', entry: bad as unknown as typeof whole })
    scene.come(1, 3)
    await expect.element(page.getByText(/^Cannot show this row/), patient).toBeVisible()
    await expect.element(page.getByRole('row', { name: / 1$/ }), patient).toBeVisible()
    await expect.element(page.getByRole('row', { name: / 3$/ }), patient).toBeVisible()
    await page.getByRole('searchbox').fill('listPets')
    await expect.poll(rowsShown, patient).toBe(2)
    location.hash = '#/requests/2'
    await expect.element(page.getByText(/^Cannot show the request/), patient).toBeVisible()
    await expect.poll(rowsShown, patient).toBe(3)
  })
})

describe('the details of a request', () => {
  it('are there with a gap, an outcome and facts that the page does not know', async () => {
    scene = await showScene(<Requests />)
    const { quota: _, ...whole } = await anEntry()
    // As if the process were of another version.
    const decision = { code: 'unheard_of', spec: '9', gap: 'unheardOf' }
    const newer = { ...whole, decision, outcome: { kind: 'upgraded' }, why: '426: Too old; spec 9' }
    const { decision: _1, ...undecided } = { ...whole, id: 2 }
    for (const entry of [newer, undecided]) {
      scene.hear({ kind: 'request', entry: entry as unknown as RequestView })
    }
    await expect.element(page.getByRole('row', { name: /^upgraded/ })).toBeVisible()
    location.hash = '#/requests/1'
    const details = page.getByRole('region', { name: 'Details of request 1' })
    await expect
      .poll(() => details.query()?.textContent, patient)
      .toMatch(/upgraded.*Too old.*unheardOf/)
    await page.getByRole('button', { name: 'What if…' }).click()
    await expect.element(page.getByRole('dialog', { name: 'What if' })).toBeVisible()
    location.hash = '#/requests/2'
    await expect
      .poll(() => page.getByRole('region', { name: /request 2/ }).query()?.textContent, patient)
      .toMatch(/200.*listPets/)
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  it('stay while somebody does something with it', async () => {
    scene = await showScene(<Requests />)
    scene.come(1)
    location.hash = '#/requests/1'
    await page.getByRole('button', { name: 'What if…' }).click()
    scene.come(2)
    await expect.element(page.getByRole('dialog', { name: 'What if' }), patient).toBeVisible()
    await expect.poll(() => document.querySelectorAll('tbody tr').length, patient).toBe(2)
    await expect.element(page.getByRole('dialog', { name: 'What if' }), patient).toBeVisible()
    expect(location.hash).toBe('#/requests/1')
  })

  it('stay though so much has come that the list has lost it', async () => {
    scene = await showScene(<Requests />)
    scene.come(1)
    await page.getByRole('row', { name: / 1$/ }).getByRole('link').click()
    const details = page.getByRole('region', { name: 'Details of request 1' })
    const text = details.getByText('2 of 30 pets')
    await expect.element(text, patient).toBeVisible()
    const { store, come } = scene
    for (let id = 2; id < 1_100; id++) come(id)
    await expect.poll(() => store.entries.value.at(-1)?.id, patient).toBe(1_099)
    await nextFrame()
    await expect.element(text).toBeVisible()
  })
})

describe('Announcer', () => {
  it('says what was found from now on, and no word of requests', async () => {
    scene = await showScene(<Announcer />)
    const { store, come, hear, found } = scene
    await expect.poll(() => store.status.value, patient).toBeDefined()
    const said = (): string | null | undefined =>
      document.querySelector('[role=status]')?.textContent
    come(1, 2, 3)
    const finding = { rule: 'n-plus-one', severity: 'info', client: 1, requests: [1] } as const
    const words = { message: '', advice: '', source: '' }
    found.push({ ...finding, ...words })
    hear({ kind: 'changed' })
    await expect.poll(said, patient).toBe('1 new finding')
    hear({ kind: 'waiting' })
    await expect.poll(said, patient).toBe('The connection is lost')
  })
})

describe('followVisible()', () => {
  /** A process that counts the streams which are open. */
  function stage() {
    const open = new Set<AbortSignal>()
    let opened = 0
    const remote = {
      address: `http://sandbox.test/${crypto.randomUUID()}`,
      async stream(_path: string, _headers: unknown, signal: AbortSignal) {
        open.add(signal)
        opened++
        return new ReadableStream<Uint8Array>({
          start(controller) {
            signal.addEventListener('abort', () => {
              open.delete(signal)
              controller.close()
            })
          },
        })
      },
    }
    // All that the stream uses.
    return { remote: remote as unknown as Remote, open, opened: () => opened }
  }

  function see(state: 'visible' | 'hidden'): void {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }

  afterEach(() => {
    Reflect.deleteProperty(document, 'visibilityState')
  })

  it('has no stream while the page is hidden', async () => {
    const { remote, open, opened } = stage()
    const leave = new AbortController()
    see('hidden')
    followVisible(remote, () => {}, leave.signal)
    see('visible')
    await expect.poll(() => open.size, patient).toBe(1)
    see('hidden')
    await expect.poll(() => open.size, patient).toBe(0)
    see('visible')
    await expect.poll(() => open.size, patient).toBe(1)
    expect(opened()).toBe(2)
    leave.abort()
    await expect.poll(() => open.size, patient).toBe(0)
  })
})
