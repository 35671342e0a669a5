import type { Plugin } from 'vite'

/** An entry of `mime-db`. */
interface MimeType {
  readonly source?: string
  readonly charset?: string
  readonly extensions?: readonly string[]
}

/**
 * Leaves of `mime-db` what Express looks up: types with extensions or a charset. They are half of its 200 KB, all of
 * which a server would read as it starts.
 */
export const mimeDb: Plugin = {
  name: 'mime-db',
  enforce: 'pre',
  transform: {
    filter: { id: /mime-db\/db\.json$/ },
    handler(text) {
      const all: Readonly<Record<string, MimeType>> = JSON.parse(text)
      const used = Object.entries(all).flatMap(([type, { source, charset, extensions }]) =>
        extensions === undefined && charset === undefined
          ? []
          : [[type, { source, charset, extensions }]],
      )
      return { code: JSON.stringify(Object.fromEntries(used)), map: null }
    },
  },
}
