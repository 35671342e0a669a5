import { object, optional, withDefault } from '../../mock/input/object.ts'
import { type Input, type Output, readInput } from '../../mock/input/schema.ts'
import { custom, flag, oneOf } from '../../mock/input/values.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import css from './panel-element.css?inline'
import type { PanelMemory } from './panel-memory.ts'
import type { ScenarioWalk } from './scenario-walk.ts'

/** Options for showing a panel. */
const panelOptions = object(
  {
    /**
     * Browsers in which the panel appears: `always` for all, `not-automated` (the default) for all but automated ones
     * (`navigator.webdriver`), in which it would be in screenshots and block clicks.
     */
    when: withDefault(oneOf(['not-automated', 'always']), 'not-automated'),
    /** Corner of the page for the button; `bottom-right` by default. */
    corner: withDefault(
      oneOf(['bottom-right', 'bottom-left', 'top-right', 'top-left']),
      'bottom-right',
    ),
    /** Element of the page to fill with the panel, without a button; by default the panel is above the page. */
    parent: optional(custom<HTMLElement>('an element of the page', isElement)),
    /**
     * Whether each step through the scenarios reloads the page with `?scenario=NAME` in its address, for a page that calls
     * `startWorker()`, which reads it. By default a step resets the sandbox and sets up the scenario at once.
     */
    reload: withDefault(flag, false),
  },
  { title: 'panel', example: '{ "corner": "bottom-left" }' },
)

/** Options for showing a panel. */
export interface PanelOptions extends Input<typeof panelOptions> {}

/** A panel in the page. */
export interface Panel {
  /** The `<petstore-panel>` element, at the end of the document or in its parent. */
  readonly element: HTMLElement
  /** Opens the panel; resolves once it is shown. */
  open(): Promise<void>
  /** Closes the panel; its button stays. */
  close(): void
  /** Removes the panel from the page. */
  remove(): void
}

/**
 * Adds a button to a corner of the page, which opens a panel for a sandbox: its latest requests with the reasons for
 * their responses, the remaining quota of a key, the clock, scenarios and faults, and findings about clients. With `parent`,
 * shows the panel in that element instead.
 *
 * A document has one panel: a new one replaces the old.
 *
 * @returns `undefined` in an automated browser, unless `when` is `always`.
 * @throws {@link InputError} for an invalid option.
 * @throws Error if another copy of the package has defined this element in the page.
 */
export function mountPanel(sandbox: Sandbox, options: PanelOptions = {}): Panel | undefined {
  const { when, ...shown } = readInput(panelOptions, options)
  if (when === 'not-automated' && navigator.webdriver) return undefined
  for (const other of document.querySelectorAll(panelTag)) other.remove()
  // Defined on first use, since this module is also imported where custom elements don't exist.
  const known = customElements.get(panelTag)
  if (known === undefined) customElements.define(panelTag, PanelElement)
  else if (known !== PanelElement) {
    throw new Error(
      `Cannot show the panel: the page has another <${panelTag}>; load petstore-sandbox/panel once`,
    )
  }
  const element = new PanelElement(sandbox, shown)
  // By default outside the body, whose children pages replace.
  const parent = shown.parent ?? document.documentElement
  parent.append(element)
  return {
    element,
    open: () => element.open(),
    close: () => element.close(),
    remove: () => element.remove(),
  }
}

const panelTag = 'petstore-panel'

function isElement(found: unknown): found is HTMLElement {
  return found instanceof HTMLElement
}

/**
 * Events that don't leave the panel, so that listeners of the page for shortcuts or outside clicks don't handle them.
 */
const ownEvents = ['keydown', 'keyup', 'keypress', 'pointerdown', 'mousedown', 'click', 'focusin']

/** A button and the panel that it opens, or the panel alone; isolated from the page's styles. */
class PanelElement extends (globalThis.HTMLElement ?? Object) {
  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #frame = document.createElement('aside')
  readonly #launcher = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'launcher',
    ariaLabel: 'Sandbox panel',
    ariaExpanded: 'false',
    // The error is already shown in the panel's place.
    onclick: () => void this.#toggle().catch(() => {}),
  })
  readonly #walk: ScenarioWalk
  /** Whether it is the panel alone, in an element of the page. */
  readonly #isInside: boolean
  /** Notices when a modal dialog of the page opens or closes. */
  readonly #modals = new MutationObserver(() => putWhereUsable(this))
  #end: (() => void) | undefined
  /** Undoes `enlivenButton()` or `listenToKeys()`. */
  #endKeys: (() => void) | undefined
  #live: typeof import('./live-button.ts') | undefined
  #keep: PanelMemory | undefined
  /** Whether the panel should be open once it is loaded. */
  #isWanted = false

  constructor(
    sandbox: Sandbox,
    { corner, parent, reload }: Omit<Output<typeof panelOptions>, 'when'>,
  ) {
    super()
    this.#isInside = parent !== undefined
    this.#walk = { sandbox, frame: this.#frame, reload }
    this.#root.adoptedStyleSheets = [sheetOf(css)]
    const frame = this.#frame
    frame.className = this.#isInside ? 'inside' : corner
    frame.ariaLabel = 'petstore-sandbox'
    if (!this.#isInside) {
      frame.popover = 'manual'
      frame.append(this.#launcher)
    }
    for (const name of ownEvents) frame.addEventListener(name, (event) => event.stopPropagation())
    this.#root.append(frame)
  }

  connectedCallback(): void {
    if (!this.#isInside) {
      // In the top layer, above everything in the page.
      this.#frame.showPopover()
      this.#modals.observe(document, { subtree: true, attributeFilter: ['open'] })
      putWhereUsable(this)
    }
    void this.#enliven().catch(() => {})
  }

  /** Loads the keys, and the badge and drag support of the button; opens the panel if it was open before. */
  async #enliven(): Promise<void> {
    this.#live ??= await import('./live-button.ts')
    if (!this.isConnected) return
    const { enlivenButton, listenToKeys, restore } = this.#live
    this.#endKeys ??= this.#isInside
      ? listenToKeys(this.#walk)
      : enlivenButton(this.#walk, this.#launcher)
    if (this.#isInside || restore(this.#frame)) await this.open()
  }

  disconnectedCallback(): void {
    // The element was moved, not removed.
    if (this.isConnected) return
    if (this.parentNode !== null && !this.#isInside) {
      // The dialog around the element was removed.
      putWhereUsable(this)
      return
    }
    this.#modals.disconnect()
    this.#endKeys?.()
    this.#endKeys = undefined
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
        walk: this.#walk,
        close: this.#isInside ? undefined : () => this.close(),
        keep,
      })
      this.#keep = keep
    } catch (error) {
      throw this.#live?.showFailure(this.#frame, error) ?? error
    }
    this.#launcher.ariaExpanded = 'true'
    if (!this.#isInside) this.#keep({ open: true })
  }

  close(): void {
    if (!this.#isInside) this.#keep?.({ open: false })
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
    // Only on a click: code that opens the panel must not move the focus.
    this.#root.querySelector<HTMLElement>('[role=dialog]')?.focus()
  }
}

/** Creates a style sheet from a text, in the way that a page's content security policy (`style-src`) allows. */
function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
}

/**
 * Moves an element into the page's modal dialog, which makes everything else inert; without a dialog, to the end of the
 * page.
 */
function putWhereUsable(element: HTMLElement): void {
  const home = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement
  if (element.parentNode !== home) home.append(element)
}
