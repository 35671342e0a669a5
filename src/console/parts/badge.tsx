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
