import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { evaluatedTables } from './build/evaluated-tables.ts'
import { jsonFile } from './build/json-file.ts'
import { ownCopies } from './build/own-copies.ts'
import { pageChunks } from './build/page-chunks.ts'
import { withoutDescriptions } from './build/without-descriptions.ts'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Packages that go where they are imported, since browsers load them too. */
const placedByUse =
  /node_modules[\\/](?:@msw|preact|@preact|es-toolkit|mutative|outvariant|rettime)[\\/]/

/** Whether a module is of Express, or of what it needs. */
const isOfExpress = (id: string): boolean => id.includes('node_modules') && !placedByUse.test(id)

/** Builds the library: each entry a module, what they share in chunks. */
export default defineConfig({
  plugins: [
    evaluatedTables(),
    ownCopies('panel/view', ['input/record.ts']),
    withoutDescriptions(/\/src\/.*\.ts$/),
    jsonFile('capture.schema.json', file('src/control/reports/capture-schema.ts')),
  ],
  // Only what a user brings, and faker, which is loaded when it is asked for.
  ssr: { noExternal: true, external: ['@faker-js/faker', 'msw', 'vitest', '@playwright/test'] },
  build: {
    ssr: true,
    outDir: 'dist',
    // What builds the rest at the same time has it emptied before.
    emptyOutDir: false,
    target: 'es2023',
    minify: false,
    license: { fileName: 'THIRD-PARTY.md' },
    rollupOptions: {
      // Evaluating modules takes most of a build, and is meant to.
      checks: { bundlerTimings: false },
      // Entries export what they are for, and nothing that other chunks need of them.
      preserveEntrySignatures: 'strict',
      input: {
        index: 'src/index.ts',
        node: 'src/node/index.ts',
        express: 'src/adapters/express.ts',
        fetch: 'src/adapters/fetch.ts',
        jest: 'src/adapters/jest.ts',
        matchers: 'src/adapters/matchers.ts',
        msw: 'src/adapters/msw.ts',
        'msw-node': 'src/node/msw.ts',
        'msw-worker': 'src/adapters/msw-worker.ts',
        panel: 'src/panel/mount-panel.ts',
        playwright: 'src/adapters/playwright.ts',
        server: 'src/server/start-server.ts',
        vitest: 'src/adapters/vitest.ts',
        'vitest-browser': 'src/adapters/fixtures/vitest-browser.ts',
        seed: 'src/seed/generate-pets.ts',
        client: 'src/client/connect-sandbox.ts',
        // What the command line, which is built by itself, loads of this build: it need not be there twice.
        'control-descriptions': 'src/control/http/description/control-descriptions.ts',
        // Entries of their own so that a browser that loads them on demand gets nothing of the process with them.
        auditor: 'src/audit/auditor.ts',
        engine: 'src/engine/engine.ts',
        'answer-msw': 'src/adapters/parts/fetch/answer-msw.ts',
        control: 'src/control/http/handle-control.ts',
        openapi: 'src/contract/openapi/openapi.ts',
        replays: 'src/sandbox-replays.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // Types have the descriptions, and THIRD-PARTY.md the licences.
        comments: { jsdoc: false, legal: false },
        // By themselves: what CommonJS packages need of Node must not get into a chunk that browsers load.
        codeSplitting: {
          groups: [
            { name: 'express', test: isOfExpress },
            ...pageChunks(['src/sandbox.ts', 'src/adapters/msw.ts'].map(file), {
              client: file('src/client/connect-sandbox.ts'),
              panel: file('src/panel/mount-panel.ts'),
              seed: file('src/seed/generate-pets.ts'),
            }),
          ],
        },
      },
    },
  },
})
