import type { Sandbox } from 'petstore-sandbox'
import { mountPanel } from 'petstore-sandbox/panel'

/** Creates a plugin for `<TanStackDevtools plugins={[petstorePlugin(sandbox)]} />`. */
export const petstorePlugin = (sandbox: Sandbox) => ({
  name: 'Pet store',
  render(parent: HTMLElement, { theme }: { theme: string }) {
    parent.style.colorScheme = theme
    mountPanel(sandbox, { parent, reload: true })
    return <></>
  },
})
