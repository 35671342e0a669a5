import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mountPanel, type Panel, type PanelOptions } from '../../src/panel/mount-panel.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

/** Wide enough for the button beside the panel. */
beforeAll(() => page.viewport(900, 800))
afterEach(() => {
  for (const one of document.querySelectorAll('petstore-panel')) one.remove()
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

const launcher = page.getByRole('button', { name: 'Sandbox panel' })
const dialog = page.getByRole('dialog', { name: 'Pet store sandbox' })
const button = (name: string) => dialog.getByRole('button', { name, exact: true })
const tab = (name: string) => dialog.getByRole('tab', { name: new RegExp(`^${name}`) })
const status = dialog.getByRole('status')
const requests = dialog.getByRole('list').first()

describe('mountPanel()', () => {
  it('shows nothing in a browser that a program drives, unless it is asked to', () => {
    expect(mountPanel(frozenSandbox())).toBeUndefined()
    expect(document.querySelector('petstore-panel')).toBeNull()
    expect(mounted(frozenSandbox()).element.isConnected).toBe(true)
  })

  it.each([
    {
      options: { when: 'never' },
      says: 'Cannot set panel.when: found "never"; use one of by-hand',
    },
    {
      options: { corner: 'middle' },
      says: 'Cannot set panel.corner: found "middle"; use one of bottom-right',
    },
  ])('refuses $options', ({ options, says }) => {
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
    const ends = [vi.fn(), vi.fn()] as const
    const [marks, findings] = ends
    vi.spyOn(sandbox.journal, 'subscribeMarks').mockReturnValue(marks)
    vi.spyOn(sandbox, 'subscribeFindings').mockReturnValue(findings)
    const { element } = await opened(sandbox)
    expect(ends.map((end) => end.mock.calls.length)).toEqual([0, 0])
    element.remove()
    expect(ends.map((end) => end.mock.calls.length)).toEqual([1, 1])
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
    await tab('Situations').click()
    await button('503').click()
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
    await userEvent.keyboard('{ArrowRight}')
    await expect.poll(() => focused() === tab('Situations').query()).toBe(true)
    await expect.element(tab('Situations')).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{End}')
    await expect.poll(() => focused() === tab('Findings').query()).toBe(true)
    await userEvent.keyboard('{ArrowRight}')
    await expect.poll(() => focused() === tab('Requests').query()).toBe(true)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(focused()).toBe(button)
  })

  it('is not caught: the next Tab after the last control leaves', async () => {
    const { element } = await opened(frozenSandbox())
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
    await expect.element(requests.getByRole('listitem')).toMatchTextContent(/200GET \/v1\/pets/)
    await sandbox.handle(requestOf({ key: null }))
    await expect
      .element(requests.getByRole('listitem').first())
      .toMatchTextContent(/there is no Authorization header; send Authorization: Bearer <API_KEY>/)
    expect(requests.getByRole('listitem').elements()).toHaveLength(2)
  })

  it('are at most 20', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 25; count++)
      await sandbox.handle(requestOf({ url: `/v1/${count}` }))
    await opened(sandbox)
    expect(requests.getByRole('listitem').elements()).toHaveLength(20)
    await expect.element(requests.getByRole('listitem').first()).toMatchTextContent(/\/v1\/24/)
  })

  it('stand still while they are paused, and say how many have come', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await button('Pause').click()
    await sandbox.handle(requestOf({}))
    await expect.element(dialog.getByText('1 more since the pause')).toBeVisible()
    expect(requests.getByRole('listitem').elements()).toHaveLength(0)
    await button('Pause').click()
    await expect.element(requests.getByRole('listitem')).toBeVisible()
  })

  it('show both messages when they are opened', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
    await opened(sandbox)
    await dialog.getByText('createPet; spec 4.2').click()
    await expect.element(dialog.getByText(/content-type: application\/json/).first()).toBeVisible()
    await expect.element(dialog.getByText(/"id": 31/)).toBeVisible()
  })

  it('are text, whatever is in them', async () => {
    const sandbox = frozenSandbox()
    const markup = '<img src=x onerror="document.title = 1"><script>document.title = 1</script>'
    const json = JSON.stringify({ name: markup, categoryId: 1, [markup]: markup })
    const headers = { 'x-note': markup }
    await sandbox.handle(requestOf({ url: `/v1/pets?${markup}`, headers, json }))
    const { element } = await opened(sandbox)
    await dialog.getByText('createPet; spec 4.2').click()
    await expect.element(dialog.getByText(`/v1/pets?${markup}`, { exact: true })).toBeVisible()
    expect(element.shadowRoot?.querySelectorAll('img, script')).toHaveLength(0)
  })
})

