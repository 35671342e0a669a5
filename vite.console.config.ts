import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'
import { yaml } from './build/yaml.ts'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const shared = {
  outDir: file('dist/console'),
  // The build of all has it emptied before: both write into it.
  emptyOutDir: false,
  target: 'es2023',
} as const

/** Builds the console: a page, its script and its styles, under names that stay. */
const ofConsole: UserConfig = {
  plugins: [yaml],
  root: file('src/console'),
  // It is served under more than one path.
  base: './',
  build: {
    ...shared,
    // Links in the page, since a script would have to be allowed by its policy.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, scripts, { hostType }) => (hostType === 'html' ? scripts : []),
    },
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
}

/** Builds the playground: the engine and the console in one script, since no browser loads modules from `file:`. */
const ofPlayground: UserConfig = {
  plugins: [yaml],
  build: {
    ...shared,
    license: { fileName: 'playground-THIRD-PARTY.md' },
    cssCodeSplit: false,
    // Nothing is loaded later.
    modulePreload: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      checks: {
        bundlerTimings: false,
        ineffectiveDynamicImport: false,
        emptyImportMeta: false,
      },
      input: file('src/console/playground/main.tsx'),
      output: {
        format: 'iife',
        codeSplitting: false,
        entryFileNames: 'playground.js',
        assetFileNames: 'playground[extname]',
      },
    },
  },
}

export default defineConfig(({ mode }) => (mode === 'playground' ? ofPlayground : ofConsole))
