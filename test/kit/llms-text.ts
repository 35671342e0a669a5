import { posix } from 'node:path'

const link = /\[([^\]]+)\]\(([^)]+)\)/g

/** A paragraph on one line, and each row of a table by itself. */
function linesOf(section: string): string[] {
  return section
    .trim()
    .split('\n\n')
    .flatMap((part) => (part.startsWith('|') ? part.split('\n') : [part.replaceAll('\n', ' ')]))
}

/** The links of a line, each with the text behind it, or else that of the other cells of its row. */
function entriesOf(line: string, folder: string): string[] {
  const links = [...line.matchAll(link)]
  const words = (text: string): string => text.replaceAll(/^[\s:|·,.]+|[\s:|·,.]+$/g, '')
  return links.map(([whole, title, target = ''], at) => {
    const start = line.indexOf(whole) + whole.length
    const next = links[at + 1]?.[0]
    const behind = words(line.slice(start, next === undefined ? undefined : line.indexOf(next)))
    const note = behind === '' ? words(line.slice(0, line.indexOf('['))) : behind
    return `- [${title}](${posix.join(folder, target)})${note === '' ? '' : `: ${note}`}`
  })
}

/**
 * Writes the index of the documents in the form of https://llmstxt.org: a list of links under each heading.
 *
 * @param index Text of the index.
 * @param folder Folder of the index.
 * @param about A sentence about the package.
 */
export function llmsText(index: string, folder: string, summary: string): string {
  const [, ...sections] = index.split(/^## /m)
  const parts = sections.map((section) => {
    const [heading = '', ...rest] = section.split('\n')
    const entries = linesOf(rest.join('\n')).flatMap((line) => entriesOf(line, folder))
    return `## ${heading}\n\n${entries.join('\n')}`
  })
  const agents = 'For coding agents, start with [AGENTS.md](AGENTS.md).'
  return `${['# petstore-sandbox', `> ${summary}`, agents, ...parts].join('\n\n')}\n`
}
