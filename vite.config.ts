import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { mimeDb } from './build/mime-db.ts'
import { yaml } from './build/yaml.ts'

/** Builds the library and the command line: each entry a module, what they share in chunks. */
export default defineConfig({
  plugins: [yaml, mimeDb],
  // Only what a user brings, and faker, which is loaded when it is asked for.
  ssr: { noExternal: true, external: ['@faker-js/faker', 'msw', 'vitest', '@playwright/test'] },
  resolve: {
    alias: {
      // Its emoji pattern takes a third of a start, and no help text needs it.
      'string-width': fileURLToPath(new URL('build/string-width.ts', import.meta.url)),
      // Express exports its parsers, and nobody can import this one's.
      'body-parser': fileURLToPath(new URL('build/body-parser.ts', import.meta.url)),
      qs: fileURLToPath(new URL('build/qs.ts', import.meta.url)),
    },
  },
  build: {
    ssr: true,
    outDir: 'dist',
    // What builds the rest at the same time has it emptied before.
    emptyOutDir: false,
    target: 'es2023',
    // The panel's styles need what its script needs: popovers, of 2024.
    cssTarget: ['chrome125', 'firefox125', 'safari17.5'],
    minify: false,
    license: { fileName: 'THIRD-PARTY.md' },
    rollupOptions: {
      // No comments with the paths of modules.
      experimental: { attachDebugInfo: 'none' },
      // Entries export what they are for, and nothing that other chunks need of them.
      preserveEntrySignatures: 'strict',
      input: {
        index: 'src/index.ts',
        calibrate: 'src/checks/calibrate/calibrate.ts',
        express: 'src/adapters/express.ts',
        vite: 'src/adapters/vite.ts',
        fetch: 'src/adapters/fetch.ts',
        jest: 'src/adapters/jest.ts',
        matchers: 'src/adapters/matchers.ts',
        msw: 'src/adapters/msw.ts',
        'msw-worker': 'src/adapters/msw-worker.ts',
        panel: 'src/console/panel/mount-panel.ts',
        playwright: 'src/adapters/playwright.ts',
        server: 'src/server/start-server.ts',
        vitest: 'src/adapters/vitest.ts',
        'vitest-browser': 'src/adapters/fixtures/vitest-browser.ts',
        seed: 'src/sandbox/seed/generate-pets.ts',
        client: 'src/client/connect-sandbox.ts',
        cli: 'src/cli/main.ts',
        // What browsers load on demand: as entries they need nothing of the runtime that CommonJS needs of Node.
        auditor: 'src/checks/audit/auditor.ts',
        control: 'src/sandbox/controls/http/handle-control.ts',
        har: 'src/sandbox/controls/har.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // Types have the descriptions, and THIRD-PARTY.md the licences.
        comments: { jsdoc: false, legal: false },
        // Modules, with all that they import, that are loaded together: Node takes a millisecond for each file.
        codeSplitting: {
          groups: [
            // All that a page needs at once beside the sandbox, so that the panel's forms split nothing off.
            {
              name: 'page',
              test: /src\/(?:sandbox\/controls\/keys|mock\/state\/keys|mock\/faults\/fault-rules|mock\/api\/(?:json|real-time)|adapters\/parts\/(?:cors|break-connection))\.ts$/,
            },
            { name: 'sandbox', test: /src\/(?:sandbox\/sandbox-pool|checks\/reports\/text)\.ts$/ },
            // Without Express for most commands, and without yargs for `startServer()`.
            { name: 'server-options', test: /src\/server\/(?:package-folder|server-options)\.ts$/ },
            { name: 'cli', test: /src\/cli\/main\.ts$/ },
          ],
        },
      },
    },
  },
})
