import type { Sandbox } from 'petstore-sandbox'
import { mountPanel } from 'petstore-sandbox/panel'

/** Shows the panel of a sandbox, and returns a function that removes it. */
export function showPanel(sandbox: Sandbox): () => void {
  const panel = mountPanel(sandbox, { corner: 'bottom-left' })
  return () => panel?.remove()
}
