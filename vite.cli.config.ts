import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { elsewhere } from './build/elsewhere.ts'
import { evaluatedTables } from './build/evaluated-tables.ts'

/** Builds the command line by itself, and what each start needs as one file (decisions/033-a-build-for-the-start.md). */
export default defineConfig({
  plugins: [
    elsewhere(/\/control-descriptions\.ts$/, '../control-descriptions.js'),
    evaluatedTables(),
  ],
  // Only faker, which is loaded when it is asked for.
  ssr: { noExternal: true, external: ['@faker-js/faker'] },
  resolve: {
    alias: {
      // Its emoji pattern takes a third of a start, and no help text needs it.
      'string-width': fileURLToPath(new URL('build/string-width.ts', import.meta.url)),
    },
  },
  build: {
    ssr: true,
    outDir: 'dist/cli',
    target: 'es2023',
    minify: false,
    license: { fileName: 'THIRD-PARTY.md' },
    rollupOptions: {
      checks: {
        bundlerTimings: false,
        // What the library's pages load late is here from the start.
        ineffectiveDynamicImport: false,
        // Yargs asks `import.meta` for more than its address only for settings that extend others.
        emptyImportMeta: false,
      },
      input: { main: 'src/cli/main.ts' },
      output: {
        // On Node 22 and newer, `import` of `node:http` loads all of undici, for one of its names; `require` doesn't.
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: '[name].cjs',
        comments: { jsdoc: false, legal: false },
        codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] },
      },
    },
  },
})
