import { Component, type ComponentChildren } from 'preact'
import { unknownShape } from '../live/live-store.ts'
import { Sign, type SignName } from './sign.tsx'

/** The sign of each tone, so that colour is never alone. */
const signs = {
  good: 'good',
  rejected: 'rejected',
  limited: 'limited',
  broken: 'broken',
  waiting: 'waiting',
  warning: 'rejected',
  error: 'broken',
  info: 'info',
  neutral: undefined,
} as const satisfies Record<string, SignName | undefined>

export type Tone = keyof typeof signs

/** A word on a ground of its colour: a status, a severity, a state. */
export function Pill({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  const sign = signs[tone]
  return (
    <span class={`pill ${tone}`}>
      {sign === undefined ? null : <Sign name={sign} />}
      {text}
    </span>
  )
}

interface EmptyProps {
  readonly title: string
  /** What would put something here. */
  readonly text?: string | undefined
  readonly children?: ComponentChildren
}

/** Stands where there is nothing to show yet. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div class="stack empty">
      <Sign name="paw" />
      <p>
        <b>{title}</b>
      </p>
      {text === undefined ? null : <p>{text}</p>}
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
  if (children === undefined || children === null) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface MeterProps {
  readonly label: string
  readonly used: number
  readonly limit: number
  /** What the bar shows, in words. */
  readonly text: string
}

/** A bar of what is used, with its numbers in words beside it. */
export function Meter({ label, used, limit, text }: MeterProps) {
  const share = used / Math.max(limit, 1)
  const tone = share >= 1 ? 'full' : share > 0.8 ? 'scarce' : 'normal'
  return (
    <span class={`meter ${tone}`}>
      <meter min={0} max={Math.max(limit, 1)} value={used} aria-label={`${label}: ${text}`} />
      <span aria-hidden="true">{text}</span>
    </span>
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
