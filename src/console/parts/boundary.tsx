import { Component, type ComponentChildren } from 'preact'
import { Problem } from './problem.tsx'

interface BoundaryProps {
  readonly what: string
  /** What stands there instead, where a paragraph with the error can't. */
  readonly instead?: ComponentChildren
  readonly children: ComponentChildren
}

/** Keeps an error within a part of the page, and says it there. */
export class Boundary extends Component<BoundaryProps, { readonly problem: unknown }> {
  override state = { problem: undefined }

  static override getDerivedStateFromError(problem: unknown) {
    return { problem }
  }

  override render({ what, instead, children }: BoundaryProps) {
    const { problem } = this.state
    if (problem === undefined) return children
    if (instead !== undefined) return instead
    return <Problem text={`Cannot show ${what}: ${problem}`} />
  }
}
