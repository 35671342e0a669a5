import type { PanelStore } from './panel-store.ts'

/** What the parts of a panel are given. */
export interface PartProps {
  readonly store: PanelStore
}
