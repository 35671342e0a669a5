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
  const share = most <= 0 ? 0 : Math.max(0, Math.min(1, value / most))
  return (
    <div class="meter">
      <span class="meter-label">{label}</span>
      <meter class="unseen" aria-label={label} min={0} max={Math.max(most, 1)} value={value}>
        {text}
      </meter>
      <div class={`meter-bar ${tone}`} aria-hidden="true">
        <div class="meter-fill" style={{ width: `${share * 100}%` }} />
      </div>
      <span class="meter-text">{text}</span>
    </div>
  )
}
