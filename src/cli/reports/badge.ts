import { escapeXml } from './escape-xml.ts'
import type { Badge, Level } from './report.ts'

/** Dark enough for white text on them, by WCAG 2.2 AA. */
const colors: Readonly<Record<Level, string>> = {
  ok: '#1a7f37',
  info: '#0969da',
  warning: '#8a5a00',
  error: '#cf222e',
}

/** About how wide a character is, and how much room is beside a text, in pixels. */
const characterWidth = 6.6
const padding = 16

/** Draws a badge as SVG, with nothing from elsewhere. */
export function badgeSvg({ label, text, level }: Badge): string {
  const [left, right] = [widthOf(label), widthOf(text)]
  const name = escapeXml(`${label}: ${text}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}">
<title>${name}</title>
<rect width="${left + right}" height="20" rx="3" fill="#3d444d"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${colors[level]}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${textAt(label, left / 2, left)}
${textAt(text, left + right / 2, right)}
</g>
</svg>`
}

function widthOf(text: string): number {
  return Math.round([...text].length * characterWidth) + padding
}

function textAt(text: string, middle: number, width: number): string {
  return `<text x="${middle}" y="14" textLength="${width - padding}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`
}
