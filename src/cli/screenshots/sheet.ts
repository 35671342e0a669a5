import { xmlText } from '../../checks/reports/text.ts'
import type { JudgedState, PageSize } from './states.ts'

/** A sheet: what was looked at, and all states. */
export interface Sheet {
  /** Address of the page. */
  readonly url: string
  /** Time of the sandbox in all states, ISO 8601 in UTC. */
  readonly at: string
  /** Addresses of the API to which the page sent requests. */
  readonly apis: readonly string[]
  /** Sentences to read before the pictures. */
  readonly notes: readonly string[]
  /** The states, those that look wrong first. */
  readonly states: readonly JudgedState[]
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a404a); --soft: light-dark(#5b6472, #9aa4b2); --bad: light-dark(#b3261e, #ff8a80); --ground: light-dark(#f6f7f9, #14171c); --card: light-dark(#fff, #1d2127) }
body { font: 14px/1.45 system-ui, sans-serif; margin: 24px; background: var(--ground) }
header p, figcaption .soft { color: var(--soft); margin: 2px 0 }
h1 { font-size: 20px; margin: 0 } h2 { font-size: 16px; margin: 32px 0 12px }
.grid { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--width)), 1fr)) }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden }
figure > a { display: block; border-bottom: 1px solid var(--line); background: var(--ground) }
img { display: block; width: 100%; height: auto }
figcaption { padding: 10px 12px; overflow-wrap: anywhere }
figcaption b { font-size: 15px } ul { margin: 6px 0 0; padding-left: 18px }
.flaws { color: var(--bad) } details { margin-top: 6px } summary { cursor: pointer; color: var(--soft) }
code { font: 12px/1.5 ui-monospace, monospace }`

/** Writes a sheet as a page that opens from disk, its pictures beside it. */
export function sheetPage(sheet: Sheet): string {
  const { url, at, apis, notes, states } = sheet
  const flawed = states.filter(({ flaws }) => flaws.length > 0).length
  const facts = [
    `${states.length} pictures, ${flawed} with something to look at; the sandbox's time was ${at}.`,
    ...(apis.length === 0 ? [] : [`The API was ${apis.join(', ')}.`]),
    ...notes,
  ]
  const groupOf = ({ size, scheme }: JudgedState) => `${sizeText(size)}, ${scheme}`
  const sections = [...new Set(states.map(groupOf))].map((name) => {
    const group = states.filter((state) => groupOf(state) === name)
    const width = Math.min(420, Math.max(240, (group[0]?.size.width ?? 600) * 0.4))
    return `<section style="--width: ${width}px"><h2>${name}</h2><div class="grid">${group.map(figure).join('\n')}</div></section>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>States of ${xmlText(url)}</title>
<style>${style}</style>
<header><h1>Every state of ${xmlText(url)}</h1>${facts.map((fact) => `<p>${xmlText(fact)}</p>`).join('')}</header>
${sections.join('\n')}
</html>
`
}

/** Writes a size as `1280x800`. */
export function sizeText({ width, height }: PageSize): string {
  return `${width}x${height}`
}

function figure(state: JudgedState): string {
  const { title, name, summary, size, picture, flaws, requests } = state
  const scenario = name === 'as it is' ? '' : ` <code>${name}</code>`
  const items = flaws.map(({ message }) => `<li>${xmlText(message)}</li>`).join('')
  const lines = requests.map(
    ({ method, path, got, why }) =>
      `<li><code>${xmlText(`${method} ${path} ${got}`)}</code> ${xmlText(why)}</li>`,
  )
  const requestText = `${requests.length} ${requests.length === 1 ? 'request' : 'requests'}`
  const src = encodeURIComponent(picture)
  return `<figure id="${name.replaceAll(' ', '-')}-${sizeText(size)}-${state.scheme}">
<a href="${src}"><img src="${src}" width="${size.width}" height="${size.height}" alt="${xmlText(title)}" loading="lazy"></a>
<figcaption><b>${xmlText(title)}</b>${scenario}<p class="soft">${xmlText(summary)}</p>
${items === '' ? '' : `<ul class="flaws">${items}</ul>`}
<details><summary>${requestText}</summary><ul>${lines.join('')}</ul></details></figcaption></figure>`
}
