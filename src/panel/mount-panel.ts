import { object, withDefault } from '../input/object.ts'
import { type Given, readInput } from '../input/schema.ts'
import { oneOf } from '../input/values.ts'
import type { Sandbox } from '../sandbox.ts'
import css from './panel-element.css?inline'
import { keep, readKept } from './panel-memory.ts'

/** How a panel is shown. */
const panelOptions = object(
  {
    /**
     * `by-hand`, the default, leaves it out of a browser that a program drives (`navigator.webdriver`), where it would be
     * in screenshots and in the way of clicks; `always` doesn't.
     */
    when: withDefault(oneOf(['by-hand', 'always']), 'by-hand'),
    /** Where its button is. */
    corner: withDefault(
      oneOf(['bottom-right', 'bottom-left', 'top-right', 'top-left']),
      'bottom-right',
    ),
  },
  { title: 'panel', example: '{ "corner": "bottom-left" }' },
)

/** How a panel is shown. */
export type PanelOptions = Given<typeof panelOptions>

/** A panel in the page. */
export interface Panel {
  /** The `<petstore-panel>`, at the end of the document. */
  readonly element: HTMLElement
  /** Opens it; resolves once it is there. */
  open(): Promise<void>
  close(): void
  /** Takes it out of the page. */
  remove(): void
}

/**
 * Puts a button into a corner of the page, which opens a panel over a sandbox: its latest requests and why they were
 * answered so, what a key has left, the clock, situations and faults at a click, and what clients did wrong.
 *
 * A document has one panel: a new one takes the place of the old.
 *
 * @returns `undefined` in a browser that a program drives, unless `when` is `always`.
 * @throws {@link InputError} for an option that can't be used.
 * @throws Error when another copy of the package has an element of this name in the page.
 */
export function mountPanel(sandbox: Sandbox, options: PanelOptions = {}): Panel | undefined {
  const { when, corner } = readInput(panelOptions, options)
  if (when === 'by-hand' && navigator.webdriver) return undefined
  for (const other of document.querySelectorAll(panelTag)) other.remove()
  // Not before it is needed, since this module is read where there are no elements, too.
  const known = customElements.get(panelTag)
  if (known === undefined) customElements.define(panelTag, PanelElement)
  else if (known !== PanelElement) {
    throw new Error(
      `Cannot show the panel: the page has another <${panelTag}>; load petstore-sandbox/panel once`,
    )
  }
  const kept = readKept()
  const element = new PanelElement(sandbox, kept.corner ?? corner)
  // Beside the body, whose children pages replace.
  document.documentElement.append(element)
  if (kept.open) void element.open().catch(() => {})
  // biome-ignore lint/suspicious/noConsole: where a developer who wonders looks
  console.info('petstore-sandbox: open the panel with the paw in the corner, or Alt+Shift+P')
  return {
    element,
    open: () => element.open(),
    close: () => element.close(),
    remove: () => element.remove(),
  }
}

/** The name of the element. */
const panelTag = 'petstore-panel'

/** What ends in the panel: a page that listens on its document, for shortcuts or clicks beside its menu, isn't meant. */
const ownEvents = ['keydown', 'keyup', 'keypress', 'pointerdown', 'mousedown', 'click', 'focusin']

