import { object, withDefault } from '../input/object.ts'
import { type Given, readInput } from '../input/schema.ts'
import { oneOf } from '../input/values.ts'
import type { Sandbox } from '../sandbox.ts'
import { createPanelElement, panelTag } from './panel-element.ts'

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
