import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { knownCommands } from '../../kit/known-commands.ts'
import { runMain } from '../../kit/run-main.ts'
import { Shell } from '../../kit/shell.ts'
import { testServer } from '../../kit/test-server.ts'

const root = new URL('../../../', import.meta.url)

const documents = [
  'README.md',
  'AGENTS.md',
  'SECURITY.md',
  'docs/README.md',
  'docs/{guides,reference,about}/*.md',
  'examples/**/README.md',
  'skills/*/*.md',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }))
  .sort()

/** What stands for a word of the reader's own. */
const placeholders: Readonly<Record<string, string>> = {
  NAME: 'banned',
  COMMAND: 'keys',
  KEY: 'free-key',
  N: '1000',
}

/** Spans that name a command, or are typed elsewhere: `open` stays open, and a script needs its file (smoke.test.ts). */
const names = [
  'petstore-sandbox exec',
  'npx petstore-sandbox open',
  'petstore-sandbox screenshots',
  'npx petstore-sandbox check --full -- node smoke.mjs',
]

/** Its commands need a page: test/browser/cli/screenshots.test.ts types them. */
const pageStates = 'docs/guides/page-states.md'

/** The spans of code in the running text of a document. */
function spansIn(document: string): string[] {
  const text = readFileSync(new URL(document, root), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replace(/\s+/g, ' '))
  return [...new Set(spans)].filter((span) => !names.includes(span))
}

/** A line as a reader would type it. */
function typed(span: string): string {
  return span.replace(/\b(?:[A-Z]{3,}|N)\b/g, (word) => placeholders[word] ?? word)
}

const lines = documents.flatMap((document) =>
  spansIn(document)
    .filter((span) => /^(?:npx )?petstore-sandbox (?!vitest |msw)/.test(span))
    .map((span) => ({ document, line: typed(span) })),
)

const options = documents.flatMap((document) =>
  spansIn(document)
    .filter((span) => /^--[\w-]+ \S/.test(span))
    .map((span) => ({ document, option: typed(span) })),
)

/** The documents whose options are those of `check`. */
const checkPages = [
  'docs/about/versions.md',
  'docs/guides/check-your-client.md',
  'docs/guides/where-the-spec-is-silent.md',
]

const optionLines = options
  .filter(({ document }) => ![...checkPages, pageStates].includes(document))
  .map(({ document, option }) => ({
    document,
    line: `npx petstore-sandbox exec ${option} -- npm test`,
  }))

const checkOptions = options.filter(({ document }) => checkPages.includes(document))

/** Asks the sandbox beside which it runs for pets, if there is one, and writes JUnit XML to the file after \`test\`. */
const asking = `[ "$1" != test ] || [ -z "$2" ] || { mkdir -p out && echo '<testsuite><testcase name="a"/></testsuite>' > "$2"; }
[ -z "$PETSTORE_API_URL" ] || curl -s "$PETSTORE_API_URL/pets?limit=100" -H "Authorization: Bearer $PETSTORE_KEY" -o /dev/null
true`

/** Asks a sandbox for pets, so that there is something to judge. */
async function ask(url: string): Promise<void> {
  await fetch(`${url}/v1/pets?limit=100`, { headers: { authorization: 'Bearer free-key' } })
}

const capture = new URL('../../../fixtures/captures/version-1.petstore.json', import.meta.url)

/** A shell in which what documents run beside a sandbox is at hand, and asks it once. */
function shellFor(url?: string): Shell {
  const shell = new Shell(url, { PETSTORE_SANDBOX_PORT: '0' })
  for (const name of ['npm', 'next', 'cypress', 'python3', 'pytest']) {
    shell.install(name, asking)
  }
  writeFileSync(join(shell.folder, 'client.js'), '')
  writeFileSync(join(shell.folder, 'package.json'), '{}')
  copyFileSync(capture, join(shell.folder, 'failed.petstore.json'))
  return shell
}

/** Those whose examples are run elsewhere: they take long, need a file, or stay open. */
const others = ['check', 'replay', 'open', 'calibrate', 'screenshots']

/** Commands whose help prints examples. */
const helps = knownCommands
  .filter(({ name }) => !others.includes(name))
  .flatMap(({ name, commands }) => [[name], ...commands.map((one) => one.name.split(' '))])
  .map((words) => ({ words }))

/** The examples that a help prints, each on a line. */
async function examplesOf(words: readonly string[]): Promise<string[]> {
  const { stdout } = await runMain([...words, '--help'], { env: { COLUMNS: '100' } })
  const [, examples = ''] = stdout.split('\nExamples:\n')
  return [...examples.matchAll(/^ {2}(npx petstore-sandbox .*?) *$/gm)].map(([, line = '']) => line)
}

/** Runs a line to its end; what serves is told to stop once it does. */
async function run(line: string, shell: Shell) {
  if (!/^npx petstore-sandbox --/.test(line)) return await shell.run(line)
  const child = shell.start(`exec ${line}`)
  const stderr: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('API')) child.kill('SIGTERM')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stderr: stderr.join('') }
}

describe('what documents show within their text', () => {
  it('is found', () => {
    expect(lines.length).toBeGreaterThan(8)
    expect(optionLines.length).toBeGreaterThan(5)
    expect(checkOptions.length).toBeGreaterThan(3)
  })

  it.each(checkOptions)('can be typed into bash: check $option', async ({ option }) => {
    const { code } = await shellFor().run(
      `npx petstore-sandbox check ${option} -- npm test 'out/{row}.xml'`,
    )
    // What is found may lead to 4.
    expect([0, 4]).toContain(code)
  })

  it.each([...lines, ...optionLines])('can be typed into bash: $line, $document', async (row) => {
    const sandbox = createSandbox({ coverage: true })
    const { url } = await testServer({ sandbox, save: () => {} })
    await ask(url)
    const shell = shellFor(url)
    writeFileSync(join(shell.folder, 'bug.json'), JSON.stringify(sandbox.snapshot()))
    expect(await shell.run(row.line)).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('the examples of --help', () => {
  it.each(helps)('can be typed into bash, as printed: $words', async ({ words }) => {
    const examples = await examplesOf(words)
    const { url } = await testServer()
    await ask(url)
    const shell = shellFor(url)
    for (const line of examples) {
      expect({ line, ...(await run(line, shell)) }).toMatchObject({ line, code: 0, stderr: '' })
    }
  })

  it('are found', async () => {
    const found: string[] = []
    for (const { words } of helps) found.push(...(await examplesOf(words)))
    expect(found.length).toBeGreaterThan(25)
  })
})
