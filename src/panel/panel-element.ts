import type { Sandbox } from '../sandbox.ts'
import { adopt } from './adopt.ts'
import { followModals, putWhereUsable } from './follow-modals.ts'
import { createLauncher } from './launcher.ts'
import css from './panel-element.css?inline'
import type { Corner } from './panel-options.ts'

/** The name of the element. */
export const panelTag = 'petstore-panel'

/** What ends in the panel: a page that listens on its document, for shortcuts or clicks beside its menu, isn't meant. */
const ownEvents = ['keydown', 'keyup', 'keypress', 'pointerdown', 'mousedown', 'click', 'focusin']

/** A button and the panel that it opens, out of reach of the page's styles. */
class PanelElement extends (globalThis.HTMLElement ?? Object) {
  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #frame = document.createElement('aside')
  readonly #launcher = createLauncher(() => void this.#toggle())
  readonly #sandbox: Sandbox
  #end: (() => void) | undefined
  #unfollow: (() => void) | undefined
  /** Counts openings and closings, so that one that comes too late is known. */
  #turn = 0

  constructor(sandbox: Sandbox, corner: Corner) {
    super()
    this.#sandbox = sandbox
    adopt(this.#root, css)
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
    this.#unfollow ??= followModals(this)
    putWhereUsable(this)
  }

  disconnectedCallback(): void {
    // Put elsewhere, and not taken out.
    if (this.isConnected) return
    if (this.parentNode !== null) {
      // The dialog that it was in has gone.
      putWhereUsable(this)
      return
    }
    this.#unfollow?.()
    this.#unfollow = undefined
    this.close()
  }

  async open(): Promise<void> {
    if (this.#end !== undefined || !this.isConnected) return
    this.#turn++
    const turn = this.#turn
    const { showPanel } = await import('./view/show-panel.tsx')
    if (turn !== this.#turn) return
    this.#launcher.ariaExpanded = 'true'
    this.#end = showPanel(this.#frame, this.#sandbox, () => this.close())
  }

  close(): void {
    this.#turn++
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

/**
 * Makes the element for a sandbox, which is to be put into the document.
 *
 * @throws Error when another copy of the package has an element of this name in the page.
 */
export function createPanelElement(sandbox: Sandbox, corner: Corner): PanelElement {
  // Not before it is needed, since this module is read where there are no elements, too.
  const known = customElements.get(panelTag)
  if (known === undefined) customElements.define(panelTag, PanelElement)
  else if (known !== PanelElement) {
    throw new Error(
      `Cannot show the panel: the page has another <${panelTag}>; load petstore-sandbox/panel once`,
    )
  }
  return new PanelElement(sandbox, corner)
}
