import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, preview } from 'vite'

/** A page that Vite serves. */
export interface ServedPage {
  /** Ends with a slash. */
  readonly url: string
  close(): Promise<void>
}

/** Builds the page in a folder of this repository, and serves it on a free port. */
export async function servePage(folder: string, config: InlineConfig = {}): Promise<ServedPage> {
  const root = fileURLToPath(new URL(`../../../${folder}`, import.meta.url))
  const outDir = mkdtempSync(join(tmpdir(), 'petstore-sandbox-page-'))
  const common = { ...config, root, logLevel: 'error' } as const
  await build({ ...common, build: { outDir } })
  const server = await preview({
    ...common,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  })
  const url = server.resolvedUrls?.local[0]
  if (url === undefined) throw new Error('Cannot serve the page: it has no address')
  return {
    url,
    async close() {
      await server.close()
      rmSync(outDir, { recursive: true })
    },
  }
}