describe('the key in the panel', () => {
  it('is the one in use, with what both windows have left', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await sandbox.handle(requestOf({ key: 'pro-key' }))
    await expect.element(dialog.getByLabelText('Key').getByRole('combobox')).toHaveValue('pro-key')
    const minute = dialog.getByRole('meter', { name: 'Minute' })
    await expect.element(minute).toMatchTextContent('299 of 300, resets in 1 min')
    const day = dialog.getByRole('meter', { name: 'Day' })
    await expect.element(day).toHaveAttribute('value', '9999')
  })

  it('is another one, if it is chosen', async () => {
    await opened(frozenSandbox())
    await dialog.getByRole('combobox').selectOptions('banned-key')
    await expect.element(dialog.getByText(/banned, 5 min left/)).toBeVisible()
  })
})

describe('what the panel does', () => {
  it('moves the clock', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await button('+1 min').click()
    expect(sandbox.clock.read().now).toBe('2026-01-01T00:01:00Z')
    await expect.element(dialog.getByText('2026-01-01 00:01:00')).toBeVisible()
    await expect.element(status).toHaveTextContent('The clock is a minute later.')
    await button('Run').click()
    expect(sandbox.clock.read().mode).toBe('offset')
    await button('Freeze').click()
    expect(sandbox.clock.read().mode).toBe('frozen')
    await button("Now: the system's time").click()
    expect(sandbox.clock.read().mode).toBe('system')
  })

  it('moves the clock to where the key is served again', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await opened(sandbox)
    await button('To the reset').click()
    expect(sandbox.keys.get('free-key')).toMatchObject({
      state: 'active',
      minute: { remaining: 60 },
    })
    sandbox.keys.change('free-key', { ban: '10m' })
    await button('To the reset').click()
    expect(sandbox.clock.read().now).toBe('2026-01-01T00:11:00Z')
    await expect.element(status).toHaveTextContent('free-key is no longer banned.')
  })

  it('says why something cannot be done', async () => {
    const sandbox = frozenSandbox({ clock: { now: '9999-12-31', mode: 'frozen' } })
    await opened(sandbox)
    await button('+1 day').click()
    await expect.element(status).toMatchTextContent(/Cannot advance the clock: it would go beyond/)
  })

  it('makes the next request fail, or all of them until that is cleared', async () => {
    const sandbox = frozenSandbox()
    const statusOf = async () => Reflect.get(await sandbox.handle(requestOf({})), 'status')
    await opened(sandbox)
    await tab('Situations').click()
    await button('503').click()
    await expect.element(status).toHaveTextContent('The next request goes wrong: 503.')
    expect([await statusOf(), await statusOf()]).toEqual([503, 200])
    await expect.element(dialog.getByText('status 503', { exact: true })).not.toBeInTheDocument()
    await dialog.getByRole('radio', { name: 'all requests' }).click()
    await button('500').click()
    expect([await statusOf(), await statusOf()]).toEqual([500, 500])
    await button('Remove status 500').click()
    expect(await statusOf()).toBe(200)
    await button('500').click()
    await button('Clear all').click()
    expect(sandbox.faults.list()).toEqual([])
  })

  it('sets up situations', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await tab('Situations').click()
    await dialog.getByRole('button', { name: /Day used up/ }).click()
    expect(sandbox.keys.get('free-key').day.remaining).toBe(0)
    await expect.element(status).toHaveTextContent('Set up: Day used up.')
  })

  it('resets the sandbox, and takes that back', async () => {
    const sandbox = frozenSandbox()
    sandbox.pets.create({ name: 'Rex', categoryId: 1 })
    await opened(sandbox)
    await button('Reset').click()
    expect(sandbox.pets.size).toBe(30)
    await button('Undo').click()
    expect(sandbox.pets.size).toBe(31)
    await expect.element(status).toHaveTextContent('The reset is undone.')
  })

  it('says what clients did wrong, as it is found', async () => {
    const sandbox = frozenSandbox()
    await opened(sandbox)
    await tab('Findings').click()
    await expect.element(dialog.getByText('Nothing to complain of so far.')).toBeVisible()
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    await expect.element(dialog.getByText(/Called GET/)).toBeVisible()
    await expect.element(tab('Findings')).toHaveTextContent('Findings1')
  })
})
