/** Renders `docs/` as pages beside the console, with its style sheet and an id for each clause, gap table and rule. */
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { coverageItems } from '../src/checks/coverage/cells.ts'
import { type TryStep, tryFragment } from '../src/console/playground/try-link.ts'
import { endpoints, operationNames } from '../src/mock/api/endpoints.ts'

const root = join(import.meta.dirname, '..')

/** The index is a page, too; that of the playground is the playground itself. */
const index = 'documents'

const typesPage = 'dist/types.md'

/** The documents, by the names of their pages, which are all in one folder. */
const documents = new Map(
  // The page of the types is made by the same build.
  [...globSync(['docs/README.md', 'docs/{guides,reference,about}/*.md'], { cwd: root }), typesPage]
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => [path === 'docs/README.md' ? index : basename(path, '.md'), path]),
)

/** The documents that each page links to. */
const contents = [
  ['api', 'Spec'],
  ['where-the-spec-is-silent', 'Gaps'],
  ['audit-rules', 'Findings'],
  ['simulate-failures', 'Failures'],
  ['console', 'Console'],
  ['command-line', 'Commands'],
  ['types', 'Types'],
  [index, 'All documents'],
] as const

/** Renders a document; links to what the server doesn't serve become text. */
export function renderDocument(path: string): { title: string; html: string } {
  const markdown = readFileSync(join(root, path), 'utf8')
  const marked = new Marked({
    renderer: {
      html: ({ text }) => anchorsOf(text),
      image: () => '',
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = addressOf(href, path)
        return target === undefined ? text : `<a href="${target}">${text}</a>`
      },
      table(token) {
        const html = tableHtml(token, (cell) => {
          const inner = this.parser.parseInline(cell.tokens)
          const target = tryLink(cell, clause)
          return target === undefined ? inner : `<a href="${target}" title="Try it">${inner}</a>`
        })
        return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${html}</div>`
      },
    },
  })
  const slugs = new Map<string, number>()
  let title = ''
  let html = ''
  let depth = 1
  /** The clause that is being rendered. */
  let clause = ''
  let block: Token[] = []
  const flush = (): void => {
    html += marked.parser(block)
    block = []
  }
  for (const token of marked.lexer(markdown)) {
    if (token.type !== 'heading' || token.depth > 3) {
      block.push(token)
      continue
    }
    flush()
    const heading = token as Tokens.Heading
    const text = marked.parseInline(heading.text) as string
    clause = clauseOf(heading.text) ?? clause
    if (heading.depth === 1) {
      title = heading.text
      html += `<h1>${text}</h1>`
      continue
    }
    for (; depth >= heading.depth; depth--) html += '</section>'
    for (; depth < heading.depth; depth++) {
      const isInner = depth + 1 === heading.depth
      html += isInner ? `<section${clauseAttribute(heading.text)}>` : '<section>'
    }
    html += `<h${depth} id="${slugOf(heading.text, slugs)}">${text}</h${depth}>`
  }
  flush()
  return { title, html: html + '</section>'.repeat(depth - 1) }
}

/** A clause names its section, so that the console can show it alone. */
function clauseAttribute(heading: string): string {
  const clause = clauseOf(heading)
  return clause === undefined ? '' : ` id="clause-${clause}"`
}

function clauseOf(heading: string): string | undefined {
  return /^(\d+(?:\.\d+)?)\.? /.exec(heading)?.[1]
}

/** The link to the playground that brings an error response about: that of the clause's operation, or else of any. */
function tryLink({ text }: Tokens.TableCell, clause: string): string | undefined {
  if (!/^4\d\d$/.test(text)) return undefined
  const own = operationNames.filter((name) => endpoints[name].spec === clause)
  const names = [...own, ...operationNames].map((name) => `${name} ${text}`)
  const found = names.flatMap((name) =>
    coverageItems.outcomes.filter(({ name: cell }) => cell === name),
  )
  // The steps of a response are controls and requests that a link can have.
  return found[0] && `playground.html${tryFragment(found[0].steps as readonly TryStep[])}`
}

/** The ids that comments and empty links give to places. */
function anchorsOf(html: string): string {
  const [, region] = /^<!-- ([\w-]+) -->/.exec(html) ?? []
  if (region !== undefined) return `<span id="${region}"></span>`
  const [, id] = /<a id="([\w-]+)">/.exec(html) ?? []
  return id === undefined ? '' : `<span id="${id}"></span>`
}

function tableHtml({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string) {
  const row = (tag: string, cells: Tokens.TableCell[]): string =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`
  const body = rows.map((cells) => row('td', cells)).join('')
  return `<table><thead>${row('th', header)}</thead><tbody>${body}</tbody></table>`
}

/** The address of a page that a document links to; `undefined` if it isn't served. */
function addressOf(href: string, from: string): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href
  const [file = '', place] = href.split('#')
  const path = posix.join(posix.dirname(from), file)
  const [name] = [...documents].find(([, document]) => document === path) ?? []
  return name && `${name}.html${place === undefined ? '' : `#${place}`}`
}

/** The id of a heading, as on GitHub. */
function slugOf(heading: string, known: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  const count = known.get(slug) ?? 0
  known.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

function pageOf(name: string, path: string): string {
  const { title, html } = renderDocument(path)
  const links = contents.map(([other, text]) => {
    const current = other === name ? ' aria-current="page"' : ''
    return `<a class="tab" href="${other}.html"${current}>${text}</a>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · petstore-sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="console.css">
</head>
<body>
<header class="head"><div class="bar top-bar">
<a class="brand" href="./"><span>petstore-<b>sandbox</b></span></a>
<nav class="tabs" aria-label="Documents">${links.join('')}</nav>
</div></header>
<main class="document">${html}</main>
</body>
</html>
`
}

/** The page of the playground, which has the spec in itself: it may load nothing. */
function playgroundPage(): string {
  const page = readFileSync(join(root, 'src/console/playground/playground.html'), 'utf8')
  const { html } = renderDocument('docs/reference/api.md')
  return page.replace('</body>', () => `<template id="spec">${html}</template>\n</body>`)
}

/** Writes the pages into the folder of the console. */
export function renderDocuments(): void {
  const target = join(root, 'dist/console')
  mkdirSync(target, { recursive: true })
  for (const [name, path] of documents) {
    writeFileSync(join(target, `${name}.html`), pageOf(name, path))
  }
  writeFileSync(join(target, 'playground.html'), playgroundPage())
  copyFileSync(join(root, 'src/console/start.html'), join(target, 'start.html'))
}
