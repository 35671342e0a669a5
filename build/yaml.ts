import type { Plugin } from 'vite'
import { parse } from 'yaml'

/** Has modules import YAML files, parsed. Built once for all, since the package has no parser of YAML. */
export const yaml: Plugin = {
  name: 'yaml',
  transform: {
    filter: { id: /\.yaml$/ },
    handler(text) {
      // Anchors stand for what several responses have in common.
      const value: unknown = parse(text, { merge: true, maxAliasCount: -1 })
      return { code: `export default ${JSON.stringify(value)}`, map: null }
    },
  },
}
