import { type Plugin, runnerImport } from 'vite'

/**
 * Puts in the place of a module what it exports, as JSON: so that what is made of large tables at the build doesn't
 * bring them along.
 *
 * @param path The whole path of the module.
 */
export function evaluated(path: string): Plugin {
  return {
    name: 'evaluated',
    enforce: 'pre',
    load: {
      filter: { id: path },
      async handler() {
        const { module } = await runnerImport<Record<string, unknown>>(path, { configFile: false })
        const code = Object.entries(module)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
          .join('\n')
        return { code, map: null }
      },
    },
  }
}
