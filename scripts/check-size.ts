/** Measures what the package adds to pages, as Vite builds them from `dist/`, and fails above the limits. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/** What a page must not get, not even on demand. */
const forbidden = /__vite-browser-external|@faker-js|\/node_modules\/(?:express|yargs|msw)\//

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** A page to measure. */
interface MeasuredPage {
  readonly what: string
  /** How many bytes of gzip it may load at once. */
  readonly limit: number
  readonly code: string
  /** A page that is there anyway: only what comes in addition is counted. */
  readonly beside?: string
  /** Chunks that it loads on demand, what for, and how large they may be with all that they need. */
  readonly onDemand?: {
    readonly chunks: readonly string[]
    readonly what: string
    readonly limit: number
  }
}

const sandboxPage = `
      import { createSandbox } from '${dist}/index.js'
      import { createHandlers } from '${dist}/msw.js'
      globalThis.handlers = createHandlers(createSandbox())`

const pages: readonly MeasuredPage[] = [
  {
    what: 'the sandbox, beside MSW',
    limit: 30_000,
    code: sandboxPage,
    onDemand: { chunks: ['engine', 'answer-msw'], what: 'the first request', limit: 12_200 },
  },
  {
    what: "the panel's button, beside the sandbox",
    limit: 2_000,
    code: `${sandboxPage}
      import { mountPanel } from '${dist}/panel.js'
      mountPanel(createSandbox())`,
    beside: sandboxPage,
    onDemand: { chunks: ['show-panel'], what: 'the panel', limit: 25_000 },
  },
  {
    what: 'the client',
    limit: 7_500,
    code: `
      import { connectSandbox } from '${dist}/client.js'
      globalThis.client = connectSandbox(location.origin)`,
  },
]

/** What Vite adds to a page with a dynamic import: one that sets MSW up as MSW recommends has it without the package. */
const preloadHelper = '\0vite/preload-helper.js'

/** Gives the code of the module `page`, which is in no file, and next to none for Vite's helper. */
const pagePlugin = (code: string): Rolldown.Plugin & { enforce: 'pre' } => ({
  name: 'page',
  enforce: 'pre',
  resolveId: (id) => (id === 'page' ? id : undefined),
  load(id) {
    if (id === preloadHelper) return 'export const __vitePreload = (load) => load()'
    return id === 'page' ? code : undefined
  },
})

async function buildChunks(code: string): Promise<Rolldown.OutputChunk[]> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [pagePlugin(code)],
    build: { write: false, rolldownOptions: { input: 'page', external: /^msw(?:\/|$)/ } },
  })
  return [result]
    .flat()
    .flatMap((one) => ('output' in one ? one.output : []))
    .filter((file) => file.type === 'chunk')
}

/** The chunks that a chunk imports, and itself; those that it imports on demand are not among them. */
function loadedWith(
  chunk: Rolldown.OutputChunk,
  all: Rolldown.OutputChunk[],
): Set<Rolldown.OutputChunk> {
  const loaded = new Set([chunk])
  for (const one of loaded) {
    for (const other of all) if (one.imports.includes(other.fileName)) loaded.add(other)
  }
  return loaded
}

/** Chunks of these names, with all that they import. */
function loadedFor(
  names: readonly string[],
  all: Rolldown.OutputChunk[],
): Set<Rolldown.OutputChunk> {
  const loaded = names.map((name) => {
    const chunk = all.find((one) => one.name === name)
    if (chunk === undefined) throw new Error(`Cannot measure ${name}: there is no chunk`)
    return loadedWith(chunk, all)
  })
  return new Set(loaded.flatMap((one) => [...one]))
}

function loadedAtOnce(chunks: Rolldown.OutputChunk[]): Set<Rolldown.OutputChunk> {
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error('Cannot measure the page: nothing was built')
  return loadedWith(entry, chunks)
}

async function sizeAtOnce(code: string): Promise<number> {
  return sizeOf([...loadedAtOnce(await buildChunks(code))])
}

function sizeOf(chunks: readonly Rolldown.OutputChunk[]): number {
  return chunks.reduce((bytes, { code }) => bytes + gzipSync(code, { level: 9 }).byteLength, 0)
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

process.stdout.write(
  "Not counted: Vite's helper for dynamic imports, which MSW's recommended set-up has too\n",
)

for (const { what, limit, code, beside, onDemand } of pages) {
  const chunks = await buildChunks(code)
  const loaded = loadedAtOnce(chunks)
  const size = sizeOf([...loaded]) - (beside === undefined ? 0 : await sizeAtOnce(beside))
  const later = sizeOf(chunks.filter((chunk) => !loaded.has(chunk)))
  const strangers = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => forbidden.test(id)))
  process.stdout.write(
    `A page loads ${size} bytes of gzip for ${what} (at most ${limit}), and ${later} more on demand\n`,
  )
  if (size > limit) fail(`Cannot accept ${size} bytes for ${what}: use at most ${limit}`)
  if (loaded.size > 1) {
    fail(
      `Cannot accept ${loaded.size} files for ${what}: a chunk on demand needs modules of the page that others don't; give it its own copies in vite.config.ts`,
    )
  }
  if (onDemand !== undefined) {
    const more = sizeOf([...loadedFor(onDemand.chunks, chunks)].filter((one) => !loaded.has(one)))
    process.stdout.write(`Of this, ${more} are for ${onDemand.what} (at most ${onDemand.limit})\n`)
    if (more > onDemand.limit) fail(`Cannot accept ${more} bytes for ${onDemand.what}`)
  }
  if (strangers.length > 0) {
    fail(`Cannot accept what only Node has: ${[...new Set(strangers)].join(', ')}`)
  }
}

/** What the console loads, all of it at once, and how many bytes of gzip that may be. */
const consoleLimit = 60_000
const consoleFiles = ['index.html', 'console.js', 'console.css']
const consoleSize = consoleFiles
  .map((name) => gzipSync(readFileSync(`${dist}/console/${name}`), { level: 9 }).byteLength)
  .reduce((all, bytes) => all + bytes, 0)
process.stdout.write(
  `A browser loads ${consoleSize} bytes of gzip for the console (at most ${consoleLimit})\n`,
)
if (consoleSize > consoleLimit) {
  fail(`Cannot accept ${consoleSize} bytes for the console: use at most ${consoleLimit}`)
}
