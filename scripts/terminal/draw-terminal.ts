import { stripVTControlCharacters } from 'node:util'
import { escapeXml } from '../../src/mock/input/input-error.ts'

/** Text in one style. */
interface Run {
  readonly text: string
  /** A class of the picture's style sheet; `''` for plain text. */
  readonly style: string
}

/** A terminal's size. */
const columns = 104

/** Sizes in pixels. */
const charWidth = 7.25
const lineHeight = 17
const padding = 16

const styles: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
}

const styleSheet = `
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #24292f; white-space: pre; }
rect { fill: #f6f8fa; stroke: #d0d7de; }
.bold { font-weight: 600; } .dim { fill: #6e7781; }
.red { fill: #cf222e; } .green { fill: #1a7f37; } .yellow { fill: #7d4e00; } .cyan { fill: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  rect { fill: #0d1117; stroke: #30363d; }
  .dim { fill: #8b949e; }
  .red { fill: #ff7b72; } .green { fill: #3fb950; } .yellow { fill: #d29922; } .cyan { fill: #58a6ff; }
}`

/** Draws what a terminal shows as SVG, for light and dark surroundings. */
export function drawTerminal(output: string): string {
  const rows = output
    .replace(/^\n+|\n+$/g, '')
    .split('\n')
    .flatMap((line) => wrapped(runsOf(line)))
  const width = Math.ceil(columns * charWidth + 2 * padding)
  const height = rows.length * lineHeight + 2 * padding
  const lines = rows.map((runs, index) => drawLine(runs, padding + (index + 0.75) * lineHeight))
  const label = escapeXml(stripVTControlCharacters(output).trim().split('\n')[0] ?? '')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<style>${styleSheet}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${lines.filter((line) => line !== '').join('\n')}
</svg>
`
}

/** Splits a line at the escape sequences that set its style. */
function runsOf(line: string): Run[] {
  let style = ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what styles text in a terminal.
  return line.split(/\u001b\[(\d+)m/).flatMap((part, index) => {
    if (index % 2 === 1) {
      style = styles[part] ?? ''
      return []
    }
    return part === '' ? [] : [{ text: part, style }]
  })
}

/** Goes on in a new line where a terminal is too narrow, between two words. */
function wrapped(runs: readonly Run[]): Run[][] {
  const rows: Run[][] = [[]]
  let room = columns
  for (const { text, style } of runs) {
    let rest = text
    while (rest.length > room) {
      const end = rest.lastIndexOf(' ', room) + 1 || room
      rows.at(-1)?.push({ text: rest.slice(0, end), style })
      rest = rest.slice(end)
      rows.push([])
      room = columns
    }
    rows.at(-1)?.push({ text: rest, style })
    room -= rest.length
  }
  return rows
}

/** Draws a line, each run of it at its own place, so that columns hold whatever the font. */
function drawLine(runs: readonly Run[], y: number): string {
  let column = 0
  const spans = runs.flatMap(({ text, style }) => {
    const [indent = ''] = /^ */.exec(text) ?? []
    const x = padding + (column + indent.length) * charWidth
    column += text.length
    const shown = text.trim()
    const kind = style === '' ? '' : ` class="${style}"`
    return shown === '' ? [] : [`<tspan x="${round(x)}"${kind}>${escapeXml(shown)}</tspan>`]
  })
  return spans.length === 0 ? '' : `<text y="${round(y)}">${spans.join('')}</text>`
}

function round(pixels: number): string {
  return String(Math.round(pixels * 100) / 100)
}
