import { readInput } from '../input/schema.ts'
import type { Sandbox } from '../sandbox.ts'
import { createPanelElement, panelTag } from './panel-element.ts'
import { type PanelOptions, panelOptions } from './panel-options.ts'

export type { PanelOptions } from './panel-options.ts'

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
 */
export function mountPanel(sandbox: Sandbox, options: PanelOptions = {}): Panel | undefined {
  const { when, corner } = readInput(panelOptions, options)
  if (when === 'by-hand' && navigator.webdriver) return undefined
  for (const other of document.querySelectorAll(panelTag)) other.remove()
  const element = createPanelElement(sandbox, corner)
  // Beside the body, whose children pages replace.
  document.documentElement.append(element)
  return {
    element,
    open: () => element.open(),
    close: () => element.close(),
    remove: () => element.remove(),
  }
}
