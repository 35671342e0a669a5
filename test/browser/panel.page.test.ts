import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mountPanel, type Panel, type PanelOptions } from '../../src/console/panel/mount-panel.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

/** Wide enough for the button beside the panel. */
beforeAll(() => page.viewport(900, 800))
afterEach(() => {
  for (const one of document.querySelectorAll('petstore-panel')) one.remove()
  localStorage.clear()
})

/** Mounts a panel in this browser, which a program drives. */
function mounted(sandbox: Sandbox, options: PanelOptions = {}): Panel {
  const panel = mountPanel(sandbox, { when: 'always', ...options })
  if (panel === undefined) throw new Error('Cannot test the panel: there is none')
  return panel
}

async function opened(sandbox: Sandbox): Promise<Panel> {
  const panel = mounted(sandbox)
  await panel.open()
  return panel
}

const launcher = page.getByRole('button', { name: /^Sandbox panel/ })
const dialog = page.getByRole('dialog', { name: 'Pet store sandbox' })
const button = (name: string | RegExp) => dialog.getByRole('button', { name, exact: true })
const tab = (name: string) =>
  dialog.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}`) })
/** Screens may have one of their own, before it. */
const status = dialog.getByRole('status').last()
const requests = dialog.getByRole('table')
const rows = requests.getByRole('row')
/** A row is a part of the head. */
const latest = rows.nth(1)

describe('mountPanel()', () => {
  it('shows nothing in a browser that a program drives, unless it is asked to', () => {
    expect(mountPanel(frozenSandbox())).toBeUndefined()
    expect(document.querySelector('petstore-panel')).toBeNull()
    expect(mounted(frozenSandbox()).element.isConnected).toBe(true)
  })

  it.each([
    {
      options: { when: 'never' },
      says: 'Cannot set panel.when: found "never"; use one of not-automated',
    },
    {
      options: { corner: 'middle' },
      says: 'Cannot set panel.corner: found "middle"; use one of bottom-right',
    },
  ])('rejects $options', ({ options, says }) => {
    expect(() => mountPanel(frozenSandbox(), options as PanelOptions)).toThrow(says)
  })

  it('has its button in the corner that it is given', async () => {
    mounted(frozenSandbox(), { corner: 'top-left' })
    const { top, left } = launcher.element().getBoundingClientRect()
    expect([top, left]).toEqual([16, 16])
  })

  it('opens and closes, by its button and by the program', async () => {
    const panel = mounted(frozenSandbox())
    await launcher.click()
    await expect.element(dialog).toBeVisible()
    await expect.element(launcher).toHaveAttribute('aria-expanded', 'true')
    await launcher.click()
    await expect.element(dialog).not.toBeInTheDocument()
    await panel.open()
    await expect.element(dialog).toBeVisible()
    panel.close()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(launcher).toHaveAttribute('aria-expanded', 'false')
  })

  it('stays closed when it is closed before it is loaded', async () => {
    const panel = mounted(frozenSandbox())
    const opening = panel.open()
    panel.close()
    await opening
    await expect.element(dialog).not.toBeInTheDocument()
  })

  it('is one in a document: another takes its place', async () => {
    const first = await opened(frozenSandbox())
    const second = mounted(frozenSandbox())
    expect([first.element.isConnected, second.element.isConnected]).toEqual([false, true])
    await first.open()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  it('lets go of the sandbox when the page takes it out, and can be put back', async () => {
    const sandbox = frozenSandbox()
    const end = vi.fn()
    vi.spyOn(sandbox.requests, 'onEvent').mockReturnValue(end)
    const { element } = await opened(sandbox)
    expect(end).not.toHaveBeenCalled()
    element.remove()
    expect(end).toHaveBeenCalledOnce()
    document.body.append(element)
    await launcher.click()
    await expect.element(dialog).toBeVisible()
  })

  it('is above all that the page stacks, and not in its way', async () => {
    const cover = document.createElement('div')
    cover.style.cssText = 'position: fixed; inset: 0; z-index: 2147483647'
    document.body.append(cover)
    onTestFinished(() => cover.remove())
    await opened(frozenSandbox())
    await button('Close the panel').click()
    await launcher.click()
    await expect.element(dialog).toBeVisible()
    const { left, bottom } = dialog.element().getBoundingClientRect()
    // Beside the button, below the panel.
    expect(document.elementFromPoint(left + 5, bottom + 20)).toBe(cover)
  })
})

describe('the panel in an element of the page', () => {
  function box(): HTMLElement {
    const parent = document.createElement('div')
    parent.style.cssText = 'width: 600px; height: 400px; color-scheme: dark'
    document.body.append(parent)
    onTestFinished(() => parent.remove())
    return parent
  }

  it('fills it, with its colours, and has no button', async () => {
    const parent = box()
    const { element } = mounted(frozenSandbox(), { parent })
    await expect.element(dialog).toBeVisible()
    expect(element.parentNode).toBe(parent)
    const { width, height } = dialog.element().getBoundingClientRect()
    expect([width, height]).toEqual([600, 400])
    expect(getComputedStyle(dialog.element()).colorScheme).toBe('dark')
    expect([launcher.query(), button('Close the panel').query()]).toEqual([null, null])
  })

  it('stays for Escape, and goes with the element; a button elsewhere stays closed', async () => {
    const sandbox = frozenSandbox()
    const parent = box()
    mounted(sandbox, { parent })
    await tab('Make it fail').click()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).toBeVisible()
    parent.remove()
    await expect.element(dialog).not.toBeInTheDocument()
    mounted(sandbox)
    await expect.element(launcher).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  it('rejects what is no element', () => {
    expect(() => mountPanel(frozenSandbox(), { parent: '#box' } as never)).toThrow(
      'Cannot set panel.parent: found "#box"; use an element of the page',
    )
  })
})

describe('the walk through the scenarios', () => {
  const bar = dialog.getByRole('region', { name: 'Scenario' })
  const inForce = (sandbox: Sandbox) =>
    sandbox.scenarios().flatMap(({ name, inForce }) => (inForce ? name : []))

  it('is in none, then in each alone, and in none again', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await expect.element(bar).toMatchTextContent(/^Scenario\s*none\s*Next: No pets$/)
    for (const { name, title } of sandbox.scenarios()) {
      await bar.getByRole('button', { name: `Next: ${title}` }).click()
      expect(inForce(sandbox)).toEqual([name])
    }
    await bar.getByRole('button', { name: 'Next: none' }).click()
    expect(inForce(sandbox)).toEqual([])
    await expect.element(bar).toMatchTextContent(/^Scenario\s*none/)
  })

  it('is left, for a sandbox as it started', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await bar.getByRole('button', { name: 'Next: No pets' }).click()
    await bar.getByRole('button', { name: 'Leave the scenario' }).click()
    await expect.poll(() => sandbox.pets.size).toBe(30)
    await expect.element(bar).toMatchTextContent(/^Scenario\s*none/)
  })

  it('goes on from a scenario that is over, and says so', async () => {
    const sandbox = frozenSandbox()
    sandbox.scenario('unreadable')
    await opened(sandbox)
    await bar.getByRole('button', { name: 'Next: Minute exhausted' }).click()
    sandbox.clock.advance('1m')
    await expect.element(bar).toMatchTextContent(/Minute exhausted, over.*Next: Day exhausted$/)
  })

  it('takes a key, with the panel closed, open, and in an element', async () => {
    const sandbox = frozenSandbox({ clock: { mode: 'system' } })
    const panel = mounted(sandbox)
    await expect.element(launcher).toHaveAttribute('title', 'Sandbox panel')
    await userEvent.keyboard('{Alt>}{Shift>}n{/Shift}{/Alt}')
    expect(inForce(sandbox)).toEqual(['empty'])
    await expect.element(launcher).toHaveAttribute('title', 'Sandbox panel, scenario empty')
    await panel.open()
    await tab('Make it fail').click()
    await userEvent.keyboard('{Alt>}{Shift>}n{/Shift}{/Alt}')
    expect(inForce(sandbox)).toEqual(['crowded'])
    mounted(sandbox, { parent: document.body })
    await expect.element(bar).toBeVisible()
    await userEvent.keyboard('{Alt>}{Shift>}n{/Shift}{/Alt}')
    expect(inForce(sandbox)).toEqual(['slow'])
  })
})

describe('the panel and a modal dialog of the page', () => {
  function modalDialog(): HTMLDialogElement {
    const modal = document.createElement('dialog')
    modal.append('Add a pet')
    document.body.append(modal)
    onTestFinished(() => modal.remove())
    modal.showModal()
    return modal
  }

  it('can be used together, and Escape closes the panel alone', async () => {
    const { element } = await opened(frozenSandbox())
    const modal = modalDialog()
    await tab('Make it fail').click()
    await button('Arm').click()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(modal.open).toBe(true)
    modal.close()
    await expect.poll(() => element.parentNode).toBe(document.documentElement)
    await launcher.click()
    await expect.element(dialog).toBeVisible()
  })

  it('are together from the start, where the dialog was there before', () => {
    const modal = modalDialog()
    expect(mounted(frozenSandbox()).element.parentNode).toBe(modal)
  })

  it('part when the page takes the dialog away', async () => {
    const { element } = await opened(frozenSandbox())
    const modal = modalDialog()
    await expect.poll(() => element.parentNode).toBe(modal)
    modal.remove()
    expect(element.parentNode).toBe(document.documentElement)
    await expect.element(dialog).toBeVisible()
    element.remove()
    expect(element.isConnected).toBe(false)
  })
})

describe('the keyboard in the panel', () => {
  it('opens it, goes through its parts, and closes it: the focus is back on the button', async () => {
    const { element } = mounted(frozenSandbox())
    const focused = () => element.shadowRoot?.activeElement
    const button = launcher.element()
    if (button instanceof HTMLElement) button.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => focused() === dialog.query()).toBe(true)
    const first = tab('Requests').element()
    if (first instanceof HTMLElement) first.focus()
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.poll(() => focused() === tab('Findings').query()).toBe(true)
    await expect.element(tab('Findings')).toHaveAttribute('aria-current', 'page')
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(focused()).toBe(button)
  })

  it('is not caught: the next Tab after the last control leaves', async () => {
    const { element } = await opened(frozenSandbox())
    await expect.element(dialog.getByRole('button', { name: 'Copy fetch' })).toBeVisible()
    const all = [
      ...(element.shadowRoot?.querySelectorAll<HTMLElement>('button, [tabindex="0"]') ?? []),
    ]
    all.at(-1)?.focus()
    await userEvent.keyboard('{Tab}')
    await expect.poll(() => element.shadowRoot?.activeElement ?? null).toBeNull()
  })

  it('sets off no shortcut of the page', async () => {
    const pressed: string[] = []
    const press = ({ key }: KeyboardEvent): void => void pressed.push(key)
    document.addEventListener('keydown', press)
    onTestFinished(() => document.removeEventListener('keydown', press))
    mounted(frozenSandbox())
    await launcher.click()
    await expect.element(dialog).toBeVisible()
    await userEvent.keyboard('k{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(pressed).toEqual([])
  })
})

describe('the requests in the panel', () => {
  it('are there with the reason, the latest first, and come by themselves', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    await opened(sandbox)
    await expect.element(latest).toMatchTextContent(/200GET\s+\/v1\/pets/)
    await sandbox.handle(requestOf({ key: null }))
    await expect.element(latest).toMatchTextContent(/^401/)
    // One is the head.
    expect(rows.elements()).toHaveLength(3)
  })

  it('hold still while they are paused, and say how many have come', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    await opened(sandbox)
    await expect.element(latest).toBeVisible()
    await button('Pause').click()
    await sandbox.handle(requestOf({}))
    await button('1 new').click()
    await expect.poll(() => rows.elements().length).toBe(3)
  })

  it('are opened in place of the list, by links that the page has nothing to do with', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
    await opened(sandbox)
    const address = location.href
    await latest.getByRole('link').click()
    await expect.element(dialog.getByText(/"id": 31/)).toBeVisible()
    await expect.element(requests).not.toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    await expect.element(latest).toBeVisible()
    expect(location.href).toBe(address)
  })

  it('are text, whatever is in them', async () => {
    const sandbox = frozenSandbox()
    const markup = '<img src=x onerror="document.title = 1"><script>document.title = 1</script>'
    const json = JSON.stringify({ name: markup, categoryId: 1, [markup]: markup })
    const headers = { 'x-note': markup }
    await sandbox.handle(requestOf({ url: `/v1/pets?${markup}`, headers, json }))
    const { element } = await opened(sandbox)
    await latest.getByRole('link').click()
    const details = () => element.shadowRoot?.querySelector('.details')?.textContent
    await expect.poll(details).toContain(`/v1/pets?${markup}`)
    expect(element.shadowRoot?.querySelectorAll('img, script')).toHaveLength(0)
  })
})

describe('a request in the panel', () => {
  it('is sent again, and compared with the first one', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
    await opened(sandbox)
    await latest.getByRole('link').click()
    await button('Send again').click()
    await expect.element(dialog.getByText(/"id": 32/)).toBeVisible()
    await dialog.getByRole('link', { name: 'Compare…' }).click()
    await rows.nth(2).getByRole('link').click()
    await expect.element(dialog.getByText(/"id": 31/)).toBeVisible()
    await expect.element(dialog.getByText(/"id": 32/)).toBeVisible()
  })
})

describe('the key in the panel', () => {
  const inUse = dialog.getByRole('region', { name: 'Key in use' })
  const actAs = inUse.getByRole('combobox', { name: 'Act as' })

  it('is the one in use, also after a reset, with what it has used', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await expect.element(actAs).toMatchTextContent(/^the page \(free-key\)/)
    await sandbox.handle(requestOf({ key: 'pro-key' }))
    await sandbox.handle(requestOf({ key: null }))
    await expect.element(actAs).toMatchTextContent(/^the page \(pro-key\)/)
    await expect.element(inUse.getByRole('meter')).toHaveAccessibleName('Minute: 1/300')
    await button('Reset').click()
    await expect.element(status).toMatchTextContent(/^Everything is as at the start; Undo/)
    await expect.element(actAs).toMatchTextContent(/^the page \(pro-key\)/)
  })

  it('is another one, or none, for what the page fetches; and the page has its own again', async () => {
    const sent: (string | null)[] = []
    const own = globalThis.fetch
    onTestFinished(() => {
      globalThis.fetch = own
    })
    const received: typeof fetch = async (input, init) => {
      sent.push(new Request(input, init).headers.get('authorization'))
      return new Response()
    }
    globalThis.fetch = received
    const panel = await opened(frozenSandbox())
    const send = () => fetch('/v1/pets', { headers: { authorization: 'Bearer free-key' } })
    await send()
    await actAs.selectOptions('pro-key')
    await send()
    await actAs.selectOptions('no key')
    await send()
    expect(sent).toEqual(['Bearer free-key', 'Bearer pro-key', null])
    panel.close()
    expect(globalThis.fetch).toBe(received)
  })
})

describe('what the panel remembers', () => {
  it('is that it was open, and where', async () => {
    await opened(frozenSandbox())
    await tab('Data').click()
    await expect.element(dialog.getByRole('row', { name: /business-key/ })).toBeVisible()
    for (const one of document.querySelectorAll('petstore-panel')) one.remove()
    mounted(frozenSandbox())
    await expect.element(dialog.getByRole('row', { name: /business-key/ })).toBeVisible()
    await button('Close the panel').click()
    mounted(frozenSandbox())
    await expect.element(dialog).not.toBeInTheDocument()
  })

  it('is the corner to which its button was dragged', async () => {
    mounted(frozenSandbox())
    await expect.poll(() => launcher.element().querySelector('span')).not.toBeNull()
    const target = document.createElement('div')
    target.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 40px; height: 40px'
    document.body.append(target)
    onTestFinished(() => target.remove())
    await userEvent.dragAndDrop(launcher, page.elementLocator(target))
    await expect.poll(() => launcher.element().getBoundingClientRect().top).toBe(16)
    await expect.element(dialog).not.toBeInTheDocument()
    mounted(frozenSandbox())
    await expect.poll(() => launcher.element().getBoundingClientRect().left).toBe(16)
  })
})

describe('the button of the panel', () => {
  it('counts error responses, and says that the clock is moved', async () => {
    const sandbox = frozenSandbox({ clock: { mode: 'system' } })
    mounted(sandbox)
    await sandbox.handle(requestOf({ key: null }))
    await sandbox.handle(requestOf({}))
    await expect.element(launcher).toHaveAttribute('title', 'Sandbox panel, 1 error response')
    sandbox.clock.set('2040-01-01')
    await expect.element(launcher).toMatchTextContent('1')
    await expect.poll(() => launcher.element().getAttribute('title')).toMatch(/clock \d+ y/)
  })
})

describe('what the panel does', () => {
  it('moves the clock', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await button(/^Clock/).click()
    await button('+1m').click()
    await expect.poll(() => sandbox.clock.read().now).toBe('2026-01-01T00:01:00Z')
    await expect.element(dialog.getByText(/00:01:00/).first()).toBeVisible()
    // K9: what isn't the default is a chip.
    const chips = dialog.getByRole('list', { name: 'Not the default' })
    await expect.element(chips).toMatchTextContent(/^clock frozen −\d+/)
    await button('Now').click()
    await expect.poll(() => sandbox.clock.read().mode).toBe('system')
  })

  it('says why something cannot be done', async () => {
    const sandbox = frozenSandbox({ clock: { now: '9999-12-31T23:30:00Z', mode: 'frozen' } })
    await opened(sandbox)
    await button(/^Clock/).click()
    await button('+1h').click()
    await expect.element(status).toMatchTextContent(/Cannot advance the clock: it would go beyond/)
  })

  it('makes the next request fail, and sets up scenarios', async () => {
    const sandbox = frozenSandbox()
    const statusOf = async () => Reflect.get(await sandbox.handle(requestOf({})), 'status')
    await opened(sandbox)
    await tab('Make it fail').click()
    await dialog.getByRole('combobox', { name: 'What happens' }).selectOptions('gets 503')
    await button('Arm').click()
    await expect.element(status).toHaveTextContent('Armed: the next request gets 503')
    expect([await statusOf(), await statusOf()]).toEqual([503, 200])
    await button('Set up: Day exhausted').click()
    await expect.poll(() => sandbox.keys.get('free-key').day.remaining).toBe(0)
    await button('Stop: Day exhausted').first().click()
    await expect.poll(() => sandbox.keys.get('free-key').day.remaining).toBe(998)
  })

  it('resets the sandbox, and takes that back', async () => {
    const sandbox = frozenSandbox()
    sandbox.pets.create({ name: 'Rex', categoryId: 1 })
    await opened(sandbox)
    await button('Reset').click()
    await expect.poll(() => sandbox.pets.size).toBe(30)
    await button('Undo').click()
    await expect.poll(() => sandbox.pets.size).toBe(31)
    await expect.element(status).toHaveTextContent('Undone')
  })

  it('says what clients did wrong, as it is found; and judges nobody before it is asked', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    await opened(sandbox)
    await expect.element(latest).toBeVisible()
    expect(sandbox.resultSoFar()).toBeUndefined()
    await tab('Findings').click()
    await expect.element(dialog.getByText(/Called GET/)).toBeVisible()
    await expect.element(tab('Findings')).toHaveTextContent('Findings1')
    await sandbox.handle(requestOf({ url: '/v1/pets' }))
    await expect.element(tab('Findings')).toHaveTextContent('Findings2')
  })
})
