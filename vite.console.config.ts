import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Builds the console: a page, its script and its styles, under names that stay. */
export default defineConfig({
  root: file('src/console'),
  // It is served under more than one path.
  base: './',
  build: {
    outDir: file('dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // Nothing is written into the page that its policy would have to allow.
    modulePreload: false,
    assetsInlineLimit: 0,
    license: { fileName: 'THIRD-PARTY.md' },
    rolldownOptions: {
      // What only a panel loads later, the console has at once.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      output: {
        entryFileNames: 'console.js',
        chunkFileNames: '[name].js',
        assetFileNames: 'console[extname]',
      },
    },
  },
})
