import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { evaluated } from './build/evaluated.ts'
import { jsonFile } from './build/json-file.ts'
import { ownSourceMaps } from './build/own-source-maps.ts'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Packages that go where they are imported: what browsers load too, and what only the command line needs. */
const placedByUse =
  /node_modules[\\/](?:@msw|preact|@preact|es-toolkit|mutative|outvariant|rettime|jsonc-parser|yargs|yargs-parser|cliui|y18n|escalade|get-caller-file|[a-z]+-ansi|ansi-[a-z]+)[\\/]/

/** Whether a module is of Express, or of what it needs. */
const isOfExpress = (id: string): boolean => id.includes('node_modules') && !placedByUse.test(id)

/** Builds the package: each entry a module, what they share in chunks. */
export default defineConfig({
  plugins: [
    evaluated(file('src/client/route-places.ts')),
    evaluated(file('src/contract/openapi/api-description.ts')),
    evaluated(file('src/control/har/har-names.ts')),
    evaluated(file('src/coverage/cells/cells.ts')),
    jsonFile('capture.schema.json', file('src/control/reports/capture-schema.ts')),
    ownSourceMaps(),
  ],
  // Only what a user brings, and faker, which is loaded when it is asked for.
  ssr: { noExternal: true, external: ['@faker-js/faker', 'msw', 'vitest', '@playwright/test'] },
  resolve: {
    // Its emoji pattern takes a third of a start, and no help text needs it (decisions/002-one-bundle-for-the-process.md).
    alias: { 'string-width': file('build/string-width.ts') },
  },
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'es2023',
    minify: true,
    sourcemap: true,
    license: { fileName: 'THIRD-PARTY.md' },
    rollupOptions: {
      // Evaluating modules takes most of a build, and is meant to.
      checks: { bundlerTimings: false },
      // Entries export what they are for, and nothing that other chunks need of them.
      preserveEntrySignatures: 'strict',
      input: {
        index: 'src/index.ts',
        express: 'src/adapters/express.ts',
        fetch: 'src/adapters/fetch.ts',
        jest: 'src/adapters/jest.ts',
        matchers: 'src/adapters/matchers.ts',
        msw: 'src/adapters/msw.ts',
        'msw-worker': 'src/adapters/msw-worker.ts',
        panel: 'src/panel/mount-panel.ts',
        playwright: 'src/adapters/playwright.ts',
        server: 'src/server/start-server.ts',
        vitest: 'src/adapters/vitest.ts',
        'vitest-browser': 'src/adapters/fixtures/vitest-browser.ts',
        seed: 'src/seed/generate-pets.ts',
        client: 'src/client/connect-sandbox.ts',
        cli: 'src/cli/entry.ts',
        // Entries of their own so that a browser that loads them on demand gets nothing of the process with them.
        auditor: 'src/audit/auditor.ts',
        control: 'src/control/http/handle-control.ts',
        openapi: 'src/contract/openapi/openapi.ts',
        counterfactual: 'src/explore/counterfactual.ts',
        capture: 'src/explore/capture/make-capture.ts',
        har: 'src/control/har/har.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // By themselves: what CommonJS packages need of Node must not get into a chunk that browsers load.
        codeSplitting: { groups: [{ name: 'express', test: isOfExpress }] },
      },
    },
  },
})
