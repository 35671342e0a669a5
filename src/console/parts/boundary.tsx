import { Component, type ComponentChildren } from 'preact'

interface BoundaryProps {
  readonly what: string
  readonly children: ComponentChildren
}

/** Keeps an error within a part of the page, and says it there. */
export class Boundary extends Component<BoundaryProps, { readonly problem: unknown }> {
  override state = { problem: undefined }

  static override getDerivedStateFromError(problem: unknown) {
    return { problem }
  }

  override render({ what, children }: BoundaryProps) {
    const { problem } = this.state
    if (problem === undefined) return children
    return (
      <p class="problem" role="alert">
        Cannot show {what}: {String(problem)}
      </p>
    )
  }
}
