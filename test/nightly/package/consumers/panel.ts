import { createSandbox } from 'petstore-sandbox'
import { mountPanel, type Panel, type PanelOptions } from 'petstore-sandbox/panel'

const options: PanelOptions = { when: 'always', corner: 'bottom-left' }

/** Needs a page; elsewhere it is only imported. */
export async function open(): Promise<HTMLElement | undefined> {
  // @ts-expect-error: there is no such corner.
  void ({ corner: 'middle' } satisfies PanelOptions)
  const panel: Panel | undefined = mountPanel(createSandbox(), options)
  await panel?.open()
  return panel?.element
}
