/** Measures what the package adds to pages, minified as Vite builds them from `dist/`, and fails above the limits. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/** What a page must not get, not even on demand. */
const forbidden = /__vite-browser-external|@faker-js|\/node_modules\/(?:express|yargs|msw)\//

const dist = fileURLToPath(new URL('../dist', import.meta.url))

const sandboxPage = `
      import { createSandbox } from '${dist}/index.js'
      import { createHandlers } from '${dist}/msw.js'
      globalThis.handlers = createHandlers(createSandbox())`

const panelPage = `${sandboxPage}
      import { mountPanel } from '${dist}/panel.js'
      mountPanel(createSandbox())`

const clientPage = `
      import { connectSandbox } from '${dist}/client.js'
      globalThis.client = connectSandbox(location.origin)`

/** Gives the code of the module `page`, which is in no file. */
const pagePlugin = (code: string): Rolldown.Plugin => ({
  name: 'page',
  resolveId: (id) => (id === 'page' ? id : undefined),
  load: (id) => (id === 'page' ? code : undefined),
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

/** Chunks of some names and all that they import; those that are imported on demand are not among them. */
function loadedWith(
  isFirst: (chunk: Rolldown.OutputChunk) => boolean,
  all: readonly Rolldown.OutputChunk[],
): ReadonlySet<Rolldown.OutputChunk> {
  const loaded = new Set(all.filter(isFirst))
  if (loaded.size === 0) throw new Error('Cannot measure a page: a chunk was not built')
  // A set goes on to what is added to it on the way.
  for (const one of loaded) {
    for (const other of all) if (one.imports.includes(other.fileName)) loaded.add(other)
  }
  return loaded
}

const gzipped = (content: string | Buffer): number => gzipSync(content, { level: 9 }).byteLength

function sizeOf(chunks: Iterable<Rolldown.OutputChunk>): number {
  return [...chunks].reduce((bytes, { code }) => bytes + gzipped(code), 0)
}

function expectAtMost(limit: number, size: number, what: string): void {
  process.stdout.write(`A browser loads ${size} bytes of gzip for ${what} (at most ${limit})\n`)
  if (size > limit) fail(`Cannot accept ${size} bytes for ${what}: use at most ${limit}`)
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

const page = await buildChunks(sandboxPage)
const withPanel = await buildChunks(panelPage)
const client = await buildChunks(clientPage)

const atOnce = sizeOf(loadedWith(({ isEntry }) => isEntry, page))
expectAtMost(60_000, atOnce, 'the sandbox at once, beside MSW')

const opened = loadedWith(({ isEntry, name }) => isEntry || name === 'show-panel', withPanel)
expectAtMost(30_000, sizeOf(opened) - atOnce, 'the open panel, beside the sandbox')

const consoleFiles = ['index.html', 'console.js', 'console.css']
const consoleSize = consoleFiles
  .map((name) => gzipped(readFileSync(`${dist}/console/${name}`)))
  .reduce((all, bytes) => all + bytes, 0)
expectAtMost(90_000, consoleSize, 'the console')

const strangers = [...page, ...withPanel, ...client].flatMap(({ moduleIds }) =>
  moduleIds.filter((id) => forbidden.test(id)),
)
if (strangers.length > 0) {
  fail(`Cannot accept what only Node has: ${[...new Set(strangers)].join(', ')}`)
}
