const signs = [
  { sign: '❘', tone: 'good', text: 'served' },
  { sign: '▲', tone: 'refused', text: 'refused' },
  { sign: '◆', tone: 'limited', text: 'beyond a limit' },
  { sign: '✕', tone: 'broken', text: 'broken' },
  { sign: '◌', tone: 'broken', text: 'struck by a fault' },
  { sign: '┄▸', tone: 'wait', text: 'told to wait' },
  { sign: '●', tone: 'good', text: 'came back in time' },
  { sign: '✕', tone: 'early', text: 'too early' },
  { sign: '▨', tone: 'broken', text: 'banned' },
  { sign: '▶', tone: 'mark', text: 'clock moved' },
  { sign: '◆', tone: 'mark', text: 'keys, pets, gaps or limits changed' },
  { sign: '✕', tone: 'mark', text: 'faults changed' },
  { sign: '■', tone: 'mark', text: 'reset' },
] as const

/** What the signs of the timeline mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label="Signs in the picture">
      {signs.map(({ sign, tone, text }) => (
        <li key={text} class={tone}>
          <span aria-hidden="true">{sign}</span> {text}
        </li>
      ))}
    </ul>
  )
}
