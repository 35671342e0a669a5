/** Measures what the sandbox adds to a page beside MSW, as Vite builds it from `dist/`, and fails above the limit. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/** Bytes of gzip that a page loads for `createSandbox` and `createHandlers`. */
const limit = 30_000

/** What a page must not get, not even on demand. */
const forbidden = /__vite-browser-external|@faker-js|\/node_modules\/(?:express|yargs|msw)\//

const dist = fileURLToPath(new URL('../dist', import.meta.url))

const page = `
import { createSandbox } from '${dist}/index.js'
import { createHandlers } from '${dist}/msw.js'
globalThis.handlers = createHandlers(createSandbox())
`

/** Gives the code of the module `page`, which is in no file. */
const pagePlugin = {
  name: 'page',
  resolveId: (id: string) => (id === 'page' ? id : undefined),
  load: (id: string) => (id === 'page' ? page : undefined),
}

async function buildChunks(): Promise<Rolldown.OutputChunk[]> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [pagePlugin],
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

function sizeOf(chunks: readonly Rolldown.OutputChunk[]): number {
  return chunks.reduce((bytes, { code }) => bytes + gzipSync(code, { level: 9 }).byteLength, 0)
}

const chunks = await buildChunks()
const entry = chunks.find((chunk) => chunk.isEntry)
if (entry === undefined) throw new Error('Cannot measure the page: nothing was built')
const loaded = loadedWith(entry, chunks)
const size = sizeOf([...loaded])
const later = sizeOf(chunks.filter((chunk) => !loaded.has(chunk)))
const strangers = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => forbidden.test(id)))

process.stdout.write(
  `A page loads ${size} bytes of gzip for the sandbox (at most ${limit}), and ${later} more on demand\n`,
)
if (size > limit) {
  process.stderr.write(`Cannot accept ${size} bytes: use at most ${limit}\n`)
  process.exitCode = 1
}
if (strangers.length > 0) {
  process.stderr.write(`Cannot accept what only Node has: ${[...new Set(strangers)].join(', ')}\n`)
  process.exitCode = 1
}
