import { badgeSvg } from './badge.ts'
import { escapeXml } from './escape-xml.ts'
import type { Report, ReportGroup, ReportItem } from './report.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
caption { text-align: start; padding: .5rem 0 }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent) }
td { white-space: pre-line }
tbody th { width: 13rem; overflow-wrap: anywhere }
tbody td:first-of-type { width: 6rem }
td i { opacity: .8 }
code { overflow-wrap: anywhere }
.error td:first-of-type, .warning td:first-of-type { font-weight: bold }
.error th { box-shadow: inset .25rem 0 light-dark(#cf222e, #ff7b72) }
.warning th { box-shadow: inset .25rem 0 light-dark(#8a5a00, #d29922) }
@media (max-width: 40rem) {
  thead { display: none }
  tbody tr, tbody th, tbody td, tbody td:first-of-type { display: block; width: auto; border: 0 }
  tbody tr { padding: .5rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent) }
}
`

/** Writes a report as one HTML page, without a script and without anything from elsewhere. */
export function htmlReport({ title, summary, groups, badge }: Report): string {
  const heading = escapeXml(title)
  const picture = badge === undefined ? '' : `<p>${badgeSvg(badge)}</p>\n`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<h1>${heading}</h1>
${picture}<p>${escapeXml(summary)}</p>
${groups.map(sectionOf).join('\n')}
</body>
</html>`
}

function sectionOf({ name, summary, items }: ReportGroup): string {
  const heading = `<h2>${escapeXml(name)}</h2>`
  if (items.length === 0) return `${heading}\n<p>${escapeXml(summary)}</p>`
  return `${heading}
<table>
<caption>${escapeXml(summary)}</caption>
<thead><tr><th scope="col">What</th><th scope="col">State</th><th scope="col">More</th></tr></thead>
<tbody>
${items.map(rowOf).join('\n')}
</tbody>
</table>`
}

function rowOf({ name, level, state, text, notes = {}, code = '' }: ReportItem): string {
  const more = Object.entries(notes).map(
    ([label, note]) => `<i>${escapeXml(label)}:</i> ${escapeXml(note)}`,
  )
  const line = code === '' ? '' : `<code>${escapeXml(code)}</code>`
  const said = [escapeXml(text), ...more, line].filter((one) => one !== '').join('<br>')
  return `<tr class="${level}"><th scope="row">${escapeXml(name)}</th><td>${escapeXml(state)}</td><td>${said}</td></tr>`
}
