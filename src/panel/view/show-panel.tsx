import { render } from 'preact'
import type { Sandbox } from '../../sandbox.ts'
import { adopt } from '../adopt.ts'
import css from './panel.css?inline'
import { PanelStore } from './panel-store.ts'
import { PanelView } from './panel-view.tsx'

/**
 * Shows a panel over a sandbox at the end of a frame.
 *
 * @param close Called when the user has done with it.
 * @returns What takes it away, and ends what it does.
 */
export function showPanel(frame: HTMLElement, sandbox: Sandbox, close: () => void): () => void {
  const root = frame.getRootNode()
  const dropStyles = root instanceof ShadowRoot ? adopt(root, css) : () => {}
  const place = document.createElement('div')
  place.className = 'place'
  place.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    // It is not for the page's dialog, in which the panel may be.
    event.preventDefault()
    close()
  })
  frame.append(place)
  const store = new PanelStore(sandbox)
  render(<PanelView store={store} close={close} />, place)
  return () => {
    store.end()
    render(null, place)
    place.remove()
    dropStyles()
  }
}
