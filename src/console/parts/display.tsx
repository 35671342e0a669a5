import { Component, type ComponentChildren } from 'preact'
import { unknownShape } from '../live/live-store.ts'
import { Sign, type SignName } from './sign.tsx'

/** Sign of each tone, so that the meaning doesn't depend on colour alone. */
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

/** A word on a coloured background: a status, a severity, a state. */
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
  /** Explanation of how to get content here. */
  readonly text?: string | undefined
  readonly children?: ComponentChildren
}

/** Placeholder for an empty list. */
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

/** A row of a list of facts (`<dl class="facts">`); renders nothing for an unknown value. */
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
  /** The values of the bar as text. */
  readonly text: string
}

/** A bar of usage, with its numbers as text beside it. */
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

/** An error message, if there is one. */
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
  /** Shown in place of the error message where a paragraph isn't allowed. */
  readonly instead?: ComponentChildren
  readonly children: ComponentChildren
}

/** Confines a rendering error to a part of the page, which then shows an error message. */
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
