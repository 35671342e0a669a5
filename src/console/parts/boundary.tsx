import { Component, type ComponentChildren } from 'preact'
import { unknownShape } from '../live/live-store.ts'
import { Problem } from './display.tsx'

interface BoundaryProps {
  readonly what: string
  /** What stands there instead, where a paragraph with the error can't. */
  readonly instead?: ComponentChildren
  readonly children: ComponentChildren
}

/** Keeps an error within a part of the page, and says there that the part can't be shown. */
export class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static override getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render({ what, instead, children }: BoundaryProps) {
    if (!this.state.isBroken) return children
    return instead ?? <Problem text={`Cannot show ${what}: ${unknownShape}`} />
  }
}
