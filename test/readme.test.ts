import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { choicesText, gapNames, gaps } from '../src/contract/gaps.ts'
import { startServer } from '../src/server/start-server.ts'
import { differences } from './kit/doors-cases.ts'
import { expectFreshBuild } from './kit/expect-fresh-build.ts'
import { clausesIn, interfaceFile } from './kit/interface-document.ts'

// The examples, which are run by themselves, import the built package.
expectFreshBuild()

const server = await startServer({ port: 0 })
afterAll(() => server.close())

interface Index {
  readonly controls: readonly {
    readonly method: string
    readonly url: string
    readonly summary: string
  }[]
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...body.map(line)].join('\n')
}

function gapTable(): string {
  const rows = gapNames.map((name) => {
    const { spec, about } = gaps[name]
    return [`\`${name}\``, spec, choicesText(gaps[name]), about]
  })
  return table([['gap', 'spec', 'choices, the default first', 'what is left open'], ...rows])
}

async function routeTable(): Promise<string> {
  const response = await fetch(`${server.url}/_sandbox`)
  const { controls } = (await response.json()) as Index
  const rows = controls.map(({ method, url, summary }) => [
    `\`${method} ${url.slice(server.url.length)}\``,
    summary,
  ])
  return table([
    ['control', 'what it does'],
    ['`GET /_sandbox`', 'List the controls, as JSON or as a page'],
    ...rows,
  ])
}

function differenceTable(): string {
  const rows = differences.map(({ doors, difference, reason }) => [
    doors.join(', '),
    difference,
    reason,
  ])
  return table([['door', 'what differs', 'why'], ...rows])
}

/** Each gap under a heading of its own, so that others can link to it. */
function gapList(): string {
  const clauses = clausesIn(readFileSync(interfaceFile, 'utf8'))
  const parts = gapNames.map((name) => {
    const gap = gaps[name]
    const anchor = clauses.find(({ number }) => number === gap.spec)?.anchor ?? ''
    const [first, ...others] = choicesText(gap).split(', ')
    const choices = [`**${first}** (default)`, ...others].join(', ')
    return `### ${name}\n\n${gap.about} Clause [${gap.spec}](#${anchor}).\n\nChoices: ${choices}.`
  })
  return parts.join('\n\n')
}

function code(path: string): string {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  return `\`\`\`ts\n${text.trimEnd()}\n\`\`\``
}

interface Document {
  readonly path: string
  /** What stands between its markers, by their name. */
  sections(): Promise<Readonly<Record<string, string>>>
}

const documents: readonly Document[] = [
  {
    path: 'README.md',
    sections: async () => ({
      routes: await routeTable(),
      gaps: gapTable(),
      differences: differenceTable(),
      msw: code('test/readme/msw.test.ts'),
      vitest: code('test/readme/vitest.test.ts'),
      playwright: code('test/readme/playwright.spec.ts'),
      browser: code('examples/browser-msw/src/mocks.ts'),
      server: code('test/readme/server.test.ts'),
    }),
  },
  { path: 'docs/interface.md', sections: async () => ({ gaps: gapList() }) },
]

it.each(documents)('$path has what the code says; npm run readme writes it anew', async (one) => {
  let text = readFileSync(new URL(`../${one.path}`, import.meta.url), 'utf8')
  for (const [name, content] of Object.entries(await one.sections())) {
    const section = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`)
    expect(text, `the section ${name}`).toMatch(section)
    text = text.replace(section, () => `<!-- ${name} -->\n\n${content}\n\n<!-- /${name} -->`)
  }
  await expect(text).toMatchFileSnapshot(`../${one.path}`)
})
