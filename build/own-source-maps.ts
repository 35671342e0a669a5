import type { Plugin } from 'vite'

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent?: readonly (string | null)[]
}

/**
 * Leaves out of source maps what others have written: their sources, where these were, and the maps of what is all theirs.
 *
 * @param kept `sources`: our sources stay in the maps; `places`: the maps name only places in them.
 */
export function ownSourceMaps(kept: 'sources' | 'places'): Plugin {
  return {
    name: 'own-source-maps',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const mapName = `${file.fileName}.map`
        const map = bundle[mapName]
        if (file.type !== 'chunk' || map?.type !== 'asset') continue
        const { sources, sourcesContent = [], ...rest }: SourceMap = JSON.parse(String(map.source))
        if (sources.every(isOfOthers)) {
          delete bundle[mapName]
          file.code = file.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
          continue
        }
        const own = sourcesContent.map((content, at) =>
          isOfOthers(sources[at] ?? '') ? null : content,
        )
        const contents = kept === 'sources' ? { sourcesContent: own } : {}
        map.source = JSON.stringify({ ...rest, sources: sources.map(named), ...contents })
      }
    },
  }
}

/** Names a source of others without the folders that lead to where it was installed. */
function named(source: string): string {
  return source.replace(/^.*?(?=node_modules\/)/, '').replace(/\?of=.*$/, '')
}

function isOfOthers(source: string): boolean {
  return source.includes('node_modules/')
}
