import type { Plugin } from 'vite'

/**
 * Leaves a module to another build, and loads it from there.
 *
 * @param module What its path ends with.
 * @param built Where it is, seen from the built files.
 */
export function elsewhere(module: RegExp, built: string): Plugin {
  return {
    name: 'elsewhere',
    enforce: 'pre',
    resolveId: {
      filter: { id: module },
      handler: () => ({ id: built, external: 'relative' }),
    },
  }
}
