import { object, withDefault } from '../input/object.ts'
import type { Given, Read } from '../input/schema.ts'
import { oneOf } from '../input/values.ts'

/** How a panel is shown. */
export const panelOptions = object(
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

/** Where the button of a panel is. */
export type Corner = Read<typeof panelOptions>['corner']
