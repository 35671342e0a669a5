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
      enforce: 'pre',
      resolveId: (id) => (id === 'page' ? id : undefined),
      load(id) {
        // Vite's helper is not ours.
        if (id.includes('vite/preload-helper'))
          return 'export const __vitePreload = (load) => load()'
        return id === 'page' ? page : undefined
      },
    },
  ],
  build: {
    write: false,
    modulePreload: false,
    rolldownOptions: { input: 'page', external: /^msw(?:\/|$)/ },
  },
})
const chunks = [result]
  .flat()
  .flatMap((one) => ('output' in one ? one.output : []))
  .filter((file) => file.type === 'chunk')

const gzipped = (content: string | Buffer): number => gzipSync(content, { level: 9 }).byteLength
const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)

/** What is loaded with the page; a set goes on to what is added to it on the way. */
const atOnce = new Set(chunks.filter(({ isEntry }) => isEntry))
for (const { imports } of atOnce) {
  for (const chunk of chunks) if (imports.includes(chunk.fileName)) atOnce.add(chunk)
}
/** The page of the console, and what it loads with it. */
const linked = readFileSync(`${dist}/console/index.html`, 'utf8').matchAll(
  /"\.?\/?([\w-]+\.(?:js|css))"/g,
)
const consoleFiles = ['index.html', ...Array.from(linked, ([, name = '']) => name)]
const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])

expectAtMost(60_000, sum([...atOnce].map(({ code }) => gzipped(code))), 'a page at once, in gzip')
expectAtMost(
  90_000,
  sum(consoleFiles.map((name) => gzipped(readFileSync(`${dist}/console/${name}`)))),
  'the console, in gzip',
)
expectAtMost(1_200_000, Number(JSON.parse(String(packed))[0].size), 'the package')
const ofNode = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => /external/.test(id)))
if (ofNode.length > 0) throw new Error(`Cannot accept what only Node has in pages: ${ofNode}`)

function expectAtMost(limit: number, size: number, what: string): void {
  process.stdout.write(`${what}: ${size} bytes (at most ${limit})\n`)
  if (size > limit) process.exitCode = 1
}