/** A button and the panel that it opens, out of reach of the page's styles. */
class PanelElement extends (globalThis.HTMLElement ?? Object) {
  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #frame = document.createElement('aside')
  readonly #launcher = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'launcher',
    ariaLabel: 'Sandbox panel',
    title: 'Sandbox panel',
    ariaExpanded: 'false',
    // What goes wrong is said in the panel's place.
    onclick: () => void (this.#hasMoved || this.#toggle().catch(() => {})),
  })
  readonly #badge = document.createElement('span')
  #hasMoved = false
  #ticking: ReturnType<typeof setInterval> | undefined
  #lastId = 0
  #errors = 0
  readonly #failure = document.createElement('p')
  readonly #sandbox: Sandbox
  /** Sees a modal dialog of the page open and close. */
  readonly #modals = new MutationObserver(() => putWhereUsable(this))
  #end: (() => void) | undefined
  /** Whether it is to be open, once it is loaded. */
  #isWanted = false

  constructor(sandbox: Sandbox, corner: string) {
    super()
    this.#sandbox = sandbox
    this.#root.adoptedStyleSheets = [sheetOf(css)]
    const frame = this.#frame
    frame.popover = 'manual'
    frame.className = corner
    frame.ariaLabel = 'petstore-sandbox'
    this.#launcher.append(this.#badge)
    frame.append(this.#launcher)
    this.#letDrag()
    for (const name of ownEvents) frame.addEventListener(name, (event) => event.stopPropagation())
    this.#root.append(frame)
  }

  connectedCallback(): void {
    // In the top layer: above all that the page has, however it stacks it.
    this.#frame.showPopover()
    this.#modals.observe(document, { subtree: true, attributeFilter: ['open'] })
    putWhereUsable(this)
    this.#ticking ??= setInterval(() => this.#count(), 500)
    addEventListener('keydown', this.#onKey)
  }

  readonly #onKey = ({ altKey, shiftKey, code }: KeyboardEvent): void => {
    if (altKey && shiftKey && code === 'KeyP') this.#launcher.click()
  }

  /** Counts error responses and findings on the button, and says that the clock isn't the system's. */
  #count(): void {
    const { journal, clock } = this.#sandbox
    const { id } = journal.position
    if (id < this.#lastId) this.#errors = 0
    if (id > this.#lastId) {
      const come = journal.entries({ after: this.#lastId, bodies: false })
      this.#errors += come.filter(
        (one) => !('status' in one.outcome && one.outcome.status < 400),
      ).length
    }
    this.#lastId = id
    const found = this.#sandbox.judgementSoFar()?.findings.length ?? 0
    const years = Math.round((clock.now() - Date.now()) / 31_557_600_000)
    const isMoved = Math.abs(clock.now() - Date.now()) > 60_000
    const parts = [
      this.#errors > 0 ? `${this.#errors} error responses` : '',
      found > 0 ? `${found} findings` : '',
      isMoved ? `clock ${years === 0 ? 'moved' : `${years} y`}` : '',
    ].filter(Boolean)
    this.#badge.textContent = String(this.#errors + found || (isMoved ? '◷' : ''))
    this.#launcher.title = ['Sandbox panel', ...parts].join(', ')
  }

  /** Lets the button be dragged to another corner, and remembers which. */
  #letDrag(): void {
    const button = this.#launcher
    button.onpointerdown = ({ clientX, clientY, pointerId }) => {
      this.#hasMoved = false
      button.onpointermove = (event) => {
        const [x, y] = [event.clientX - clientX, event.clientY - clientY]
        if (Math.hypot(x, y) < 6) return
        button.setPointerCapture(pointerId)
        this.#hasMoved = true
        button.style.translate = `${x}px ${y}px`
      }
      button.onpointerup = (event) => {
        button.onpointermove = null
        button.style.translate = ''
        if (!this.#hasMoved) return
        const side = event.clientX > innerWidth / 2 ? 'right' : 'left'
        const corner = `${event.clientY > innerHeight / 2 ? 'bottom' : 'top'}-${side}`
        this.#frame.className = corner
        keep({ corner })
      }
    }
  }

  disconnectedCallback(): void {
    // Put elsewhere, and not taken out.
    if (this.isConnected) return
    if (this.parentNode !== null) {
      // The dialog that it was in has gone.
      putWhereUsable(this)
      return
    }
    this.#modals.disconnect()
    clearInterval(this.#ticking)
    removeEventListener('keydown', this.#onKey)
    this.#close()
  }

  async open(): Promise<void> {
    if (!this.isConnected) return
    this.#isWanted = true
    try {
      const { showPanel, panelStyles } = await import('./show-panel.tsx')
      if (!this.#isWanted || this.#end !== undefined) return
      this.#root.adoptedStyleSheets = [css, panelStyles].map(sheetOf)
      this.#end = showPanel({
        sandbox: this.#sandbox,
        frame: this.#frame,
        close: () => this.close(),
        keep,
      })
    } catch (error) {
      throw this.#sayWhy(error)
    }
    this.#launcher.ariaExpanded = 'true'
    keep({ open: true })
  }

  close(): void {
    keep({ open: false })
    this.#close()
  }

  #close(): void {
    this.#isWanted = false
    this.#failure.remove()
    const focused = this.#root.activeElement
    this.#launcher.ariaExpanded = 'false'
    this.#end?.()
    this.#end = undefined
    if (focused !== null) this.#launcher.focus()
  }

  /** Says in the panel's place why it can't be shown; returns the error to throw. */
  #sayWhy(error: unknown): Error {
    const reason = Object.isFrozen(Object.prototype)
      ? "the page has frozen JavaScript's prototypes"
      : String(error)
    const why = new Error(`Cannot open the panel: ${reason}`, { cause: error })
    this.#failure.className = 'failure'
    this.#failure.role = 'alert'
    this.#failure.textContent = why.message
    this.#frame.append(this.#failure)
    return why
  }

  async #toggle(): Promise<void> {
    if (this.#end !== undefined) {
      this.close()
      return
    }
    await this.open()
    // By hand only: a program that opens it leaves the user where he is.
    this.#root.querySelector<HTMLElement>('[role=dialog]')?.focus()
  }
}

/** Makes a style sheet of a text, in the way that a page's policy (`style-src`) lets pass. */
function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
}

/** Puts an element within the page's modal dialog while there is one, which makes all else inert; else at the page's end. */
function putWhereUsable(element: HTMLElement): void {
  const home = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement
  if (element.parentNode !== home) home.append(element)
}
