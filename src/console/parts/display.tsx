import { Component, type ComponentChildren } from 'preact'
import { unknownShape } from '../live/live-store.ts'

/** What a badge says, beside its text: each tone has a shape of its own, so that colour is never alone. */
const shapes = {
  good: '●',
  refused: '▲',
  limited: '◆',
  broken: '✕',
  warning: '▲',
  error: '✕',
  info: '○',
  neutral: '',
} as const

export type Tone = keyof typeof shapes

/** A word with a shape: a status, a severity, a state. */
export function Badge({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return (
    <span class={`badge ${tone}`}>
      {shapes[tone] === '' ? null : <span aria-hidden="true">{shapes[tone]}</span>}
      {text}
    </span>
  )
}

interface EmptyProps {
  readonly title: string
  /** What would put something here. */
  readonly text: string | undefined
  readonly children?: ComponentChildren
}

/** Stands where there is nothing to show yet. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div class="stack empty">
      <p>
        <b>{title}</b>
      </p>
      <p>{text}</p>
      {children}
    </div>
  )
}

interface FactProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** A row of a list of facts (`<dl class="facts">`); nothing for what isn't known. */
export function Fact({ title, children }: FactProps) {
  if (children === undefined) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface MeterProps {
  readonly label: string
  readonly value: number
  readonly most: number
  /** What the bar shows, in words. */
  readonly text: string
  readonly tone?: 'normal' | 'scarce'
}

/** A bar with its numbers in words beside it. */
export function Meter({ label, value, most, text, tone = 'normal' }: MeterProps) {
  const whole = Math.max(most, 1)
  return (
    <div class="meter">
      <span>{label}</span>
      <meter class="unseen" aria-label={label} min={0} max={whole} value={value}>
        {text}
      </meter>
      <div class={tone} style={{ '--share': `${(100 * value) / whole}%` }} aria-hidden="true" />
      <span>{text}</span>
    </div>
  )
}

/** What went wrong, if something did. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  )
}

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
