/** Measures what the package adds to pages, as Vite builds them from `dist/`, and fails above the limits. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/** What a page must not get, not even on demand. */
const forbidden = /__vite-browser-external|@faker-js|\/node_modules\/(?:express|yargs|msw)\//

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** Pages, and how many bytes of gzip each may load at once. */
const pages = [
  {
    what: 'the sandbox, beside MSW',
    limit: 30_000,
    code: `
      import { createSandbox } from '${dist}/index.js'
      import { createHandlers } from '${dist}/msw.js'
      globalThis.handlers = createHandlers(createSandbox())`,
  },
  {
    what: 'the client',
    limit: 7_500,
    code: `
      import { connectSandbox } from '${dist}/client.js'
      globalThis.client = connectSandbox(location.origin)`,
  },
] as const

/** Gives the code of the module `page`, which is in no file. */
const pagePlugin = (code: string) => ({
  name: 'page',
  resolveId: (id: string) => (id === 'page' ? id : undefined),
  load: (id: string) => (id === 'page' ? code : undefined),
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

function sizeOf(chunks: readonly Rolldown.OutputChunk[]): number {
  return chunks.reduce((bytes, { code }) => bytes + gzipSync(code, { level: 9 }).byteLength, 0)
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

for (const { what, limit, code } of pages) {
  const chunks = await buildChunks(code)
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error('Cannot measure the page: nothing was built')
  const loaded = loadedWith(entry, chunks)
  const size = sizeOf([...loaded])
  const later = sizeOf(chunks.filter((chunk) => !loaded.has(chunk)))
  const strangers = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => forbidden.test(id)))
  process.stdout.write(
    `A page loads ${size} bytes of gzip for ${what} (at most ${limit}), and ${later} more on demand\n`,
  )
  if (size > limit) fail(`Cannot accept ${size} bytes for ${what}: use at most ${limit}`)
  if (strangers.length > 0) {
    fail(`Cannot accept what only Node has: ${[...new Set(strangers)].join(', ')}`)
  }
}
