import { type Plugin, runnerImport } from 'vite'

/**
 * Writes a file with what a module exports, as JSON.
 *
 * @param path The whole path of the module, which exports one thing.
 */
export function jsonFile(fileName: string, path: string): Plugin {
  return {
    name: 'json-file',
    async generateBundle() {
      const { module } = await runnerImport<Record<string, unknown>>(path, { configFile: false })
      const [content] = Object.values(module)
      const source = `${JSON.stringify(content, undefined, 2)}\n`
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}
