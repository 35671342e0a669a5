/** Measures what pages load at once, the console, and the package; fails above what DESIGN promises of each. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const dist = fileURLToPath(new URL('../dist', import.meta.url))

const page = `
  import { createSandbox } from '${dist}/index.js'
  import { createHandlers } from '${dist}/msw.js'
  globalThis.handlers = createHandlers(createSandbox())
  globalThis.later = [import('${dist}/panel.js'), import('${dist}/client.js'), import('${dist}/fetch.js')]`

/** The page as Vite builds it, minified; without MSW, which its user has. */
const result = await build({
  configFile: false,
  logLevel: 'error',
  plugins: [
    {
      name: 'page',
      resolveId: (id) => (id === 'page' ? id : undefined),
      load: (id) => (id === 'page' ? page : undefined),
    },
  ],
  build: {
    write: false,
    // Its helper is not ours.
    modulePreload: false,
    rolldownOptions: { input: 'page', external: /^msw(?:\/|$)/ },
  },
})
const chunks = [result]
  .flat()
  .flatMap((one) => ('output' in one ? one.output : []))
  .filter((file) => file.type === 'chunk')

type Chunk = (typeof chunks)[number]

/** What is loaded with some chunks, and isn't there yet. */
function loadedWith(first: readonly Chunk[], known: ReadonlySet<Chunk> = new Set()): Set<Chunk> {
  const loaded = new Set(first)
  // A set goes on to what is added to it on the way.
  for (const { imports } of loaded) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  }
  return new Set([...loaded].filter((chunk) => !known.has(chunk)))
}
const chunkOf = (name: string): readonly Chunk[] => chunks.filter((chunk) => chunk.name === name)
const codeSize = (loaded: ReadonlySet<Chunk>): number =>
  sum([...loaded].map(({ code }) => gzipped(code)))

const atOnce = loadedWith(chunks.filter(({ isEntry }) => isEntry))
const button = loadedWith(chunkOf('panel'), atOnce)
const opened = loadedWith(chunkOf('show-panel'), new Set([...atOnce, ...button]))
const gzipped = (content: string | Buffer): number => gzipSync(content, { level: 9 }).byteLength
const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)
const consoleFiles = ['index.html', 'console.js', 'console.css']
const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])

expectAtMost(60_000, codeSize(atOnce), 'a page at once, in gzip')
expectAtMost(2_000, codeSize(button), 'the button of the panel, in gzip')
expectAtMost(30_000, codeSize(opened), 'the panel when it is opened, in gzip')
expectAtMost(
  90_000,
  sum(consoleFiles.map((name) => gzipped(readFileSync(`${dist}/console/${name}`)))),
  'the console, in gzip',
)
expectAtMost(
  250_000,
  sum(
    ['playground.html', 'playground.js', 'playground.css'].map((name) =>
      gzipped(readFileSync(`${dist}/console/${name}`)),
    ),
  ),
  'the playground, in gzip',
)
expectAtMost(1_200_000, Number(JSON.parse(String(packed))[0].size), 'the package')
const ofNode = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => /external/.test(id)))
if (ofNode.length > 0) throw new Error(`Cannot accept what only Node has in pages: ${ofNode}`)

function expectAtMost(limit: number, size: number, what: string): void {
  process.stdout.write(`${what}: ${size} bytes (at most ${limit})\n`)
  if (size > limit) process.exitCode = 1
}
