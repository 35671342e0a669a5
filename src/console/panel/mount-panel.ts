import { object, withDefault } from '../../mock/input/object.ts'
import { type Input, readInput } from '../../mock/input/schema.ts'
import { oneOf } from '../../mock/input/values.ts'
import type { Sandbox } from '../../mock/sandbox.ts'
import css from './panel-element.css?inline'
import type { PanelMemory } from './panel-memory.ts'

/** How a panel is shown. */
const panelOptions = object(
  {
    /**
     * `not-automated`, the default, leaves it out of a browser that a program drives (`navigator.webdriver`), where it would be
     * in screenshots and in the way of clicks; `always` doesn't.
     */
    when: withDefault(oneOf(['not-automated', 'always']), 'not-automated'),
    /** Where its button is. */
    corner: withDefault(
      oneOf(['bottom-right', 'bottom-left', 'top-right', 'top-left']),
      'bottom-right',
    ),
  },
  { title: 'panel', example: '{ "corner": "bottom-left" }' },
)

/** How a panel is shown. */
export type PanelOptions = Input<typeof panelOptions>

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
  if (when === 'not-automated' && navigator.webdriver) return undefined
  for (const other of document.querySelectorAll(panelTag)) other.remove()
  // Not before it is needed, since this module is read where there are no elements, too.
  const known = customElements.get(panelTag)
  if (known === undefined) customElements.define(panelTag, PanelElement)
  else if (known !== PanelElement) {
    throw new Error(
      `Cannot show the panel: the page has another <${panelTag}>; load petstore-sandbox/panel once`,
    )
  }
  const element = new PanelElement(sandbox, corner)
  // Beside the body, whose children pages replace.
  document.documentElement.append(element)
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
    ariaExpanded: 'false',
    // What goes wrong is said in the panel's place.
    onclick: () => void this.#toggle().catch(() => {}),
  })
  readonly #sandbox: Sandbox
  /** Sees a modal dialog of the page open and close. */
  readonly #modals = new MutationObserver(() => putWhereUsable(this))
  #end: (() => void) | undefined
  /** Ends what its button does besides opening the panel. */
  #endButton: (() => void) | undefined
  #live: typeof import('./live-button.ts') | undefined
  #keep: PanelMemory | undefined
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
    frame.append(this.#launcher)
    for (const name of ownEvents) frame.addEventListener(name, (event) => event.stopPropagation())
    this.#root.append(frame)
  }

  connectedCallback(): void {
    // In the top layer: above all that the page has, however it stacks it.
    this.#frame.showPopover()
    this.#modals.observe(document, { subtree: true, attributeFilter: ['open'] })
    putWhereUsable(this)
    void this.#enliven().catch(() => {})
  }

  /** Loads what the button does besides opening the panel, and what the panel remembers. */
  async #enliven(): Promise<void> {
    this.#live ??= await import('./live-button.ts')
    if (!this.isConnected) return
    this.#endButton ??= this.#live.enlivenButton(this.#sandbox, this.#launcher, this.#frame)
    if (this.#live.restore(this.#frame)) await this.open()
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
    this.#endButton?.()
    this.#endButton = undefined
    this.#close()
  }

  async open(): Promise<void> {
    if (!this.isConnected) return
    this.#isWanted = true
    try {
      const { showPanel, panelStyles, keep } = await import('./show-panel.tsx')
      if (!this.#isWanted || this.#end !== undefined) return
      this.#root.adoptedStyleSheets = [css, panelStyles].map(sheetOf)
      this.#end = showPanel({
        sandbox: this.#sandbox,
        frame: this.#frame,
        close: () => this.close(),
        keep,
      })
      this.#keep = keep
    } catch (error) {
      throw this.#live?.showFailure(this.#frame, error) ?? error
    }
    this.#launcher.ariaExpanded = 'true'
    this.#keep({ open: true })
  }

  close(): void {
    this.#keep?.({ open: false })
    this.#close()
  }

  #close(): void {
    this.#isWanted = false
    this.#root.querySelector('.failure')?.remove()
    const focused = this.#root.activeElement
    this.#launcher.ariaExpanded = 'false'
    this.#end?.()
    this.#end = undefined
    if (focused !== null) this.#launcher.focus()
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
