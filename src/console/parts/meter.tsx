interface MeterProps {
  readonly label: string
  readonly value: number
  readonly most: number
  /** What the bar shows, in words. */
  readonly text: string
  readonly tone?: 'usual' | 'scarce'
}

/** A bar with its numbers in words beside it. */
export function Meter({ label, value, most, text, tone = 'usual' }: MeterProps) {
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
